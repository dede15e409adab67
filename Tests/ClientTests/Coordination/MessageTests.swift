import PouchCoordination
import PouchTesting
import Testing

@MainActor
@Suite(.timeLimit(.minutes(5)))
struct MessageTests {
    /// Adds a word to the answer of the next handler above.
    private final class Polite: Coordinator<Greetings> {
        override func registerHandlers() {
            super.registerHandlers()
            handle(Greet.self) { polite, message in "dear \(try await polite.send(message))" }
        }
    }

    private struct Rude: Error {}

    @Test func `a message goes from view to screen, container, coordinator, parent, and comes back with an answer`()
        async throws
    {
        let stack = NavigationStack(on: RecordingSurface())
        let root = GreetingCoordinator(on: stack)
        root.dependency = Greetings(hello: "Hello")
        root.start()
        let child = RecordingCoordinator(on: stack)
        root.start(child)
        let (container, screen, view) = (PlainScreen(), PlainScreen(), PlainView())
        child.show(container)
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
        let root = GreetingCoordinator(on: NavigationStack(on: surface))
        root.dependency = Greetings(hello: "Hello")
        root.start()
        root.showScreens()
        #expect(try await surface.answers.first?.value == "Hello Ada")
    }

    @Test func `the nearest handler gets a message, does its part, and sends it on to the next above`() async throws {
        let root = GreetingCoordinator(on: NavigationStack(on: RecordingSurface()))
        root.dependency = Greetings(hello: "Hello")
        root.start()
        let (polite, leaf) = (Polite(), Coordinator<Greetings>())
        root.start(polite)
        polite.start(leaf)
        #expect(try await leaf.send(Greet("Ada")) == "dear Hello Ada")
        #expect(root.tries == ["Ada"])
    }

    @Test func `an unhandled message is an error that names it, where the original was silent`() async throws {
        let root = Coordinator<Greetings>()
        root.start()
        let screen = PlainScreen()
        screen.coordinatingResponder = root
        let error = await #expect(throws: UnhandledMessage.self) { _ = try await screen.send(Greet("Ada")) }
        #expect(error?.message == Greet.self)
        #expect(error?.sender == "PlainScreen")
        #expect(error?.fileID.hasSuffix("/MessageTests.swift") == true)
        #expect("\(try #require(error))".hasPrefix("no responder handles Greet, which PlainScreen sent at "))
    }

    @Test func `a screen without its coordinator finds no handler, and does not crash`() async throws {
        let screen = PlainScreen()
        do {
            let gone = GreetingCoordinator(on: NavigationStack(on: RecordingSurface()))
            screen.coordinatingResponder = gone
        }
        await #expect(throws: UnhandledMessage.self) { _ = try await screen.send(Greet("Ada")) }
    }

    @Test func `a handler's error reaches the sender`() async throws {
        let root = GreetingCoordinator(on: NavigationStack(on: RecordingSurface()))
        root.dependency = Greetings(hello: "Hello")
        root.onGreet = { throw Rude() }
        root.start()
        let screen = try #require(root.showScreens().first)
        await #expect(throws: Rude.self) { _ = try await screen.send(Greet("Ada")) }
    }
}

@MainActor
@Suite(.timeLimit(.minutes(5)))
struct WaitingMessageTests {
    private let root: GreetingCoordinator
    private let screen = PlainScreen()

    init() {
        root = GreetingCoordinator(on: NavigationStack(on: RecordingSurface()), waitingMessages: 3)
        root.start()
        root.show(screen)
    }

    /// Sends a message, and returns when it waits.
    private func sendAndWait(_ name: String) async -> Task<String, any Error> {
        let tries = root.tries.count
        let task = Task { try await screen.send(Greet(name)) }
        await root.tried(tries + 1)
        return task
    }

    @Test func `messages before their dependency wait for it, and run in their order`() async throws {
        let tasks = [await sendAndWait("Ada"), await sendAndWait("Bea"), await sendAndWait("Cleo")]
        #expect(root.greeted.isEmpty)
        root.dependency = Greetings(hello: "Hello")
        for task in tasks { _ = try await task.value }
        #expect(root.greeted == ["Ada", "Bea", "Cleo"])
    }

    @Test func `a message that arrives with the dependency does not overtake waiting ones`() async throws {
        let first = await sendAndWait("Ada")
        let second = await sendAndWait("Bea")
        let late = Task { try await screen.send(Greet("Cleo")) }
        // The late message was sent and does not run yet: nothing has suspended here since.
        root.dependency = Greetings(hello: "Hello")
        for task in [first, second, late] { _ = try await task.value }
        #expect(root.greeted == ["Ada", "Bea", "Cleo"])
    }

