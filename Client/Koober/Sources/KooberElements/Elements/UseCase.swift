/// One run of a task that the user or an event starts. Each run is a new object.
@MainActor
public protocol UseCase: AnyObject {
    /// Does nothing the second time, or after a cancellation.
    func start()
}

/// Work whose result may no longer be needed.
@MainActor
public protocol Cancelable: AnyObject {
    /// Discards the result. Does nothing after the end.
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

/// The steps of a use case over remote APIs, data stores and state stores.
///
///     struct LaunchUseCase: UseCaseSteps {
///         let dataStore: any UserSessionDataStore
///         let main: StateStore<MainState>
///
///         func execute(in run: UseCaseRun<Self>) {
///             run.perform { … try await dataStore.readUserSession() … }
///         }
///     }
@MainActor
public protocol UseCaseSteps {
    /// Performs the first step. Called at most once.
    func execute(in run: UseCaseRun<Self>)
}

/// Whether the use case whose step is running was cancelled. The caller's task does not matter: a cancelled task may
/// still start a use case.
@MainActor
final class UseCaseCancellation {
    /// nil outside of use cases.
    @TaskLocal static var current: UseCaseCancellation?
    fileprivate(set) var isCancelled = false
}

/// A use case that performs its steps at most once. After a cancellation, its steps change no state and broadcast no
/// events.
@MainActor
public final class UseCaseRun<Steps: UseCaseSteps>: UseCase, Cancelable {
    private let steps: Steps
    private var hasStarted = false
    private let cancellation = UseCaseCancellation()
    private var task: Task<Void, Never>?

    public init(_ steps: Steps) {
        self.steps = steps
    }

    public func start() {
        guard !hasStarted, !cancellation.isCancelled else { return }
        hasStarted = true
        UseCaseCancellation.$current.withValue(cancellation) { steps.execute(in: self) }
    }

    public func cancel() {
        cancellation.isCancelled = true
        task?.cancel()
    }

    /// Performs the steps that wait for responses. They keep the run alive. State stores and broadcasters ignore their
    /// changes and events after a cancellation.
    public func perform(_ steps: @escaping @MainActor () async -> Void) {
        // The task inherits the current cancellation, which is that of this run.
        task = Task { [self] in
            if !cancellation.isCancelled { await steps() }
            task = nil
        }
    }
}
