import KooberScreens

/// A view that shows the state of its view model and turns what the user does into calls of it.
///
/// A parent knows its children only through this protocol.
@MainActor
protocol ViewController<Content>: AnyObject {
    associatedtype Content

    /// The errors of its view model and of its children's.
    var errorMessages: [ErrorMessages] { get }
    /// Adds and removes child views until they match the view model. Does nothing if they already do.
    func layout()
    /// The content as of the last layout.
    var content: Content { get }
    func perform(_ intention: Intention) throws(IllegalTransition)
}

extension ViewController {
    var errorMessages: [ErrorMessages] { [] }
    func layout() {}
    func perform(_ intention: Intention) throws(IllegalTransition) {}
}

/// The one child that a parent shows at a time. Another view replaces it; the same view leaves it.
@MainActor
struct ChildViewController<View: Hashable, Content> {
    private var view: View
    private(set) var controller: any ViewController<Content>

    init(_ view: View, make: (View) -> any ViewController<Content>) {
        self.view = view
        controller = make(view)
    }

    mutating func present(_ view: View, make: (View) -> any ViewController<Content>) {
        guard view != self.view else { return }
        self.view = view
        controller = make(view)
    }
}
