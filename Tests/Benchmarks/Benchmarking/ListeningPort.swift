/// The port of a server that is coming up.
public actor ListeningPort {
    private var port: Int?
    private var waiting: [CheckedContinuation<Int, Never>] = []

    public init() {}

    public var value: Int {
        get async {
            if let port { return port }
            return await withCheckedContinuation { waiting.append($0) }
        }
    }

    public func set(_ port: Int) {
        self.port = port
        for continuation in waiting { continuation.resume(returning: port) }
        waiting = []
    }
}
