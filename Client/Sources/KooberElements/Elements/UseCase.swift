/// One run of what a user, or an event, asks for: a new object each time, named as the user would name it.
@MainActor
public protocol UseCase: AnyObject {
    /// Begins the run. Does nothing a second time, nor after a cancellation.
    func start()
}

/// Apart from `UseCase`, since there is much that must not be left half-way.
public typealias CancelableUseCase = UseCase & Cancelable
