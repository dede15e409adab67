/// The only run of a use case: it begins once, and after a cancellation neither a result nor a failure of it is told.
@MainActor
public final class UseCaseRun: Cancelable {
    private var hasBegun = false
    private var isCancelled = false
    /// Whose run it is.
    private weak var useCase: (any SingleRunUseCase)?
    /// What the run waits for. It holds the run and the use case in turn, until it comes to its end or is cancelled, so
    /// that nobody else has to.
    private var step: (any Cancelable)?

    public init() {}

    func begin(_ useCase: some SingleRunUseCase) {
        guard !hasBegun, !isCancelled else { return }
        hasBegun = true
        self.useCase = useCase
        useCase.begin()
    }

    public func cancel() {
        isCancelled = true
        step?.cancel()
        step = nil
    }

    /// Does the work off the main actor, then tells what came of it; one step follows the other. A cancellation reaches
    /// the work as that of its task; where the work goes on all the same, it goes on unheard, and holds nothing of the
    /// use case but what it captured.
    public func perform<Output: Sendable, Failure: Error>(
        _ work: @escaping @Sendable () async throws(Failure) -> Output,
        then complete: @escaping @MainActor (Result<Output, Failure>) -> Void
    ) {
        guard !isCancelled else { return }
        let completion = Subscription { [self, useCase] result in
            step = nil
            withExtendedLifetime(useCase) { complete(result) }
        }
        step = completion
        completion.feed { [weak completion] in
            let result: Result<Output, Failure>
            do throws(Failure) {
                result = .success(try await work())
            } catch {
                result = .failure(error)
            }
            completion?.deliverLast(result)
        }
    }

    /// Tells what the source says, until the run is cancelled, or the source has told its last.
    public func follow<Event>(
        _ source: some EventSource<Event>, receive: @escaping @MainActor (Event) -> Void
    ) {
        guard !isCancelled else { return }
        let subscription = Subscription { [self, useCase] event in
            withExtendedLifetime((self, useCase)) { receive(event) }
        }
        step = subscription
        source.attach(subscription)
    }
}
