extension Coordinator {
    /// Starts the root of a tree with another dependency below this coordinator, as `start` does. Messages go up from
    /// one tree to the other.
    ///
    ///     // A kiosk's own root has the whole shop below it.
    ///     shop = start(AppCoordinator(on: stack, screens: screens), dependency: \.shop)
    ///
    /// - Parameters:
    ///   - child: the root of the other tree.
    ///   - convert: derives the child's dependency from this coordinator's, at the start and after each change.
    /// - Returns: the coordinator that represents the child in `children`. `coordinatorDidFinish` receives it when the
    ///   child has finished.
    @discardableResult
    public final func start<Inner>(
        _ child: Coordinator<Inner>, dependency convert: @escaping @MainActor (Dependency) -> Inner?
    ) -> Coordinator {
        let place = DependencyAdapter(child, convert)
        guard isStarted, !isAbove(child) else { return place }
        child.stop()
        start(place)
        return place
    }
}

/// The coordinator that represents a root in another tree.
protocol CoordinatorHost: Responder {
    func finish()
    func hostedDidStop()
}

/// A child of the outer tree that starts the inner root and converts the dependency for it.
private final class DependencyAdapter<Outer, Inner>: Coordinator<Outer>, CoordinatorHost {
    private let hosted: Coordinator<Inner>
    private let convert: @MainActor (Outer) -> Inner?

    init(_ hosted: Coordinator<Inner>, _ convert: @escaping @MainActor (Outer) -> Inner?) {
        self.hosted = hosted
        self.convert = convert
        super.init()
    }

    override func didStart() {
        hosted.host = self
        // With a dependency, `dependencyDidChange` is called next and starts it.
        if dependency == nil { startHosted() }
    }

    override var hasScreens: Bool { hosted.hasScreens }

    override func dependencyDidChange() {
        startHosted()
    }

    /// Sets the dependency, and starts the hosted root if it does not run. It may change the outer dependency when it
    /// starts, or stop when it receives another one.
    private func startHosted() {
        hosted.dependency = dependency.flatMap(convert)
        if isStarted { hosted.start() }
    }

    override func didStop() {
        hosted.stop()
    }

    func hostedDidStop() {
        stop()
    }
}
