import PouchCoordination
import Testing

@MainActor
@Suite(.timeLimit(.minutes(1)))
struct MessageTests {
    /// Adds its name to what the next one above answers.
    private final class Polite: Coordinator<Greetings>, GreetingMessages {
        func greet(_ name: String) async throws -> String {
            "dear " + (try await send(to: (any GreetingMessages).self) { try await $0.greet(name) })
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
        #expect(try await view.greet("Ada") == "Hello Ada")
        #expect(root.tries == ["Ada"])
    }

    @Test func `the nearest handler gets it, does its part, and sends it on to the next above itself`() async throws {
        let root = GreetingCoordinator(on: NavigationStack(on: RecordingSurface()))
        root.dependency = Greetings(hello: "Hello")
        root.start()
        let (polite, leaf) = (Polite(), Coordinator<Greetings>())
        root.start(polite)
        polite.start(leaf)
        #expect(try await leaf.greet("Ada") == "dear Hello Ada")
        #expect(root.tries == ["Ada"])
    }

    @Test func `a message that nobody handles is an error that names it, where the original was silent`() async throws {
        let root = Coordinator<Greetings>()
        root.start()
        let screen = PlainScreen()
        screen.coordinatingResponder = root
        let error = await #expect(throws: UnhandledMessage.self) { _ = try await screen.greet("Ada") }
        #expect(error?.family == "GreetingMessages")
        #expect(error?.sender == "PlainScreen")
        #expect(error?.fileID.hasSuffix("/Greetings.swift") == true)
        #expect("\(try #require(error))".hasPrefix("nobody handles GreetingMessages, to which PlainScreen sent"))
    }

    @Test func `a screen whose coordinator has gone finds nobody, and doesn't crash`() async throws {
        let screen = PlainScreen()
        do {
            let gone = GreetingCoordinator(on: NavigationStack(on: RecordingSurface()))
            screen.coordinatingResponder = gone
        }
        await #expect(throws: UnhandledMessage.self) { _ = try await screen.greet("Ada") }
    }

    @Test func `what a handler throws comes back to the sender`() async throws {
        let root = GreetingCoordinator(on: NavigationStack(on: RecordingSurface()))
        root.dependency = Greetings(hello: "Hello")
        root.onGreet = { throw Rude() }
        root.start()
        let screen = try #require(root.showScreens().first)
        await #expect(throws: Rude.self) { _ = try await screen.greet("Ada") }
    }
}
