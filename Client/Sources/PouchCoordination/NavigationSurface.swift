/// A place that shows screens one over the other, such as a navigation controller or a terminal. An app implements it
/// for its user interface and passes it to a `ScreenStack`, the only caller of its methods.
@MainActor
public protocol NavigationSurface: AnyObject {
    /// Shows exactly these screens, the last one on top; never an empty list. The surface compares them with the
    /// screens that it shows to choose a transition: push, pop or replace. The call takes effect at once and overrides
    /// a transition or a back gesture.
    func show(_ screens: [any Screen])

    /// Creates a surface over this one, for a separate flow. It becomes visible with its first `show`.
    func present() -> any NavigationSurface

    /// Removes this surface and all surfaces over it. Never called on the base surface.
    func dismiss()

    /// The handler for back navigation by the user (a button, a gesture, a key). Call it afterwards with the screens
    /// that are still shown: none if the user dismissed a presented surface. One call may report several removed
    /// screens, animated or not. A cancelled back gesture may be reported with all screens, or not at all.
    var userDidGoBack: (@MainActor (_ remaining: [any Screen]) -> Void)? { get set }
}

/// A page that a navigation surface shows.
///
/// It receives its data through properties, which may be set before it is shown and at any time after, and sends the
/// user's requests with `send`. A screen that contains others sets their `coordinatingResponder` to itself.
public protocol Screen: Responder {
    /// The coordinator that shows the screen, or the screen that contains it. Use a weak reference.
    var coordinatingResponder: (any Responder)? { get set }
}
