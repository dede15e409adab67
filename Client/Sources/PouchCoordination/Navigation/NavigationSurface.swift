/// Where screens are shown one over the other, as a navigation controller or a terminal does it.
///
/// An app writes one for its user interface and gives it to a `NavigationStack`, which alone calls it.
@MainActor
public protocol NavigationSurface: AnyObject {
    /// Shows exactly these screens from now on, the last one on top. To push, pop, and replace is all the same: the
    /// surface finds out from what it has shown before which transition suits. Never empty.
    ///
    /// It holds at once, also where a transition is drawn or somebody is about to go back: what is under way gives in.
    func show(_ screens: [any Screen])

    /// Makes a surface that will lie over this one, as for a flow of its own. It becomes visible with its first `show`.
    func present() -> any NavigationSurface

    /// Takes this surface away, with all that lies over it. Never called on the lowest one.
    func dismiss()

    /// To be called when somebody has gone back by the surface's own means (a button, a gesture, a key), after it is
    /// done: with the screens that are still shown. Nothing is left when a surface over another was dismissed.
    ///
    /// It doesn't matter how many went at once, or whether it was animated. Going back that was given up may be told,
    /// with all screens, or not at all.
    var userDidGoBack: (@MainActor (_ remaining: [any Screen]) -> Void)? { get set }
}
