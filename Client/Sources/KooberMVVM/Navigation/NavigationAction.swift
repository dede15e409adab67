/// A navigation takes two steps: a view model says what to present, and the view reports when it is presented.
///
/// The view acts on the first alone. Where it went somewhere by itself, as back by the system, it only reports.
public enum NavigationAction<View: Hashable & Sendable>: Hashable, Sendable {
    case present(view: View)
    case presented(view: View)

    var view: View {
        switch self {
        case .present(let view), .presented(let view): view
        }
    }
}
