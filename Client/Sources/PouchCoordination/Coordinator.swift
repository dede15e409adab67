/// A part of an app's flow. It starts other coordinators below itself, passes its dependency down to them, and handles
/// the messages that they send up.
///
///     final class LibraryCoordinator: NavigationCoordinator<Library> {
///         override func didStart() { show(ShelfScreen()) }
///
///         override func registerHandlers() {
///             super.registerHandlers()
///             handle(Lend.self) { try await $0.needed(\.shelf).lend($1.title) }
///         }
///     }
///
/// Parents retain their children, so a branch is deallocated once its top has stopped. Any number of children of one
/// class may run at the same time.
@MainActor
open class Coordinator<Dependency>: MessageHandling {
    public private(set) weak var parent: Coordinator?
    /// The place of this root in a tree with another dependency.
    weak var host: (any CoordinatorHost)?
    /// The children, in the order of their start.
    public private(set) var children: [Coordinator] = []
    public private(set) var isStarted = false
    /// Whether `dependencyDidChange` was called since the start.
    public private(set) final var hasDependency = false
    public final var handlers = MessageHandlers()
    let waitingMessages: WaitingMessages
    private let work = TaskBag()
    private let dependentWork = TaskBag()

    /// The services that the coordinators work with. Set it on the root, at any time, and again for each change: it is
    /// passed down to all children.
    public final var dependency: Dependency? {
        didSet { dependencyChanged() }
    }

    /// - Parameter limit: the number of messages that may wait for a dependency at once.
    public init(waitingMessages limit: Int = 32) {
        waitingMessages = WaitingMessages(limit: limit)
        registerHandlers()
    }

    deinit {
        // Waiting messages retain the queue, which would not end otherwise.
        Task { @MainActor [waitingMessages] in waitingMessages.stop() }
    }

    open var coordinatingResponder: (any Responder)? {
        if let parent { parent } else { host }
    }

    /// Called once, at the end of the initialization, to register handlers with `handle`. Overrides call super, before
    /// or after their own: the last handler registered for a message type is used.
    open func registerHandlers() {}

    // MARK: Start and stop

    /// Starts the root. A stopped coordinator may be started again; a started one ignores the call.
    public final func start() {
        guard !isStarted else { return }
        isStarted = true
        hasDependency = false
        waitingMessages.start()
        didStart()
        guard isStarted, dependency != nil else { return }
        if !hasDependency {
            hasDependency = true
            dependencyDidChange()
        }
        waitingMessages.call()
    }

    /// Starts a coordinator below this one. One that runs elsewhere is stopped there first; one that already runs here
    /// is unaffected. Ignored while this coordinator is stopped, so that a late message has no effect, and for a
    /// coordinator above this one.
    public final func start(_ child: Coordinator) {
        guard isStarted, child.parent !== self, !isAbove(child) else { return }
        child.stop()
        guard isStarted else { return }
        children.append(child)
        child.parent = self
        child.dependency = dependency
        child.start()
    }

    func isAbove(_ child: any Responder) -> Bool {
        sequence(first: self as any Responder) { $0.coordinatingResponder }.contains { $0 === child }
    }

    /// Stops the children, newest first, then this coordinator, and removes it from its parent.
    ///
    /// Waiting and later messages fail with `UndeliveredMessage.stopped`. A message that is being handled runs to its
    /// end.
    public final func stop() {
        guard isStarted else { return }
        isStarted = false
        stopping {
            while let child = children.last { child.stop() }
            work.cancel()
            dependentWork.cancel()
            waitingMessages.stop()
            didStop()
            parent?.children.removeAll { $0 === self }
            parent = nil
            let host = host
            self.host = nil
            host?.hostedDidStop()
        }
    }

    /// Runs the work of `stop`. Overrides may do more before and after it.
    func stopping(_ stop: () -> Void) {
        stop()
    }

    /// Reports to the parent that this coordinator has finished its work. The root stops.
    public final func finish() {
        guard isStarted else { return }
        if let parent { parent.coordinatorDidFinish(self) } else if let host { host.finish() } else { stop() }
    }

    /// Stops a child that has finished its work. Overrides call super, before or after their own work.
    open func coordinatorDidFinish(_ child: Coordinator) {
        child.stop()
    }

    /// Override it to show the first screen or start the first child.
    open func didStart() {}

    /// The most recently started child of the class, for messages from one part of an app to another, and for tests.
    public final func child<Child: Coordinator>(_ type: Child.Type) -> Child? {
        children.last { $0 is Child } as? Child
    }

    /// Whether this coordinator or one below it has a screen.
    public var hasScreens: Bool { children.contains { $0.hasScreens } }

    /// Called when this coordinator and its children have stopped.
    open func didStop() {}

    // MARK: Dependency

    /// Called after `didStart` if there is a dependency, and for each change until the stop. The children receive the
    /// new dependency afterwards.
    open func dependencyDidChange() {}

    /// Returns a part of the dependency. Call it first in a handler, outside of any `catch`.
    ///
    /// - Throws: `MissingDependency`. The message waits for the dependency, then the handler runs again from its start.
    public final func needed<Value>(
        _ path: KeyPath<Dependency, Value?>
    ) throws(MissingDependency) -> Value {
        guard let value = dependency?[keyPath: path] else {
            throw MissingDependency(name: "\(path)", waitingMessages: waitingMessages) { [weak self] in
                self?.dependency?[keyPath: path] != nil
            }
        }
        return value
    }

    private func dependencyChanged() {
        guard isStarted else { return }
        hasDependency = true
        dependentWork.cancel()
        dependencyDidChange()
        restartWork()
        // A child may stop others or change the dependency again: then they have the latest one already.
        for child in children where child.parent === self { child.dependency = dependency }
        waitingMessages.call()
    }

    /// Restarts work that depends on the dependency.
    func restartWork() {}

    // MARK: Work

    /// Runs a task until it ends or this coordinator stops, which cancels it. A task that waits without end, such as for
    /// the values of a stream, must not hold the coordinator while it waits: `untilStopped { [weak self] in ... }`,
    /// with calls of `self?` that return soon. An `async` method holds it until it returns: a coordinator that is
    /// released without a stop lives until then, for example until a load has ended.
    public final func untilStopped(_ work: @escaping @MainActor () async -> Void) {
        guard isStarted else { return }
        self.work.add(work)
    }

    /// Runs a task as `untilStopped` does, and cancels it when the dependency changes.
    public final func untilDependencyChanges(_ work: @escaping @MainActor () async -> Void) {
        guard isStarted else { return }
        dependentWork.add(work)
    }
}

extension Coordinator: MessageWaiting {}

/// Tasks that are cancelled together.
@MainActor
final class TaskBag {
    private var tasks: [Int: Task<Void, Never>] = [:]
    private var lastId = 0

    deinit {
        for task in tasks.values { task.cancel() }
    }

    func add(_ work: @escaping @MainActor () async -> Void) {
        lastId += 1
        let id = lastId
        tasks[id] = Task { [weak self] in
            await work()
            self?.tasks[id] = nil
        }
    }

    func cancel() {
        for task in tasks.values { task.cancel() }
        tasks = [:]
    }
}