    @Test func `another dependency does not release waiting messages, and its own messages do not wait for them`()
        async throws
    {
        let waiting = await sendAndWait("Ada")
        root.dependency = Greetings(farewell: "Bye")
        #expect(try await screen.send(SayGoodbye(to: "Bea")) == "Bye Bea")
        #expect(root.greeted.isEmpty)
        root.dependency = Greetings(hello: "Hello")
        #expect(try await waiting.value == "Hello Ada")
    }

    @Test func `the queue has a limit, where the original's had none`() async throws {
        let tasks = [await sendAndWait("Ada"), await sendAndWait("Bea"), await sendAndWait("Cleo")]
        await #expect(throws: UndeliveredMessage.queueFull) { _ = try await screen.send(Greet("Dora")) }
        root.dependency = Greetings(hello: "Hello")
        for task in tasks { _ = try await task.value }
        #expect(try await screen.send(Greet("Dora")) == "Hello Dora")
    }

    @Test func `waiting messages fail when the coordinator stops, where the original kept them`() async throws {
        let waiting = await sendAndWait("Ada")
        root.stop()
        await #expect(throws: UndeliveredMessage.stopped) { _ = try await waiting.value }
        root.start()
        root.dependency = Greetings(hello: "Hello")
        #expect(root.greeted.isEmpty)
        root.show(screen)
        #expect(try await screen.send(Greet("Bea")) == "Hello Bea")
    }

    @Test func `a message to a stopped coordinator fails at once, and has no effect`() async throws {
        root.dependency = Greetings(hello: "Hello")
        root.stop()
        screen.coordinatingResponder = root
        await #expect(throws: UndeliveredMessage.stopped) { _ = try await screen.send(Greet("Ada")) }
        root.dependency = nil
        await #expect(throws: UndeliveredMessage.stopped) { _ = try await screen.send(Greet("Bea")) }
        #expect(root.tries.isEmpty)
    }

    @Test func `a message before the start is handled after it`() async throws {
        let early = GreetingCoordinator(on: NavigationStack(on: RecordingSurface()))
        screen.coordinatingResponder = early
        let waiting = Task { try await screen.send(Greet("Ada")) }
        await early.tried(1)
        early.dependency = Greetings(hello: "Hello")
        #expect(early.greeted.isEmpty)
        early.start()
        #expect(try await waiting.value == "Hello Ada")
    }

    @Test func `a cancelled message makes room in the queue`() async throws {
        let cancelled = await sendAndWait("Ada")
        let others = [await sendAndWait("Bea"), await sendAndWait("Cleo")]
        cancelled.cancel()
        await #expect(throws: UndeliveredMessage.cancelled) { _ = try await cancelled.value }
        let late = await sendAndWait("Dora")
        root.dependency = Greetings(hello: "Hello")
        for task in others + [late] { _ = try await task.value }
        #expect(root.greeted == ["Bea", "Cleo", "Dora"])
    }

    @Test func `cancelling messages while the dependency arrives answers each exactly once`() async throws {
        let crowd = GreetingCoordinator(on: NavigationStack(on: RecordingSurface()), waitingMessages: 200)
        crowd.start()
        let screen = try #require(crowd.showScreens().first)
        let tasks = (0..<200).map { number in Task { try await screen.send(Greet("\(number)")) } }
        await crowd.tried(200)
        async let cancelling: Void = Task.detached {
            for (number, task) in tasks.enumerated() where number % 3 != 1 { task.cancel() }
        }.value
        crowd.dependency = Greetings(hello: "Hello")
        await cancelling
        var answered: [String] = []
        for (number, task) in tasks.enumerated() {
            switch await task.result {
            case .success: answered.append("\(number)")
            case .failure(let error): #expect(error as? UndeliveredMessage == .cancelled)
            }
        }
        #expect(crowd.greeted == answered)
    }

    @Test func `a waiting message keeps neither its handler nor its screen's branch alive`() async throws {
        weak var gone: GreetingCoordinator?
        let orphan = PlainScreen()
        let waiting: Task<String, any Error>
        do {
            let coordinator = GreetingCoordinator(on: NavigationStack(on: RecordingSurface()))
            gone = coordinator
            coordinator.start()
            orphan.coordinatingResponder = coordinator
            waiting = Task { try await orphan.send(Greet("Ada")) }
            await coordinator.tried(1)
        }
        #expect(gone == nil)
        await #expect(throws: UndeliveredMessage.stopped) { _ = try await waiting.value }
    }
}
