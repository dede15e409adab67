import PouchCoordination
import PouchTesting
import Testing

@MainActor
@Suite(.timeLimit(.minutes(5)))
struct MessageTests {
    private struct Rude: Error {}

    @Test func `a message goes from view to screen, container, coordinator, parent, and is answered`() async throws {
        let stack = ScreenStack(on: RecordingSurface())
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
        let root = GreetingCoordinator(on: ScreenStack(on: surface))
        root.dependency = Greetings(hello: "Hello")
        root.start()
        root.showScreens()
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

    @Test func `a handler's error reaches the sender`() async throws {
        let root = GreetingCoordinator(on: ScreenStack(on: RecordingSurface()))
        root.dependency = Greetings(hello: "Hello")
        root.onGreet = { throw Rude() }
        root.start()
        let screen = try #require(root.showScreens().first)
        await #expect(throws: Rude.self) { _ = try await screen.send(Greet("Ada")) }
    }
}
