/// Told of each object that a dependency container makes, so that a test can count what is alive. To be held weakly.
public protocol LifetimeObserver: Sendable {
    /// - Parameter scope: whose end the object must not outlive.
    func made(_ object: AnyObject, in scope: ObjectScope)
}

/// For how long an object is needed.
public enum ObjectScope: Sendable, Hashable, CaseIterable {
    case app
    /// While nobody is signed in.
    case onboarding
    case signedIn
    /// From the user's location to the request of the ride.
    case pickMeUp
}
