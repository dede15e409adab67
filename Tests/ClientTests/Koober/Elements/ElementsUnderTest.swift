import KooberElements

/// Notes what it is told.
@MainActor
final class RecordingEventResponder<Event> {
    private(set) var events: [Event] = []

    func received(_ event: Event) { events.append(event) }
}

/// Counts who listens.
@MainActor
final class CountingSource<Event>: EventSource {
    private(set) var attachCount = 0
    private let broadcaster = Broadcaster<Event>()

    func attach(_ subscription: Subscription<Event>) {
        attachCount += 1
        broadcaster.attach(subscription)
    }

    func send(_ event: Event) { broadcaster.broadcast(event) }
}

/// Waits for a state.
@MainActor
func state<State: Sendable>(
    of store: StateStore<State>, where isMet: @escaping @MainActor (State) -> Bool
) async throws -> State {
    let (states, continuation) = AsyncStream<State>.makeStream()
    let subscription = Subscription<State> { if isMet($0) { continuation.yield($0) } }
    store.attach(subscription)
    defer { subscription.cancel() }
    for await state in states { return state }
    throw CancellationError()
}

/// Returns the use case, which is gone at its end where nobody else holds it.
@MainActor
func starts(_ useCase: any CancelableUseCase) -> any CancelableUseCase {
    useCase.start()
    return useCase
}
