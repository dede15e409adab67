import PouchCoordination
import Testing

private struct Cook: Message {
    typealias Answer = String
    let dish: String

    init(_ dish: String) { self.dish = dish }
}

private struct Wash: Message {
    typealias Answer = String
    let dish: String

    init(_ dish: String) { self.dish = dish }
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

    @Test func `a coordinator handles one message, and the others go on to the next handler`() async throws {
        let (kitchen, chef) = (Kitchen(), Chef())
        let screen = chain(kitchen, chef)
        #expect(try await screen.send(Cook("soup")) == "well cooked soup")
        #expect(try await screen.send(Wash("pan")) == "washed pan")
    }

    @Test func `several handlers in a row pass messages on`() async throws {
        let (kitchen, first, second) = (Kitchen(), Chef(), Chef())
        let screen = chain(kitchen, first, second)
        #expect(try await screen.send(Cook("soup")) == "well well cooked soup")
        #expect(try await screen.send(Wash("pan")) == "washed pan")
    }

    @Test func `a coordinator handles a message that it receives, and not one that it sends`() async throws {
        let (kitchen, diner) = (Kitchen(), Diner())
        _ = chain(kitchen, diner)
        #expect(try await diner.receive(Cook("soup")) == "quickly cooked soup")
        #expect(try await diner.send(Cook("soup")) == "cooked soup")
    }

    @Test func `a subclass overrides the method of a handler, and the handler that is registered last counts`()
        async throws
    {
        let diner = Diner()
        let screen = chain(diner)
        #expect(try await screen.send(Cook("soup")) == "quickly cooked soup")
        #expect(try await screen.send(Wash("pan")) == "rinsed pan")
        diner.handle(Wash.self) { "dried \($1.dish)" }
        #expect(try await screen.send(Wash("pan")) == "dried pan")
        #expect(try await screen.send(Cook("soup")) == "quickly cooked soup")
    }

    @Test func `a view handles a message before its coordinator, and another goes past it`() async throws {
        let kitchen = Kitchen()
        let screen = chain(kitchen)
        let (microwave, view) = (Microwave(), PlainView())
        microwave.coordinatingResponder = screen
        view.coordinatingResponder = microwave
        #expect(try await view.send(Cook("soup")) == "warm soup")
        #expect(try await view.send(Wash("pan")) == "washed pan")
    }

    @Test func `a handler does not keep its responder alive, and fails without it`() async throws {
        weak var gone: Kitchen?
        let cook: MessageHandlers.Handler<Cook>?
        do {
            let kitchen = Kitchen()
            gone = kitchen
            cook = kitchen.handlers[Cook.self]
            #expect(try await cook?(Cook("soup")) == "cooked soup")
        }
        #expect(gone == nil)
        await #expect(throws: UndeliveredMessage.stopped) { _ = try await cook?(Cook("soup")) }
    }

    @Test func `a message that handlers pass on beyond the last is an error that names it, its first sender and line`()
        async throws
    {
        let (first, second) = (Chef(), Chef())
        let screen = chain(first, second)
        let line = #line + 1
        let cooking = await #expect(throws: UnhandledMessage.self) { _ = try await screen.send(Cook("soup")) }
        #expect(cooking?.message == Cook.self && cooking?.sender == "PlainScreen")
        #expect(cooking?.fileID == #fileID && cooking?.line == line)
        let washing = await #expect(throws: UnhandledMessage.self) { _ = try await screen.send(Wash("pan")) }
        #expect(washing?.message == Wash.self && washing?.sender == "PlainScreen")
        let own = await #expect(throws: UnhandledMessage.self) { _ = try await first.send(Cook("soup")) }
        #expect(own?.sender == "Chef")
    }

    @Test func `a failure of another message stays as it is`() async throws {
        let greeter = Greeter()
        let screen = chain(greeter)
        let error = await #expect(throws: UnhandledMessage.self) { _ = try await screen.send(Cook("soup")) }
        #expect(error?.message == Greet.self && error?.sender == "Greeter")
    }
}
