/// A place that shows screens one over the other, such as a navigation controller or a terminal. An app implements it
/// for its user interface and passes it to a `NavigationStack`, the only caller of its methods.
@MainActor
public protocol NavigationSurface: AnyObject {
    /// Shows exactly these screens, the last one on top; never an empty list. The surface compares them with the
    /// screens that it shows to choose a transition: push, pop or replace. The call takes effect at once, also during a
    /// transition or a back gesture, which give way.
    func show(_ screens: [any Screen])

    /// Creates a surface over this one, for a separate flow. It becomes visible with its first `show`.
    func present() -> any NavigationSurface

    /// Removes this surface and all surfaces over it. Never called on the lowest one.
    func dismiss()

    /// The handler for back navigation by the user (a button, a gesture, a key). Call it afterwards with the screens
    /// that are still shown: none where the user dismissed a surface over another. One call may report several screens
    /// that left, animated or not. A back gesture that was given up may be reported with all screens, or not at all.
    var userDidGoBack: (@MainActor (_ remaining: [any Screen]) -> Void)? { get set }
}

/// A page that a navigation surface shows.
///
/// It gets its data by properties, which may be set before it is shown and at any time after, and sends the user's
/// wishes with `send`. A screen that contains others sets their `coordinatingResponder` to itself.
public protocol Screen: Responder {
    /// The coordinator that shows the screen, or the screen that contains it. Hold it weakly.
    var coordinatingResponder: (any Responder)? { get set }
}
