import KooberScreens

/// A view of one part of the state. It turns what the user does into calls of user interactions.
@MainActor
protocol StateView: AnyObject {
    /// Called once, when the view is shown.
    func appear()
    func perform(_ intention: Intention)
    /// Receives every acknowledged error. Does nothing if the error belongs to another view.
    func finishedPresenting(_ error: ErrorToPresent)
}

extension StateView {
    func appear() {}
    func perform(_ intention: Intention) {}
}
