/// One run of a task that the user or an event asks for. Each run is a new object.
@MainActor
public protocol UseCase: AnyObject {
    /// Does nothing the second time, or after a cancellation.
    func start()
}

/// Work whose result may no longer be needed.
@MainActor
public protocol Cancelable: AnyObject {
    /// Drops the result. Does nothing after the end.
    func cancel()
}

/// Separate from `UseCase`, because many use cases must not stop half-way.
public typealias CancelableUseCase = UseCase & Cancelable

/// The use cases that a controller started, and cancels when it is deactivated.
@MainActor
final class RunningUseCases {
    private struct Started {
        // A running use case keeps itself alive. After its end there is nothing to cancel.
        weak var useCase: (any CancelableUseCase)?
    }

    private var started: [Started] = []

    /// Starts a use case in addition to the running ones. The use case itself decides whether it may run.
    func start(_ useCase: any CancelableUseCase) {
        started.removeAll { $0.useCase == nil }
        started.append(Started(useCase: useCase))
        useCase.start()
    }

    /// Cancels the running use cases, then starts this one.
    func replace(by useCase: any CancelableUseCase) {
        cancel()
        start(useCase)
    }

    func cancel() {
        let useCases = started.compactMap(\.useCase)
        started = []
        for useCase in useCases { useCase.cancel() }
    }
}

// MARK: Runs

/// The steps of a use case.
///
///     struct LaunchUseCase: UseCaseSteps {
///         let repository: any UserSessionRepository
///
///         func execute(in run: UseCaseRun<Self>) {
///             run.perform { try await repository.readUserSession() } then: { result in … }
///         }
///     }
@MainActor
public protocol UseCaseSteps {
    /// Takes the first step. Called at most once.
    func execute(in run: UseCaseRun<Self>)
}

/// A use case that takes its steps at most once, and reports neither results nor errors after a cancellation.
@MainActor
public final class UseCaseRun<Steps: UseCaseSteps>: UseCase, Cancelable {
    private let steps: Steps
    private var hasStarted = false
    private var isCancelled = false
    /// The subscription that the run waits for. It holds the run until it ends or is cancelled, so that no other object
    /// has to hold it.
    private var step: (any Cancelable)?

    public init(_ steps: Steps) {
        self.steps = steps
    }

    public func start() {
        guard !hasStarted, !isCancelled else { return }
        hasStarted = true
        steps.execute(in: self)
    }

    public func cancel() {
        isCancelled = true
        step?.cancel()
        step = nil
    }

    /// Does the work off the main actor, then calls `complete`, which may start the next step.
    ///
    /// A cancellation cancels the task of the work. Work that goes on all the same does not keep the run alive, and its
    /// result is dropped.
    public func perform<Output: Sendable, Failure: Error>(
        _ work: @escaping @Sendable () async throws(Failure) -> Output,
        then complete: @escaping @MainActor (Result<Output, Failure>) -> Void
    ) {
        guard !isCancelled else { return }
        let completion = Subscription { [self] result in
            step = nil
            complete(result)
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

    /// Receives the events of a source, until the run is cancelled or the source ends.
    public func follow<Event>(
        _ source: some EventSource<Event>, receive: @escaping @MainActor (Event) -> Void
    ) {
        guard !isCancelled else { return }
        let subscription = Subscription { [self] event in
            withExtendedLifetime(self) { receive(event) }
        }
        step = subscription
        source.attach(subscription)
    }
}
