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

/// A use case written as the steps of one run.
///
///     final class LaunchUseCase: SingleRunUseCase, Cancelable {
///         let run = UseCaseRun()
///         func execute() {
///             run.perform { try await repository.readUserSession() } then: { result in … }
///         }
///     }
@MainActor
public protocol SingleRunUseCase: UseCase {
    var run: UseCaseRun { get }
    /// Takes the first step. Called at most once.
    func execute()
}

extension SingleRunUseCase {
    public func start() { run.start(self) }
}

extension Cancelable where Self: SingleRunUseCase {
    public func cancel() { run.cancel() }
}

/// The run of a use case: it starts at most once, and reports neither results nor errors after a cancellation.
@MainActor
public final class UseCaseRun: Cancelable {
    private var hasStarted = false
    private var isCancelled = false
    private weak var useCase: (any SingleRunUseCase)?
    /// The subscription that the run waits for. It holds the run and the use case until it ends or is cancelled, so that
    /// no other object has to hold them.
    private var step: (any Cancelable)?

    public init() {}

    func start(_ useCase: some SingleRunUseCase) {
        guard !hasStarted, !isCancelled else { return }
        hasStarted = true
        self.useCase = useCase
        useCase.execute()
    }

    public func cancel() {
        isCancelled = true
        step?.cancel()
        step = nil
    }

    /// Does the work off the main actor, then calls `complete`, which may start the next step.
    ///
    /// A cancellation cancels the task of the work. Work that goes on all the same keeps neither the run nor the use case
    /// alive, and its result is dropped.
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

    /// Receives the events of a source, until the run is cancelled or the source ends.
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
