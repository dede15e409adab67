import Synchronization

/// Those who follow something. All are told the same, in the same order.
final class Observers<Element: Sendable>: Sendable {
    private struct State {
        var nextId = 0
        var continuations: [Int: AsyncStream<Element>.Continuation] = [:]
    }

    /// How much each may have before it, unread; the oldest goes.
    private let limit: Int
    private let state = Mutex(State())
    /// Held while they are told, for the order. Not by `state`: an observer leaves while its task is being cancelled, under
    /// a lock for which `yield` waits.
    private let telling = Mutex(())

    init(limit: Int) {
        self.limit = limit
    }

    deinit {
        for continuation in state.withLock({ $0.continuations.values }) { continuation.finish() }
    }

    var isEmpty: Bool { state.withLock { $0.continuations.isEmpty } }

    /// Tells all what comes of the change, where something does. Changes are made one at a time.
    ///
    /// - Returns: whether something did.
    @discardableResult
    func tell(_ change: () -> Element?) -> Bool {
        telling.withLock { _ in
            guard let element = change() else { return false }
            for continuation in state.withLock({ Array($0.continuations.values) }) { continuation.yield(element) }
            return true
        }
    }

    /// - Parameters:
    ///   - first: what the new one is told at once; no change is made meanwhile.
    ///   - lastLeft: called when nobody is left, also within a cancellation.
    func join(
        first: () -> [Element], lastLeft: @escaping @Sendable () -> Void = {}
    ) -> (elements: AsyncStream<Element>, isFirst: Bool) {
        let (stream, continuation) = AsyncStream.makeStream(of: Element.self, bufferingPolicy: .bufferingNewest(limit))
        let (id, isFirst) = telling.withLock { _ in
            for element in first() { continuation.yield(element) }
            return state.withLock { state in
                state.nextId += 1
                state.continuations[state.nextId] = continuation
                return (state.nextId, state.continuations.count == 1)
            }
        }
        continuation.onTermination = { [weak self] _ in
            if self?.leave(id) == true { lastLeft() }
        }
        return (stream, isFirst)
    }

    /// - Returns: whether nobody is left.
    private func leave(_ id: Int) -> Bool {
        state.withLock { $0.continuations.removeValue(forKey: id) != nil && $0.continuations.isEmpty }
    }
}
