import PouchCoordination
import Testing

@MainActor
@Suite(.timeLimit(.minutes(1)))
struct WaitingMessageTests {
    private let root: GreetingCoordinator
    private let screen = PlainScreen()

    init() {
        root = GreetingCoordinator(on: NavigationStack(on: RecordingSurface()), waitingMessages: 3)
        root.start()
        root.show(screen)
    }

    /// Sends, and returns when the message waits.
    private func sendAndWait(_ name: String) async -> Task<String, any Error> {
        let tries = root.tries.count
        let task = Task { try await screen.greet(name) }
        await root.tried(tries + 1)
        return task
    }

    @Test func `messages that come before their dependency wait for it, and run in their order`() async throws {
        let tasks = [await sendAndWait("Ada"), await sendAndWait("Bea"), await sendAndWait("Cleo")]
        #expect(root.greeted.isEmpty)
        root.dependency = Greetings(hello: "Hello")
        for task in tasks { _ = try await task.value }
        #expect(root.greeted == ["Ada", "Bea", "Cleo"])
    }

    @Test func `a message that comes with the dependency does not overtake those that waited`() async throws {
        let first = await sendAndWait("Ada")
        let second = await sendAndWait("Bea")
        let late = Task { try await screen.greet("Cleo") }
        // The late one was sent, and doesn't run yet: nothing has suspended here since.
        root.dependency = Greetings(hello: "Hello")
        for task in [first, second, late] { _ = try await task.value }
        #expect(root.greeted == ["Ada", "Bea", "Cleo"])
    }

    @Test func `a dependency of another kind does not let them run, and its own messages do not wait for them`()
        async throws
    {
        let waiting = await sendAndWait("Ada")
        root.dependency = Greetings(farewell: "Bye")
        let answer = try await screen.send(to: (any FarewellMessages).self) { try await $0.part(from: "Bea") }
        #expect(answer == "Bye Bea")
        #expect(root.greeted.isEmpty)
        root.dependency = Greetings(hello: "Hello")
        #expect(try await waiting.value == "Hello Ada")
    }

    @Test func `the queue has a limit, where the original's had none`() async throws {
        let tasks = [await sendAndWait("Ada"), await sendAndWait("Bea"), await sendAndWait("Cleo")]
        await #expect(throws: UndeliveredMessage.queueFull) { _ = try await screen.greet("Dora") }
        root.dependency = Greetings(hello: "Hello")
        for task in tasks { _ = try await task.value }
        #expect(try await screen.greet("Dora") == "Hello Dora")
    }

    @Test func `messages that wait fail when the coordinator stops, where the original kept them`() async throws {
        let waiting = await sendAndWait("Ada")
        root.stop()
        await #expect(throws: UndeliveredMessage.stopped) { _ = try await waiting.value }
        root.start()
        root.dependency = Greetings(hello: "Hello")
        #expect(root.greeted.isEmpty)
        root.show(screen)
        #expect(try await screen.greet("Bea") == "Hello Bea")
    }

    @Test func `a message to a coordinator that was stopped fails at once, and has no effect`() async throws {
        root.dependency = Greetings(hello: "Hello")
        root.stop()
        screen.coordinatingResponder = root
        await #expect(throws: UndeliveredMessage.stopped) { _ = try await screen.greet("Ada") }
        root.dependency = nil
        await #expect(throws: UndeliveredMessage.stopped) { _ = try await screen.greet("Bea") }
        #expect(root.tries.isEmpty)
    }

    @Test func `a message that comes before the start is handled after it`() async throws {
        let early = GreetingCoordinator(on: NavigationStack(on: RecordingSurface()))
        screen.coordinatingResponder = early
        let waiting = Task { try await screen.greet("Ada") }
        await early.tried(1)
        early.dependency = Greetings(hello: "Hello")
        #expect(early.greeted.isEmpty)
        early.start()
        #expect(try await waiting.value == "Hello Ada")
    }

    @Test func `a cancelled message leaves the queue and makes room for another`() async throws {
        let cancelled = await sendAndWait("Ada")
        let others = [await sendAndWait("Bea"), await sendAndWait("Cleo")]
        cancelled.cancel()
        await #expect(throws: UndeliveredMessage.cancelled) { _ = try await cancelled.value }
        let late = await sendAndWait("Dora")
        root.dependency = Greetings(hello: "Hello")
        for task in others + [late] { _ = try await task.value }
        #expect(root.greeted == ["Bea", "Cleo", "Dora"])
    }

    @Test func `cancelling any of many while the dependency comes answers each exactly once`() async throws {
        let crowd = GreetingCoordinator(on: NavigationStack(on: RecordingSurface()), waitingMessages: 200)
        crowd.start()
        let screen = try #require(crowd.showScreens().first)
        let tasks = (0..<200).map { number in Task { try await screen.greet("\(number)") } }
        await crowd.tried(200)
        async let cancelling: Void = Task.detached {
            for task in tasks where Bool.random() { task.cancel() }
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

    @Test func `a message that waits keeps neither its handler nor its screen's branch alive`() async throws {
        weak var gone: GreetingCoordinator?
        let orphan = PlainScreen()
        let waiting: Task<String, any Error>
        do {
            let coordinator = GreetingCoordinator(on: NavigationStack(on: RecordingSurface()))
            gone = coordinator
            coordinator.start()
            orphan.coordinatingResponder = coordinator
            waiting = Task { try await orphan.greet("Ada") }
            await coordinator.tried(1)
        }
        #expect(gone == nil)
        await #expect(throws: UndeliveredMessage.stopped) { _ = try await waiting.value }
    }
}
