import Foundation

/// The whole app, in any architecture, as its user and its tests see it.
@MainActor
public protocol KooberApp: AnyObject {
    /// nil before `start`.
    var screen: KooberScreen? { get }
    /// Yields the current screen and each later one, without repetitions. Changes within one turn of the main actor may
    /// appear only in the last of its screens.
    func screens() -> AsyncStream<KooberScreen>
    /// Launches the app. Does nothing the second time.
    func start()
    /// Performs an action of the user. `screen` shows the result immediately.
    ///
    /// - Throws: `UnofferedIntention` if the screen does not offer the intention. Nothing changes in this case.
    func perform(_ intention: Intention) throws(UnofferedIntention)
    /// Returns once everything that the screen shows as done is stored, so that the process may end. Apps that store
    /// before they show need not implement it.
    func finish() async
}

extension KooberApp {
    public func finish() async {}
}

/// A record of the events in an app, through which its developer can travel.
@MainActor
public protocol Recording: AnyObject {
    /// The number of the shown step, and of the latest one. Both are 0 before the first.
    var position: (step: Int, last: Int) { get }
    /// The name of the action that led to the shown step; nil before the first.
    var action: String? { get }
    /// Shows the previous step. Does nothing at the oldest recorded one.
    func goBack()
    func goForward()
    func returnToPresent()
    /// The recorded actions with the state before them, as JSON without secrets.
    func export() throws -> Data
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
