import PouchCoordination
import PouchTesting
import Testing

@MainActor
@Suite(.timeLimit(.minutes(5)))
struct CoordinatorTests {
    private let surface = RecordingSurface()
    private let stack: ScreenStack
    private let root: GreetingCoordinator

    init() {
        stack = ScreenStack(on: surface)
        root = GreetingCoordinator(on: stack)
        root.dependency = Greetings(hello: "Hello")
        root.start()
    }

    @Test func `two children of one class run at once, where the original lost one by its name`() {
        let first = root.started(RecordingCoordinator(on: stack))
        let second = root.started(RecordingCoordinator(on: stack))
        #expect(root.children.count == 2)
        first.finish()
        #expect(root.children.count == 1 && root.children.first === second)
        #expect(second.isStarted)
    }

    @Test func `a stopped coordinator starts again, which the original's flag forbade`() {
        let child = root.started(RecordingCoordinator(on: stack))
        child.stop()
        #expect(!child.isStarted && child.parent == nil && root.children.isEmpty)
        root.start(child)
        #expect(child.isStarted && child.parent === root)
        #expect(child.events.filter { $0 == "start" }.count == 2)
        root.stop()
        root.start()
        #expect(root.events.filter { $0 == "start" }.count == 2)
    }

    @Test func `starting a started coordinator changes nothing`() {
        let child = root.started(RecordingCoordinator(on: stack))
        root.start(child)
        root.start()
        #expect(root.children.count == 1)
        #expect(child.events == ["start"])
    }

    @Test func `a child that is started elsewhere moves there`() {
        let child = root.started(RecordingCoordinator(on: stack))
        let other = root.started(RecordingCoordinator(on: stack))
        other.start(child)
        #expect(root.children.count == 1)
        #expect(child.parent === other && child.isStarted)
    }

    @Test func `no coordinator can be started below itself`() {
        let child = root.started(RecordingCoordinator(on: stack))
        child.start(root)
        root.start(root)
        #expect(child.children.isEmpty)
        #expect(root.parent == nil)
        #expect(root.isStarted && child.isStarted && child.parent === root)
    }

