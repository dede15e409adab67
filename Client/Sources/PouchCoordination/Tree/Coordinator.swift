/// A part of an app's flow: it starts others below itself, hands down what they need, and handles the messages that come
/// up to it.
///
/// Parents hold their children, never the other way round, so that a branch is gone when its top has stopped. Children
/// are told apart by identity: any number of one class may run at once.
@MainActor
open class Coordinator<Dependency>: Responder {
    public private(set) weak var parent: Coordinator?
    /// In the order in which they were started.
    public private(set) var children: [Coordinator] = []
    public private(set) var isStarted = false
    let waitingMessages: WaitingMessages
    private let work = TaskBag()
    private let dependentWork = TaskBag()
    /// Whether it has heard of the dependency since it was started.
    private var isTold = false

    /// What the app's parts need from the world. It is set at the root, at any time and again for each change, and flows
    /// down to every started child, also through those that have no use for it.
    public final var dependency: Dependency? {
        didSet { dependencyChanged() }
    }

    /// - Parameter limit: how many messages may wait for a dependency at once.
    public init(waitingMessages limit: Int = 32) {
        waitingMessages = WaitingMessages(limit: limit)
    }

    deinit {
        // What waits holds the queue, so that it would not end by itself.
        Task { @MainActor [waitingMessages] in waitingMessages.stop() }
    }

    open var coordinatingResponder: (any Responder)? { parent }

    // MARK: Life

    /// Starts the root. What was stopped may be started again; what has started already, stays as it is.
    public final func start() {
        guard !isStarted else { return }
        isStarted = true
        isTold = false
        waitingMessages.start()
        didStart()
        guard isStarted, dependency != nil else { return }
        if !isTold { dependencyDidChange() }
        waitingMessages.call()
    }

    /// Starts a coordinator below this one; one that runs elsewhere is taken from there first. Does nothing when this one
    /// is stopped, so that a message which ends late leaves nothing behind, and with one that this one runs below.
    public final func start(_ child: Coordinator) {
        let isAbove = sequence(first: self) { $0.parent }.contains { $0 === child }
        guard isStarted, child.parent !== self, !isAbove else { return }
        child.stop()
        guard isStarted else { return }
        children.append(child)
        child.parent = self
        child.dependency = dependency
        child.start()
    }

    /// Stops what runs below, the last first, then this, and takes it out of its parent.
    ///
    /// Messages that wait here, and those that still come, fail with `UndeliveredMessage.stopped`; one that is being
    /// handled goes on to its end.
    public final func stop() {
        guard isStarted else { return }
        isStarted = false
        leaving {
            while let child = children.last { child.stop() }
            work.cancel()
            dependentWork.cancel()
            waitingMessages.stop()
            didStop()
            parent?.children.removeAll { $0 === self }
            parent = nil
        }
    }

    /// Runs what stops this coordinator.
    func leaving(_ stop: () -> Void) {
        stop()
    }

    /// Tells the parent that there is nothing left to do here; the root stops.
    public final func finish() {
        guard isStarted else { return }
        if let parent { parent.coordinatorDidFinish(self) } else { stop() }
    }

    /// A child has nothing left to do. Stops it; whoever overrides this calls super, before or after what else it does.
    open func coordinatorDidFinish(_ child: Coordinator) {
        child.stop()
    }

    /// To show the first screen, to start the first child.
    open func didStart() {}

    /// The child of that class which was started last.
    public final func child<Child: Coordinator>(_ type: Child.Type) -> Child? {
        children.last { $0 is Child } as? Child
    }

    /// All that runs below has stopped.
    open func didStop() {}

    // MARK: Dependency

    /// There is a dependency, or another one than before. Called after `didStart` and for each change until it stops;
    /// children don't have it yet.
    open func dependencyDidChange() {}

    /// What a handler of messages needs. To be called before it does anything, and outside of any `catch`.
    ///
    /// - Throws: `MissingDependency`, upon which the message waits, to be handled from the start as soon as it is there.
    public final func needed<Value>(
        _ path: any KeyPath<Dependency, Value?> & Sendable
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
        isTold = true
        dependentWork.cancel()
        dependencyDidChange()
        renewWork()
        // Who hears of it may stop any of the others, or change it again: then they have got the latest already.
        for child in children where child.parent === self { child.dependency = dependency }
        waitingMessages.call()
    }

    /// Begins anew what was begun with the earlier dependency.
    func renewWork() {}

    // MARK: Work

    /// Does something beside, until it ends or this coordinator stops. The work must not hold the coordinator while it
    /// waits: `untilStopped { [weak self] in ... }`.
    public final func untilStopped(_ work: @escaping @MainActor () async -> Void) {
        guard isStarted else { return }
        self.work.add(work)
    }

    /// The same for work that has to do with the dependency as it is now: it is cancelled by a change, too.
    public final func untilDependencyChanges(_ work: @escaping @MainActor () async -> Void) {
        guard isStarted else { return }
        dependentWork.add(work)
    }
}

extension Coordinator: MessageWaiting {}
