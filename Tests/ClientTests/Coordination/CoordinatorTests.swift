import PouchCoordination
import PouchTesting
import Testing

@MainActor
@Suite(.timeLimit(.minutes(5)))
struct CoordinatorTests {
    private let stack = NavigationStack(on: RecordingSurface())
    private let root: GreetingCoordinator

    init() {
        root = GreetingCoordinator(on: stack)
        root.dependency = Greetings(hello: "Hello")
        root.start()
    }

    @Test func `two children of one class run at once, where the original lost one by its name`() {
        let (first, second) = (RecordingCoordinator(on: stack), RecordingCoordinator(on: stack))
        root.start(first)
        root.start(second)
        #expect(root.children.count == 2)
        first.finish()
        #expect(root.children.count == 1 && root.children.first === second)
        #expect(second.isStarted)
    }

    @Test func `a stopped coordinator starts again, which the original's flag forbade`() {
        let child = RecordingCoordinator(on: stack)
        root.start(child)
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
        let child = RecordingCoordinator(on: stack)
        root.start(child)
        root.start(child)
        root.start()
        #expect(root.children.count == 1)
        #expect(child.events == ["start"])
    }

    @Test func `a child that is started elsewhere moves there`() {
        let (child, other) = (RecordingCoordinator(on: stack), RecordingCoordinator(on: stack))
        root.start(child)
        root.start(other)
        other.start(child)
        #expect(root.children.count == 1)
        #expect(child.parent === other && child.isStarted)
    }

    @Test func `no coordinator can be started below itself`() {
        let child = RecordingCoordinator(on: stack)
        root.start(child)
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

    @Test func `work that depends on the dependency is cancelled when it changes, and when the coordinator stops`()
        async throws
    {
        let child = RecordingCoordinator(on: stack)
        root.start(child)
        let (ends, end) = AsyncStream.makeStream(of: Bool.self)
        func work(_ gate: Gate) async {
            child.untilDependencyChanges {
                await gate.pass()
                end.yield(Task.isCancelled)
            }
            await gate.held(1)
        }
        var ended = ends.makeAsyncIterator()
        let (first, second) = (Gate(), Gate())
        await work(first)
        root.dependency = Greetings(hello: "Good day")
        first.open()
        #expect(await ended.next() == true)
        await work(second)
        child.stop()
        second.open()
        #expect(await ended.next() == true)
        child.untilDependencyChanges { Issue.record("it is stopped") }
    }

    @Test func `stopping a parent stops its children, and removes all their screens at once`() {
        let surface = RecordingSurface()
        let stack = NavigationStack(on: surface)
        let (root, child, leaf) = (
            RecordingCoordinator(on: stack), RecordingCoordinator(on: stack), RecordingCoordinator(on: stack)
        )
        root.start()
        let home = root.showScreens()
        root.start(child)
        child.showScreens(2)
        child.start(leaf)
        leaf.showScreens(2)
        let shows = surface.shows
        child.stop()
        #expect(!leaf.isStarted)
        #expect(surface.screens.map(ObjectIdentifier.init) == home.map(ObjectIdentifier.init))
        #expect(surface.shows == shows + 1)
    }

    @Test func `a child may stop itself while it handles a message, and its answer still arrives`() async throws {
        let child = GreetingCoordinator(on: stack)
        root.start(child)
        let screen = try #require(child.showScreens().first)
        child.onGreet = { [unowned child] in child.finish() }
        #expect(try await screen.send(Greet("Ada")) == "Hello Ada")
        #expect(root.children.isEmpty)
    }

    @Test func `a message that ends after its handler was stopped starts and shows nothing`() async throws {
        let surface = RecordingSurface()
        let child = GreetingCoordinator(on: NavigationStack(on: surface))
        root.start(child)
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
        let child = RecordingCoordinator(on: stack)
        root.start(child)
        let gate = Gate()
        let (ends, end) = AsyncStream.makeStream(of: Bool.self)
        child.untilStopped {
            await gate.pass()
            end.yield(Task.isCancelled)
        }
        await gate.held(1)
        child.stop()
        gate.open()
        var ended = ends.makeAsyncIterator()
        #expect(await ended.next() == true)
        child.untilStopped { Issue.record("it is stopped") }
    }
}

@MainActor
struct DependencyTests {
    private let stack = NavigationStack(on: RecordingSurface())

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
        let (root, first, second) = (
            RecordingCoordinator(on: stack), RecordingCoordinator(on: stack), RecordingCoordinator(on: stack)
        )
        root.start()
        root.start(first)
        root.start(second)
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