    @Test func `a parent that is notified of a removed screen does not find the child any more`() {
        let child = RecordingCoordinator(on: stack)
        root.showScreens()
        root.start(child)
        child.showScreens()
        root.onActivate = { [unowned root] in #expect(root.children.isEmpty) }
        child.stop()
        #expect(root.isActive)
    }

    @Test func `work with the dependency is cancelled when it changes, and when the coordinator stops`() async throws {
        let child = root.started(RecordingCoordinator(on: stack))
        let changes: [@MainActor () -> Void] = [
            { root.dependency = Greetings(hello: "Good day") }, { child.stop() },
        ]
        for change in changes {
            let work = WaitingWork()
            child.untilDependencyChanges { await work.run() }
            await work.hasBegun()
            change()
            #expect(await work.wasCancelled() == true)
        }
        child.untilDependencyChanges { Issue.record("it is stopped") }
    }

    @Test func `stopping a parent stops its children, and removes all their screens at once`() {
        let home = root.showScreens()
        let child = root.started(RecordingCoordinator(on: stack))
        child.showScreens(2)
        let leaf = child.started(RecordingCoordinator(on: stack))
        leaf.showScreens(2)
        let shows = surface.shows
        child.stop()
        #expect(!leaf.isStarted)
        #expect(surface.screens.map(ObjectIdentifier.init) == home.map(ObjectIdentifier.init))
        #expect(surface.shows == shows + 1)
    }

    @Test func `a child may stop itself while it handles a message, and its answer still arrives`() async throws {
        let child = root.started(GreetingCoordinator(on: stack))
        let screen = try #require(child.showScreens().first)
        child.onGreet = { [unowned child] in child.finish() }
        #expect(try await screen.send(Greet("Ada")) == "Hello Ada")
        #expect(root.children.isEmpty)
    }

    @Test func `a message that ends after its handler was stopped starts and shows nothing`() async throws {
        let child = root.started(GreetingCoordinator(on: stack))
        let screen = try #require(child.showScreens().first)
        let gate = Gate()
        child.onGreet = { [unowned child] in
            await gate.pass()
            child.showScreens()
            child.start(RecordingCoordinator(on: child.stack))
        }
        let answer = Task { try await screen.send(Greet("Ada")) }
        await gate.held(1)
        child.stop()
        let shows = surface.shows
        gate.open()
        #expect(try await answer.value == "Hello Ada")
        #expect(child.children.isEmpty && child.screens.isEmpty)
        #expect(surface.shows == shows)
    }

    @Test func `a task is cancelled when the coordinator stops`() async throws {
        let child = root.started(RecordingCoordinator(on: stack))
        let work = WaitingWork()
        child.untilStopped { await work.run() }
        await work.hasBegun()
        child.stop()
        #expect(await work.wasCancelled() == true)
        child.untilStopped { Issue.record("it is stopped") }
    }

    // MARK: The way of a message

    @Test func `a message goes from view to screen, container, coordinator, parent, and is answered`() async throws {
        let (container, screen, view) = (PlainScreen(), PlainScreen(), PlainView())
        root.started(RecordingCoordinator(on: stack)).show(container)
        screen.coordinatingResponder = container
        view.coordinatingResponder = screen
        #expect(try await view.send(Greet("Ada")) == "Hello Ada")
        #expect(root.tries == ["Ada"])
    }

    /// A surface whose screens send a message while they are put on it, as from `viewDidLoad`.
    private final class EagerSurface: NavigationSurface {
        var userDidGoBack: (@MainActor ([any Screen]) -> Void)?
        private(set) var answers: [Task<String, any Error>] = []

        func show(_ screens: [any Screen]) {
            guard let screen = screens.last else { return }
            answers.append(Task { try await screen.send(Greet("Ada")) })
        }

        func present() -> any NavigationSurface { EagerSurface() }
        func dismiss() {}
    }

    @Test func `a screen can send a message before it is on the surface`() async throws {
        let surface = EagerSurface()
        root.started(RecordingCoordinator(on: ScreenStack(on: surface))).showScreens()
        #expect(try await surface.answers.first?.value == "Hello Ada")
    }

    @Test func `a screen without its coordinator finds no handler, and does not crash`() async throws {
        let screen = PlainScreen()
        do {
            let gone = GreetingCoordinator(on: ScreenStack(on: RecordingSurface()))
            screen.coordinatingResponder = gone
        }
        await #expect(throws: UnhandledMessage.self) { _ = try await screen.send(Greet("Ada")) }
    }
}

@MainActor
struct DependencyTests {
    private let stack = ScreenStack(on: RecordingSurface())

    @Test func `each change reaches every started child, however deep, through those that ignore it`() {
        let root = RecordingCoordinator(on: stack)
        let ignorant = Coordinator<Greetings>()
        let (leaf, late) = (RecordingCoordinator(on: stack), RecordingCoordinator(on: stack))
        root.start()
        root.start(ignorant)
        ignorant.start(leaf)
        #expect(leaf.greetings.isEmpty)
        root.dependency = Greetings(hello: "Hello")
        ignorant.start(late)
        root.dependency = Greetings(hello: "Good day")
        #expect(leaf.greetings == ["Hello", "Good day"])
        #expect(late.greetings == ["Hello", "Good day"])
        leaf.stop()
        root.dependency = Greetings(hello: "Hi")
        #expect(leaf.greetings == ["Hello", "Good day"])
        #expect(late.greetings.last == "Hi")
    }

    @Test func `a stopped coordinator gets the latest dependency when it starts again`() {
        let (root, child) = (RecordingCoordinator(on: stack), RecordingCoordinator(on: stack))
        root.dependency = Greetings(hello: "Hello")
        root.start()
        root.start(child)
        child.stop()
        root.dependency = Greetings(hello: "Good day")
        root.start(child)
        #expect(child.greetings == ["Hello", "Good day"])
    }

    @Test func `a coordinator that sets its dependency in didStart is notified once`() {
        let (root, child) = (RecordingCoordinator(on: stack), RecordingCoordinator(on: stack))
        root.onStart = { [unowned root] in
            root.start(child)
            root.dependency = Greetings(hello: "Hello")
        }
        root.start()
        #expect(root.greetings == ["Hello"])
        #expect(child.greetings == ["Hello"])
        root.stop()
        root.start()
        #expect(root.greetings.count == 2)
    }

