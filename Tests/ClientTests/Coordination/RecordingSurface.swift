import PouchCoordination

/// A surface that draws nothing and remembers what it was told to show; the test goes back in the place of a user.
@MainActor
final class RecordingSurface: NavigationSurface {
    var userDidGoBack: (@MainActor ([any Screen]) -> Void)?
    private(set) var screens: [any Screen] = []
    /// How often it was told to show something.
    private(set) var shows = 0
    var onShow: (() -> Void)?
    private(set) var presented: RecordingSurface?
    private weak var presenter: RecordingSurface?

    func show(_ screens: [any Screen]) {
        self.screens = screens
        shows += 1
        onShow?()
    }

    func present() -> any NavigationSurface {
        let surface = RecordingSurface()
        surface.presenter = self
        surface.onShow = onShow
        presented = surface
        return surface
    }

    func dismiss() {
        presenter?.presented = nil
        onShow?()
    }

    /// Goes back by so many screens at once.
    func goBack(_ count: Int = 1) {
        screens.removeLast(min(count, screens.count))
        if screens.isEmpty { dismiss() }
        userDidGoBack?(screens)
        onShow?()
    }

    /// Begins to go back, and gives up.
    func goBackAndGiveUp() {
        userDidGoBack?(screens)
    }

    /// The surface that is on top of all.
    var top: RecordingSurface { presented?.top ?? self }
}
