/// Stacks next to each other: the tabs of an app, only one of which is visible, or the columns of a split view.
///
/// The coordinators of a hidden stack are not active, so their `whileActive` tasks pause. A presented stack covers
/// all stacks of the group.
///
///     let tabs = NavigationGroup(on: tabBar)
///     let catalog = CatalogCoordinator(on: tabs.stacks[0], screens: screens)
///     let cart = CartCoordinator(on: tabs.stacks[1], screens: screens)
///
/// The stacks retain the surface and their shared state, so the app need not retain the group.
@MainActor
public final class NavigationGroup {
    /// The stacks, in the order of the surfaces.
    public let stacks: [ScreenStack]

    public init(on surface: any GroupSurface) {
        let hierarchy = StackHierarchy(of: surface)
        stacks = surface.surfaces.map { ScreenStack(on: $0, of: hierarchy) }
    }
}

/// A place that shows several surfaces next to each other, such as a tab bar controller. An app implements it for its
/// user interface and passes it to a `NavigationGroup`.
@MainActor
public protocol GroupSurface: AnyObject {
    /// The surfaces, always the same: one for each tab or column.
    var surfaces: [any NavigationSurface] { get }
    /// The indices of the surfaces that the user sees: one tab, or all columns if there is room for them.
    var visible: Set<Int> { get }
    /// Makes a surface visible. The call takes effect at once.
    func choose(_ index: Int)
    /// The handler for changes of `visible` by the user or by the system. Call it afterwards.
    var visibleDidChange: (@MainActor () -> Void)? { get set }
}
