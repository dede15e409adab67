/// One listener of a source. Whoever owns it listens for as long: sources hold it weakly.
@MainActor
public final class Subscription<Event>: Cancelable {
    private var receive: (@MainActor (Event) -> Void)?
    /// What brings the events; let go of together with the listener.
    var upstream: AnyObject?

    public init(_ receive: @escaping @MainActor (Event) -> Void) {
        self.receive = receive
    }

    public var isCancelled: Bool { receive == nil }

    public func deliver(_ event: Event) { receive?(event) }

    /// Nothing follows, also where the listener is told of it only now.
    public func deliverLast(_ event: Event) {
        let receive = receive
        cancel()
        receive?(event)
    }

    public func cancel() {
        receive = nil
        upstream = nil
    }

    /// Takes its events from a task, which is cancelled together with it.
    func feed(_ operation: @escaping @MainActor () async -> Void) {
        upstream = TaskLifetime(Task(operation: operation))
    }
}

/// Cancels the task when nobody holds it any more.
private final class TaskLifetime {
    private let task: Task<Void, Never>

    init(_ task: Task<Void, Never>) { self.task = task }

    deinit { task.cancel() }
}
