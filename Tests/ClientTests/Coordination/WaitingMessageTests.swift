import PouchCoordination
import PouchTesting
import Testing

@MainActor
@Suite(.timeLimit(.minutes(5)))
struct WaitingMessageTests {
    private let root: GreetingCoordinator
    private let screen = PlainScreen()

    init() {
        root = GreetingCoordinator(on: ScreenStack(on: RecordingSurface()), waitingMessages: 3)
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

    @Test func `messages wait for their dependency in order, up to a limit that the original lacked`() async throws {
        let tasks = [await sendAndWait("Ada"), await sendAndWait("Bea"), await sendAndWait("Cleo")]
        await #expect(throws: UndeliveredMessage.queueFull) { _ = try await screen.send(Greet("Dora")) }
        #expect(root.greeted.isEmpty)
        root.dependency = Greetings(hello: "Hello")
        for task in tasks { _ = try await task.value }
        #expect(root.greeted == ["Ada", "Bea", "Cleo"])
        #expect(try await screen.send(Greet("Dora")) == "Hello Dora")
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

    @Test func `another dependency releases no waiting messages, and its own messages do not wait`() async throws {
        let waiting = await sendAndWait("Ada")
        root.dependency = Greetings(farewell: "Bye")
        #expect(try await screen.send(SayGoodbye(to: "Bea")) == "Bye Bea")
        #expect(root.greeted.isEmpty)
        root.dependency = Greetings(hello: "Hello")
        #expect(try await waiting.value == "Hello Ada")
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
        let early = GreetingCoordinator(on: ScreenStack(on: RecordingSurface()))
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
        let crowd = GreetingCoordinator(on: ScreenStack(on: RecordingSurface()), waitingMessages: 200)
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
            let coordinator = GreetingCoordinator(on: ScreenStack(on: RecordingSurface()))
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

private struct Cook: Message {
    typealias Answer = String
    let dish: String
}

private struct Wash: Message {
    typealias Answer = String
    let dish: String
}

/// Coordinators that handle some messages, and leave the others to those above.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct HandlerTests {
    private class Kitchen: Coordinator<Greetings> {
        override func registerHandlers() {
            super.registerHandlers()
            handle(Cook.self) { try await $0.cook($1) }
            handle(Wash.self) { "washed \($1.dish)" }
        }

        func cook(_ message: Cook) async throws -> String { "cooked \(message.dish)" }
    }

    /// Overrides the method of a handler, and replaces another handler.
    private final class Diner: Kitchen {
        override func registerHandlers() {
            super.registerHandlers()
            handle(Wash.self) { "rinsed \($1.dish)" }
        }

        override func cook(_ message: Cook) async throws -> String { "quickly \(try await super.cook(message))" }
    }

    /// Handles one message, with the help of the next handler.
    private final class Chef: Coordinator<Greetings> {
        override func registerHandlers() {
            super.registerHandlers()
            handle(Cook.self) { chef, message in "well \(try await chef.send(message))" }
        }
    }

    /// Handles one message, and sends another for it.
    private final class Greeter: Coordinator<Greetings> {
        override func registerHandlers() {
            super.registerHandlers()
            handle(Cook.self) { greeter, message in try await greeter.send(Greet(message.dish)) }
        }
    }

    /// A part of a screen that handles a message itself.
    private final class Microwave: MessageHandling {
        weak var coordinatingResponder: (any Responder)?
        var handlers = MessageHandlers()

        init() { handle(Cook.self) { "warm \($1.dish)" } }
    }

    private func chain(_ coordinators: Coordinator<Greetings>...) -> PlainScreen {
        coordinators[0].start()
        for (parent, child) in zip(coordinators, coordinators.dropFirst()) { parent.start(child) }
        let screen = PlainScreen()
        screen.coordinatingResponder = coordinators.last
        return screen
    }

    @Test func `a coordinator handles one message, and others go on to the next handler, past several`() async throws {
        let (kitchen, first, second) = (Kitchen(), Chef(), Chef())
        let screen = chain(kitchen, first, second)
        #expect(try await screen.send(Cook(dish: "soup")) == "well well cooked soup")
        #expect(try await screen.send(Wash(dish: "pan")) == "washed pan")
    }

    @Test func `a coordinator handles a message that it receives, and not one that it sends`() async throws {
        let (kitchen, diner) = (Kitchen(), Diner())
        _ = chain(kitchen, diner)
        #expect(try await diner.receive(Cook(dish: "soup")) == "quickly cooked soup")
        #expect(try await diner.send(Cook(dish: "soup")) == "cooked soup")
    }

    @Test func `a subclass overrides a handler's method, and the handler registered last counts`() async throws {
        let diner = Diner()
        let screen = chain(diner)
        #expect(try await screen.send(Cook(dish: "soup")) == "quickly cooked soup")
        #expect(try await screen.send(Wash(dish: "pan")) == "rinsed pan")
        diner.handle(Wash.self) { "dried \($1.dish)" }
        #expect(try await screen.send(Wash(dish: "pan")) == "dried pan")
        #expect(try await screen.send(Cook(dish: "soup")) == "quickly cooked soup")
    }

    @Test func `a view handles a message before its coordinator, and another goes past it`() async throws {
        let kitchen = Kitchen()
        let screen = chain(kitchen)
        let (microwave, view) = (Microwave(), PlainView())
        microwave.coordinatingResponder = screen
        view.coordinatingResponder = microwave
        #expect(try await view.send(Cook(dish: "soup")) == "warm soup")
        #expect(try await view.send(Wash(dish: "pan")) == "washed pan")
    }

    @Test func `a handler does not keep its responder alive, and fails without it`() async throws {
        weak var gone: Kitchen?
        let cook: MessageHandlers.Handler<Cook>?
        do {
            let kitchen = Kitchen()
            gone = kitchen
            cook = kitchen.handlers[Cook.self]
            #expect(try await cook?(Cook(dish: "soup")) == "cooked soup")
        }
        #expect(gone == nil)
        await #expect(throws: UndeliveredMessage.stopped) { _ = try await cook?(Cook(dish: "soup")) }
    }

    @Test func `a message passed on beyond the last handler is an error with its first sender and line`() async throws {
        let (first, second) = (Chef(), Chef())
        let screen = chain(first, second)
        let line = #line + 1
        let cooking = await #expect(throws: UnhandledMessage.self) { _ = try await screen.send(Cook(dish: "soup")) }
        #expect(cooking?.message == Cook.self && cooking?.sender == "PlainScreen")
        #expect(cooking?.fileID == #fileID && cooking?.line == line)
        let washing = await #expect(throws: UnhandledMessage.self) { _ = try await screen.send(Wash(dish: "pan")) }
        #expect(washing?.message == Wash.self && washing?.sender == "PlainScreen")
        #expect("\(try #require(washing))".hasPrefix("no responder handles Wash, which PlainScreen sent at "))
        let own = await #expect(throws: UnhandledMessage.self) { _ = try await first.send(Cook(dish: "soup")) }
        #expect(own?.sender == "Chef")
    }

    @Test func `a failure of another message stays as it is`() async throws {
        let greeter = Greeter()
        let screen = chain(greeter)
        let error = await #expect(throws: UnhandledMessage.self) { _ = try await screen.send(Cook(dish: "soup")) }
        #expect(error?.message == Greet.self && error?.sender == "Greeter")
    }
}
