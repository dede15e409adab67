import KooberScreens

/// A view with its view model: it shows that one's state, presents what that one asks for, and makes its calls of what the
/// user wants.
///
/// A parent knows its children by this alone, and a child knows its view model alone.
@MainActor
protocol ViewController<Content>: AnyObject {
    associatedtype Content

    /// Of the view model and of the children's.
    var errorMessages: [ErrorMessages] { get }
    /// Has what is shown below it fit the view model; nothing changes where it does.
    func layout()
    /// As of the last layout.
    var content: Content { get }
    func perform(_ intention: Intention) throws(IllegalTransition)
}

extension ViewController {
    var errorMessages: [ErrorMessages] { [] }
    func layout() {}
    func perform(_ intention: Intention) throws(IllegalTransition) {}
}
