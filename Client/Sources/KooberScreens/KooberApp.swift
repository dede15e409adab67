/// The whole app, in any architecture, as its user and its tests see it.
@MainActor
public protocol KooberApp: AnyObject {
    /// nil before `start`.
    var screen: KooberScreen? { get }
    /// Yields the present screen and each later one. None is repeated. Changes within one turn of the main actor may
    /// show only in the last of its screens.
    func screens() -> AsyncStream<KooberScreen>
    /// Launches the app. Does nothing the second time.
    func start()
    /// Does what the user asks for. `screen` shows what follows from it at once.
    ///
    /// - Throws: `UnofferedIntention` if the screen does not offer the intention. Nothing changes then.
    func perform(_ intention: Intention) throws(UnofferedIntention)
}

/// The error of an intention that the screen does not offer.
public struct UnofferedIntention: Error, Hashable, Sendable {
    public let intention: Intention
    public let screen: KooberScreen?

    public init(_ intention: Intention, on screen: KooberScreen?) {
        self.intention = intention
        self.screen = screen
    }
}
