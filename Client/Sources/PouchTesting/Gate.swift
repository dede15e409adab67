import Synchronization

/// A gate at which tasks wait in `pass()` until it is opened. A task that is cancelled is let through.
public final class Gate: Sendable {
    private let opened = Counted(false) { $0 ? 1 : 0 }
    private let waiting = Counted(0) { $0 }

    public init() {}

    var isOpen: Bool { opened.value }

    /// Waits until the gate is opened, or the task is cancelled.
    public func pass() async {
        guard !isOpen, !Task.isCancelled else { return }
        waiting.change { $0 += 1 }
        await withTaskCancellationHandler {
            await opened.reaches(1)
        } onCancel: {
            waiting.change { $0 -= 1 }
        }
    }

    /// Waits until that many tasks are held, or the waiting task is cancelled, for example by a test's time limit.
    public func held(_ count: Int = 1) async { await waiting.reaches(count) }

    /// Releases the tasks that are held, and later ones at once.
    public func open() { opened.change { $0 = true } }
}

/// A value behind a lock, and the tasks that wait until a number in it is high enough.
final class Counted<Value: Sendable>: Sendable {
    private struct State {
        var value: Value
        var nextId = 0
        var waits: [Int: (count: Int, continuation: CheckedContinuation<Void, Never>)] = [:]
    }

    private let state: Mutex<State>
    private let count: @Sendable (Value) -> Int

    /// - Parameter count: the number in the value.
    init(_ value: Value, _ count: @escaping @Sendable (Value) -> Int) {
        state = Mutex(State(value: value))
        self.count = count
    }

    var value: Value { state.withLock { $0.value } }

    func change<Result: Sendable>(_ change: (inout Value) -> Result) -> Result {
        let (result, ready) = state.withLock { state in
            let result = change(&state.value)
            let count = count(state.value)
            let ready = state.waits.filter { $0.value.count <= count }
            for id in ready.keys { state.waits[id] = nil }
            return (result, ready.values.map(\.continuation))
        }
        // Without the lock, which cancellation handlers take.
        for continuation in ready { continuation.resume() }
        return result
    }

    /// Waits until the number is this one or higher, or the task is cancelled.
    func reaches(_ wanted: Int) async {
        let id = state.withLock { state in
            state.nextId += 1
            return state.nextId
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let waits = state.withLock { state in
                    guard count(state.value) < wanted, !Task.isCancelled else { return false }
                    state.waits[id] = (wanted, continuation)
                    return true
                }
                if !waits { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waits.removeValue(forKey: id) }?.continuation.resume()
        }
    }
}
