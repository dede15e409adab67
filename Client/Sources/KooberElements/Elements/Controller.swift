/// The logic of one screen, without the screen: it holds a user interface, observers, and factories of use cases.
@MainActor
public protocol Controller: AnyObject, Sendable {
    /// The screen is to be seen from now on; once.
    func activate()
    /// The screen has gone: nothing of it is rendered any more, and what runs for it is cancelled.
    func deactivate()
}
