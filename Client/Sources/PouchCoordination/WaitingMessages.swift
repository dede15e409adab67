/// The messages of a coordinator that wait for a dependency, in the order of their arrival. It does not know the
/// coordinator, so a waiting message does not keep it alive.
@MainActor
final class WaitingMessages {
    private struct Message {
        let id: Int
        let isReady: @MainActor @Sendable () -> Bool
        let turn: CheckedContinuation<Result<Void, UndeliveredMessage>, Never>
    }

    private let limit: Int
    private var messages: [Message] = []
    private var lastId = 0
    /// The message that was called and is not running yet. One at a time, so that the order is kept on any executor.
    private var called: Int?
    private var isStopped = false

    init(limit: Int) {
        self.limit = limit
    }

    func start() {
        isStopped = false
    }

    func stop() {
        isStopped = true
        let stopped = messages
        messages = []
        for message in stopped { message.turn.resume(returning: .failure(.stopped)) }
    }

    /// Calls the next message whose dependency exists; the others follow.
    func call() {
        guard called == nil, let index = messages.firstIndex(where: { $0.isReady() }) else { return }
        let message = messages.remove(at: index)
        called = message.id
        message.turn.resume(returning: .success(()))
    }

    /// A message that arrives while earlier ones are being called waits behind them.
    func letEarlierPass() async throws(UndeliveredMessage) {
        guard !isStopped else { throw .stopped }
        guard called != nil else { return }
        try await wait { true }
    }

    func wait(until isReady: @escaping @MainActor @Sendable () -> Bool) async throws(UndeliveredMessage) {
        guard !isStopped else { throw .stopped }
        guard messages.count < limit else { throw .queueFull }
        lastId += 1
        let id = lastId
        let outcome: Result<Void, UndeliveredMessage> = await withTaskCancellationHandler {
            await withCheckedContinuation { turn in
                guard !Task.isCancelled else { return turn.resume(returning: .failure(.cancelled)) }
                messages.append(Message(id: id, isReady: isReady, turn: turn))
                call()
            }
        } onCancel: {
            Task { @MainActor [weak self] in self?.cancel(id) }
        }
        if called == id {
            called = nil
            call()
        }
        try outcome.get()
        guard !Task.isCancelled else { throw .cancelled }
    }

    private func cancel(_ id: Int) {
        guard let index = messages.firstIndex(where: { $0.id == id }) else { return }
        messages.remove(at: index).turn.resume(returning: .failure(.cancelled))
    }
}

/// A responder with handlers that may wait for a dependency.
protocol MessageWaiting: Responder {
    var waitingMessages: WaitingMessages { get }
}