    @Test func `a child that is notified may stop another, or change the dependency again`() {
        let root = RecordingCoordinator(on: stack)
        root.start()
        let first = root.started(RecordingCoordinator(on: stack))
        let second = root.started(RecordingCoordinator(on: stack))
        first.onDependency = { [unowned root, unowned first] in
            first.onDependency = nil
            second.stop()
            root.dependency = Greetings(hello: "Good day")
        }
        root.dependency = Greetings(hello: "Hello")
        #expect(second.greetings.isEmpty)
        #expect(first.greetings.last == "Good day")
        #expect(first.dependency?.hello == "Good day")
    }
}

/// A finished branch is deallocated, however it ended.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct DeallocationTests {
    private struct Crash: Error {}

    private let surface = RecordingSurface()
    private let root: RecordingCoordinator

    init() {
        root = RecordingCoordinator(on: ScreenStack(on: surface))
        root.start()
        root.showScreens()
    }

    /// A coordinator on a presented stack, one below it, and screens of both.
    private func branch() -> (GreetingCoordinator, [Weak]) {
        let top = GreetingCoordinator(on: root.stack.present())
        root.start(top)
        let leaf = RecordingCoordinator(on: top.stack)
        let screens = top.showScreens(2)
        top.start(leaf)
        return (top, ([top, leaf, top.stack] + screens + leaf.showScreens(2)).map(Weak.init))
    }

    private func alive(_ objects: [Weak]) -> Int { objects.count { $0.object != nil } }

    /// Ends a branch, and expects that nothing of it is left.
    private func expectGone(after end: @MainActor (GreetingCoordinator) async throws -> Void) async rethrows {
        let objects: [Weak]
        do {
            let top: GreetingCoordinator
            (top, objects) = branch()
            #expect(alive(objects) == 7)
            try await end(top)
        }
        #expect(alive(objects) == 0)
    }

    @Test func `after it has finished`() async {
        await expectGone { $0.finish() }
    }

    @Test func `after back navigation`() async {
        await expectGone { _ in surface.presented?.goBack(4) }
    }

    @Test func `after its message threw, whose sender gets the error`() async throws {
        root.dependency = Greetings(hello: "Hello")
        try await expectGone { top in
            top.onGreet = { throw Crash() }
            let screen = try #require(top.screens.first)
            await #expect(throws: Crash.self) { _ = try await screen.send(Greet("Ada")) }
            top.finish()
        }
    }

    @Test func `after it stopped itself while it handled a message`() async throws {
        root.dependency = Greetings(hello: "Hello")
        try await expectGone { top in
            top.onGreet = { [unowned top] in top.stop() }
            let screen = try #require(top.screens.first)
            _ = try await screen.send(Greet("Ada"))
        }
    }

    @Test func `after a message that waited was cancelled`() async throws {
        try await expectGone { top in
            let task = try send("Ada", in: top)
            await top.tried(1)
            task.cancel()
            _ = await task.result
            top.finish()
        }
    }

    @Test func `after it stopped while messages waited`() async throws {
        try await expectGone { top in
            let tasks = try [send("Ada", in: top), send("Bea", in: top)]
            await top.tried(2)
            top.stop()
            for task in tasks { _ = await task.result }
        }
    }

    @Test func `after it stopped while a task ran`() async {
        let (values, value) = AsyncStream.makeStream(of: Int.self)
        await expectGone { top in
            top.untilStopped { [weak top] in
                for await _ in values { top?.showScreens() }
            }
            top.stop()
        }
        value.finish()
    }

    @Test func `after the root was dropped without being stopped`() {
        let objects: [Weak]
        do {
            let root = RecordingCoordinator(on: ScreenStack(on: RecordingSurface()))
            root.start()
            let child = RecordingCoordinator(on: root.stack)
            root.start(child)
            objects = ([root, child, root.stack] + root.showScreens() + child.showScreens()).map(Weak.init)
        }
        #expect(alive(objects) == 0)
    }

    private func send(_ name: String, in top: GreetingCoordinator) throws -> Task<String, any Error> {
        let screen = try #require(top.screens.first)
        return Task { try await screen.send(Greet(name)) }
    }
}
