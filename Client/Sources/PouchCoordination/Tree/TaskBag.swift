/// Tasks that are cancelled together.
@MainActor
final class TaskBag {
    private var tasks: [Int: Task<Void, Never>] = [:]
    private var lastId = 0

    deinit {
        for task in tasks.values { task.cancel() }
    }

    func add(_ work: @escaping @MainActor () async -> Void) {
        lastId += 1
        let id = lastId
        tasks[id] = Task { [weak self] in
            await work()
            self?.tasks[id] = nil
        }
    }

    func cancel() {
        for task in tasks.values { task.cancel() }
        tasks = [:]
    }
}
