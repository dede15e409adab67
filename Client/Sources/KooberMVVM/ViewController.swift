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

/// A view controller that shows one view model.
@MainActor
class ModelViewController<ViewModel> {
    let viewModel: ViewModel

    init(viewModel: ViewModel) {
        self.viewModel = viewModel
        startWork()
    }

    /// Starts the view model's work, which does not wait for the user. Called once, by the initializer.
    func startWork() {}
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

// MARK: Navigation

/// A navigation in two steps: the view model asks for a view, and the view controller reports that it presented one.
///
/// The view controller acts on `present` alone. It also reports views that it presents by itself, such as the previous
/// view when the user goes back.
public enum NavigationAction<View: Hashable & Sendable>: Hashable, Sendable {
    case present(view: View)
    case presented(view: View)

    var view: View {
        switch self {
        case .present(let view), .presented(let view): view
        }
    }
}

/// A step that is not possible in the present state. Nothing has changed.
public struct IllegalTransition: Error, Hashable, Sendable {
    public let action: String
    public let state: String

    init(from state: some Sendable, by action: String = #function) {
        self.action = action
        self.state = "\(state)"
    }
}
