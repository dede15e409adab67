import KooberKit

/// What is asked of the model layer, with an action each for progress, success and failure.
///
/// The reducer decides: where it refuses progress, nobody is asked, and what is under way goes on. Where it does not, only
/// the newest is waited for. All ends when its owner is gone, which the closures must not hold.
@MainActor
final class AsyncAction<Action: Sendable> {
    private let actionDispatcher: any ActionDispatcher<Action>
    private let serialNumbers: SerialNumbers
    private let task = LatestTask()

    init(_ actionDispatcher: any ActionDispatcher<Action>, _ serialNumbers: SerialNumbers) {
        self.actionDispatcher = actionDispatcher
        self.serialNumbers = serialNumbers
    }

    /// Each action gets the number of the request.
    func begin<Answer: Sendable>(
        _ progress: (SerialNumber) -> Action,
        call: @escaping @MainActor () async throws(ErrorMessage) -> Answer,
        success: @escaping @MainActor (Answer, SerialNumber) -> Action,
        failure: @escaping @MainActor (ErrorToPresent, SerialNumber) -> Action
    ) {
        let request = serialNumbers.next()
        actionDispatcher.dispatch(progress(request)) { [task, actionDispatcher, serialNumbers] in
            task.run {
                await actionDispatcher.dispatch(
                    call, serialNumbers, success: { success($0, request) }, failure: { failure($0, request) })
            }
        }
    }

    func cancel() {
        task.cancel()
    }
}

extension ActionDispatcher {
    /// Asks, and dispatches what is answered.
    func dispatch<Answer: Sendable>(
        _ call: @MainActor () async throws(ErrorMessage) -> Answer,
        _ serialNumbers: SerialNumbers,
        success: @MainActor (Answer) -> Action,
        failure: @MainActor (ErrorToPresent) -> Action
    ) async {
        do throws(ErrorMessage) {
            dispatch(success(try await call()))
        } catch {
            dispatch(failure(ErrorToPresent(id: serialNumbers.next(), message: error)))
        }
    }
}
