/// Told of each object that a dependency container makes, so that a test can count what is alive.
public protocol LifetimeObserver: Sendable {
    /// To be held weakly.
    /// - Parameter scope: whose end the object must not outlive.
    func made(_ object: AnyObject, in scope: ObjectScope)
}
