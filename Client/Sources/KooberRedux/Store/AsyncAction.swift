import KooberKit

/// A call of the model layer that dispatches one action when it starts, and one with its result.
///
/// The reducer decides whether the call is made: if the first action leaves the state equal, it is not, and an earlier
/// call goes on. Otherwise the new call cancels the earlier one. Releasing this object cancels the call, so the closures
/// must not hold its owner.
@MainActor
final class AsyncAction<Action: Sendable> {
    private let actionDispatcher: any ActionDispatcher<Action>
    private let task = LatestTask()

    init(_ actionDispatcher: any ActionDispatcher<Action>) {
        self.actionDispatcher = actionDispatcher
    }

    /// Makes the call. All actions carry the number of this request, by which the reducer recognizes the answer.
    func send<Answer: Sendable>(
        _ progress: (SerialNumber) -> Action,
        call: @escaping @MainActor () async throws(ErrorMessage) -> Answer,
        success: @escaping @MainActor (Answer, SerialNumber) -> Action,
        failure: @escaping @MainActor (ErrorToPresent, SerialNumber) -> Action
    ) {
        let request = actionDispatcher.nextSerialNumber()
        actionDispatcher.dispatch(progress(request)) { [task, actionDispatcher] in
            task.run {
                do throws(ErrorMessage) {
                    actionDispatcher.dispatch(success(try await call(), request))
                } catch {
                    actionDispatcher.dispatch(failure(actionDispatcher.numbered(error), request))
                }
            }
        }
    }

    func cancel() {
        task.cancel()
    }
}

/// Asynchronous work that new work replaces.
///
/// Starting new work, or releasing this object, cancels the earlier work, which must not hold the owner.
@MainActor
final class LatestTask {
    private var task: Task<Void, Never>?

    deinit {
        task?.cancel()
    }

    func run(_ work: @escaping @MainActor () async -> Void) {
        task?.cancel()
        task = Task { await work() }
    }

    func cancel() {
        task?.cancel()
    }
}
