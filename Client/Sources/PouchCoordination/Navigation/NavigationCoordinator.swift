/// A coordinator that shows screens on a stack, which it may share with others.
///
/// When its last screen has gone by somebody else's doing, it finishes.
@MainActor
open class NavigationCoordinator<Dependency>: Coordinator<Dependency> {
    public let stack: NavigationStack
    /// Whether its screen is the one on top of all.
    public private(set) var isActive = false
    private let work = TaskBag()

    public init(on stack: NavigationStack, waitingMessages limit: Int = 32) {
        self.stack = stack
        super.init(waitingMessages: limit)
    }

    // MARK: Screens

    /// Its own screens, from the lowest to the highest.
    public final var screens: [any Screen] { stack.screens(of: self) }

    /// Puts a screen on top. Does nothing when the coordinator is stopped.
    public final func show(_ screen: any Screen) {
        guard isStarted else { return }
        stack.push(screen, by: self)
    }

    /// Goes back to one of its screens; all that is over it goes, whosoever it is.
    public final func pop(to screen: any Screen) {
        guard screens.contains(where: { $0 === screen }) else { return }
        stack.pop(to: screen, by: self)
    }

    /// Takes its highest screen away.
    public final func pop() {
        if let screen = screens.last { stack.remove([screen], by: self) }
    }

    /// Has these screens in the place of all its own, on top.
    public final func show(only screens: [any Screen]) {
        guard isStarted else { return }
        let others = self.screens.filter { old in !screens.contains { $0 === old } }
        stack.update {
            for screen in screens { stack.push(screen, by: self) }
            stack.remove(others, by: self)
        }
    }

    /// Brings its highest screen back on top; all that is over it goes.
    public final func takeOver() {
        if let screen = screens.last { stack.pop(to: screen, by: self) }
    }

    /// Some of its screens went, and others are left: somebody has gone back.
    open func didPop(_ screens: [any Screen]) {}

    /// The last of its screens went by somebody else's doing. Finishes; a coordinator that can do without overrides this.
    open func didPopAll() {
        finish()
    }

    // MARK: Activity

    /// Its screen came on top of all: it was shown, or what was over it has gone. Called again when the dependency
    /// changes meanwhile, after what ran by `whileActive` was cancelled.
    open func didActivate() {}

    /// Its screen is no longer on top of all.
    open func didDeactivate() {}

    /// Does something beside, until it ends or the coordinator is no longer active. The work must not hold the
    /// coordinator while it waits: `whileActive { [weak self] in ... }`.
    public final func whileActive(_ work: @escaping @MainActor () async -> Void) {
        guard isActive else { return }
        self.work.add(work)
    }

    override func renewWork() {
        guard isActive else { return }
        work.cancel()
        didActivate()
    }

    override func leaving(_ stop: () -> Void) {
        stack.update {
            stop()
            stack.remove(screens, by: self)
            stack.release(self)
        }
    }
}

extension NavigationCoordinator: ScreenOwner {
    func screensDidGo(_ gone: [any Screen]) {
        guard isStarted else { return }
        if screens.isEmpty { didPopAll() } else { didPop(gone) }
    }

    func didGetTop() {
        guard isStarted else { return }
        isActive = true
        didActivate()
    }

    func didLoseTop() {
        guard isActive else { return }
        isActive = false
        work.cancel()
        didDeactivate()
    }
}
