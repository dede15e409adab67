import PouchCoordination

/// One stack of screens in a window.
@MainActor
final class TerminalSurface: NavigationSurface {
    var userDidGoBack: (@MainActor (_ remaining: [any Screen]) -> Void)?
    private(set) var screens: [any Screen] = []
    private weak var window: ShopWindow?

    init(_ window: ShopWindow) {
        self.window = window
    }

    var top: TerminalScreen? { screens.last as? TerminalScreen }

    func show(_ screens: [any Screen]) {
        self.screens = screens
        window?.surfaceDidChange()
    }

    func present() -> any NavigationSurface {
        guard let window else { return self }
        return window.addSurface(over: self)
    }

    func dismiss() {
        window?.remove(self)
    }

    /// The user goes back from the uppermost screen.
    ///
    /// - Parameter isLowest: whether this surface lies over no other, so that its last screen stays.
    /// - Returns: whether there was somewhere to go.
    func goBack(isLowest: Bool) -> Bool {
        guard screens.count > 1 || !isLowest else { return false }
        screens = screens.count > 1 ? screens.dropLast() : []
        if screens.isEmpty { dismiss() } else { window?.surfaceDidChange() }
        userDidGoBack?(screens)
        return true
    }
}
