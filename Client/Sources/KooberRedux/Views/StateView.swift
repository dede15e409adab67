import KooberScreens

/// What shows a part of the state. It gets what its user wants of it, and has user interactions do that.
@MainActor
protocol StateView: AnyObject {
    /// Once, as soon as it is shown.
    func appear()
    func perform(_ intention: Intention)
    /// Of whatever part; a view that it does not belong to does nothing.
    func finishedPresenting(_ error: ErrorToPresent)
}
