/// The port of a server that is coming up.
actor Port {
    private var port: Int?
    private var waiting: [CheckedContinuation<Int, Never>] = []

    var value: Int {
        get async {
            if let port { return port }
            return await withCheckedContinuation { waiting.append($0) }
        }
    }

    func set(_ port: Int) {
        self.port = port
        for continuation in waiting { continuation.resume(returning: port) }
        waiting = []
    }
}
