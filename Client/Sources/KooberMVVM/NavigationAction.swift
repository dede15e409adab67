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
