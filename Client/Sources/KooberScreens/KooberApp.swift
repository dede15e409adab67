/// The whole app, in whichever architecture, as its user and its tests see it.
@MainActor
public protocol KooberApp: AnyObject {
    /// nil before `start`.
    var screen: KooberScreen? { get }
    /// Each screen that follows from now on, first the one that is shown; none is left out, none comes twice in a row.
    func screens() -> AsyncStream<KooberScreen>
    /// Launches; once.
    func start()
    /// - Throws: `UnofferedIntention` when the screen does not offer it; nothing changes then.
    func perform(_ intention: Intention) throws(UnofferedIntention)
}

/// Somebody wanted what the screen does not offer.
public struct UnofferedIntention: Error, Hashable, Sendable {
    public let intention: Intention
    public let screen: KooberScreen?

    public init(_ intention: Intention, on screen: KooberScreen?) {
        self.intention = intention
        self.screen = screen
    }
}
