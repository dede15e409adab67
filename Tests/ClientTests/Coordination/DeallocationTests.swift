import PouchCoordination
import PouchTesting
import Testing

/// A finished branch is deallocated, however it ended.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct DeallocationTests {
    private final class Weak {
        weak var object: AnyObject?
        init(_ object: AnyObject) { self.object = object }
    }

    private struct Crash: Error {}

    private let surface = RecordingSurface()
    private let root: RecordingCoordinator

    init() {
        root = RecordingCoordinator(on: NavigationStack(on: surface))
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

    private func alive(_ objects: [Weak]) -> Int {
        objects.count { $0.object != nil }
    }

    @Test func `after it has finished`() {
        var objects: [Weak]
        do {
            let top: GreetingCoordinator
            (top, objects) = branch()
            #expect(alive(objects) == 7)
            top.finish()
        }
        #expect(alive(objects) == 0)
    }

    @Test func `after back navigation`() {
        let objects = branch().1
        surface.presented?.goBack(4)
        #expect(alive(objects) == 0)
    }

    @Test func `after its message threw`() async throws {
        let objects: [Weak]
        do {
            let top: GreetingCoordinator
            (top, objects) = branch()
            root.dependency = Greetings(hello: "Hello")
            top.onGreet = { throw Crash() }
            let screen = try #require(top.screens.first)
            await #expect(throws: Crash.self) { _ = try await screen.send(Greet("Ada")) }
            top.finish()
        }
        #expect(alive(objects) == 0)
    }

    @Test func `after it stopped itself while it handled a message`() async throws {
        let objects: [Weak]
        do {
            let top: GreetingCoordinator
            (top, objects) = branch()
            root.dependency = Greetings(hello: "Hello")
            top.onGreet = { [unowned top] in top.stop() }
            let screen = try #require(top.screens.first)
            _ = try await screen.send(Greet("Ada"))
        }
        #expect(alive(objects) == 0)
    }

    @Test func `after a message that waited was cancelled`() async throws {
        let objects: [Weak]
        do {
            let top: GreetingCoordinator
            (top, objects) = branch()
            let task = try send("Ada", in: top)
            await top.tried(1)
            task.cancel()
            _ = await task.result
            top.finish()
        }
        #expect(alive(objects) == 0)
    }

    @Test func `after it stopped while messages waited`() async throws {
        let objects: [Weak]
        do {
            let top: GreetingCoordinator
            (top, objects) = branch()
            let tasks = try [send("Ada", in: top), send("Bea", in: top)]
            await top.tried(2)
            top.stop()
            for task in tasks { _ = await task.result }
        }
        #expect(alive(objects) == 0)
    }

    @Test func `after it stopped while a task ran`() async {
        let objects: [Weak]
        let (values, value) = AsyncStream.makeStream(of: Int.self)
        do {
            let top: GreetingCoordinator
            (top, objects) = branch()
            top.untilStopped { [weak top] in
                for await _ in values { top?.showScreens() }
            }
            top.stop()
        }
        #expect(alive(objects) == 0)
        value.finish()
    }

    @Test func `after the root was dropped without being stopped`() {
        let objects: [Weak]
        do {
            let root = RecordingCoordinator(on: NavigationStack(on: RecordingSurface()))
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
