/// A coordinator that shows screens on a stack, which it may share with others. It finishes when its last screen is
/// removed by others, for example by back navigation.
open class NavigationCoordinator<Dependency>: Coordinator<Dependency> {
    public let stack: ScreenStack
    /// Whether one of its screens is frontmost.
    public private(set) var isActive = false
    private let work = TaskBag()

    public init(on stack: ScreenStack, waitingMessages limit: Int = 32) {
        self.stack = stack
        super.init(waitingMessages: limit)
    }

    // MARK: Screens

    /// The screens of this coordinator, from bottom to top.
    public final var screens: [any Screen] { stack.screens(of: self) }

    public override var hasScreens: Bool { !screens.isEmpty || super.hasScreens }

    /// Puts a screen on top. Ignored while the coordinator is stopped.
    public final func show(_ screen: any Screen) {
        guard isStarted else { return }
        stack.push(screen, by: self)
    }

    /// Goes back to one of its screens. Removes all screens over it, also those of other coordinators.
    public final func pop(to screen: any Screen) {
        guard screens.contains(where: { $0 === screen }) else { return }
        stack.pop(to: screen, by: self)
    }

    /// Removes its topmost screen, for example after its form was sent. Other screens may be over it.
    public final func pop() {
        if let screen = screens.last { stack.remove([screen], by: self) }
    }

    /// Replaces all its screens by these, on top.
    public final func show(only screens: [any Screen]) {
        guard isStarted else { return }
        let others = self.screens.filter { old in !screens.contains { $0 === old } }
        stack.update {
            for screen in screens { stack.push(screen, by: self) }
            stack.remove(others, by: self)
        }
    }

    /// Goes back to its topmost screen. Removes all screens over it.
    public final func popToOwn() {
        if let screen = screens.last { stack.pop(to: screen, by: self) }
    }

    /// Makes its screens visible, as `reveal` of its stack does. Override it in a coordinator whose children show
    /// screens on another stack, such as the other column of a split view.
    open func reveal() {
        stack.reveal()
    }

    /// Called when some of its screens were removed by others, and some remain.
    open func didPop(_ screens: [any Screen]) {}

    /// Called when the last of its screens was removed by others. Finishes; override it to continue without screens.
    open func didPopAll() {
        finish()
    }

    /// Called when screens were removed for any reason, including its own calls and its stop, topmost first. The
    /// surface no longer shows them.
    open func didRemove(_ screens: [any Screen]) {}

    // MARK: Activity

    /// Called when its screen becomes frontmost, and for each change of the dependency while it is. Tasks of
    /// `whileActive` have been cancelled before.
    open func didActivate() {}

    /// Called when its screen is no longer frontmost. Tasks of `whileActive` have been cancelled before.
    open func didDeactivate() {}

    /// Runs a task until it ends or the coordinator is no longer active. The rules of `untilStopped` apply:
    /// `whileActive { [weak self] in ... }`.
    public final func whileActive(_ work: @escaping @MainActor () async -> Void) {
        guard isActive else { return }
        self.work.add(work)
    }

    override func restartWork() {
        guard isActive else { return }
        work.cancel()
        didActivate()
    }

    override func stopping(_ stop: () -> Void) {
        stack.update {
            stop()
            stack.remove(screens, by: self)
            stack.release(self)
        }
    }
}

extension NavigationCoordinator: ScreenOwner {
    func screensDidLeave(_ removed: [any Screen], popped: [any Screen]) {
        didRemove(removed)
        guard isStarted, !popped.isEmpty else { return }
        if screens.isEmpty { didPopAll() } else { didPop(popped) }
    }

    func didBecomeFrontmost() {
        guard isStarted else { return }
        isActive = true
        didActivate()
    }

    func didResignFrontmost() {
        guard isActive else { return }
        isActive = false
        work.cancel()
        didDeactivate()
    }
}
