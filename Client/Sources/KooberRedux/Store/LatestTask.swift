import KooberKit

/// Asynchronous work that new work replaces.
///
/// Starting new work, or releasing this object, cancels the earlier work. The work must not hold this object or its
/// owner, which would then never be released: list what its closure captures, as in `{ [remoteAPI] in … }`.
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

    /// Calls the model layer, and dispatches one action before the call and one with its result. All actions carry the
    /// number of this request, by which the reducer recognizes the answer.
    ///
    /// The reducer decides whether the call is made: if the first action leaves the state equal, it is not, and earlier
    /// work goes on. Otherwise the call replaces the earlier work.
    func send<Action: Sendable, Answer: Sendable>(
        to actionDispatcher: any ActionDispatcher<Action>,
        _ progress: (SerialNumber) -> Action,
        call: @escaping @MainActor () async throws(ErrorMessage) -> Answer,
        success: @escaping @MainActor (Answer, SerialNumber) -> Action,
        failure: @escaping @MainActor (ErrorToPresent, SerialNumber) -> Action
    ) {
        let request = actionDispatcher.nextSerialNumber()
        actionDispatcher.dispatch(progress(request)) { [self] in
            run {
                do throws(ErrorMessage) {
                    actionDispatcher.dispatch(success(try await call(), request))
                } catch {
                    actionDispatcher.dispatch(failure(actionDispatcher.numbered(error), request))
                }
            }
        }
    }
}
