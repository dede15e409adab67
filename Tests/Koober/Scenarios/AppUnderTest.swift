import ClientTesting
import KooberKit
import KooberScreens
import PouchEntities
import Testing

/// An app whose every screen a test checks.
@MainActor public final class AppUnderTest {
    public let world: World
    public let objects: LiveObjects
    public private(set) var app: (any KooberApp)?
    private var screens: AsyncStream<KooberScreen>.Iterator
    /// The last screen.
    public private(set) var shown: KooberScreen?

    private let architecture: KooberArchitecture?
    private let rendering: any ScreenRendering

    /// - Parameter rendering: shows each screen, and passes on each intention.
    public convenience init(
        _ architecture: KooberArchitecture, _ world: World, on rendering: any ScreenRendering = TerminalRendering(),
        opening destination: Destination? = nil
    ) {
        self.init(
            world, architecture.makeApp(model: world, opening: destination), on: rendering, architecture: architecture)
    }

    /// - Parameter app: an app without other references.
    public init(
        _ world: World, _ app: any KooberApp, on rendering: any ScreenRendering = TerminalRendering(),
        architecture: KooberArchitecture? = nil
    ) {
        self.world = world
        self.architecture = architecture
        self.rendering = rendering
        self.app = app
        objects = LiveObjects(of: app)
        screens = app.screens().makeAsyncIterator()
    }

    public func start() { app?.start() }

    /// Ends this app, and returns a new one of the same architecture on the same device.
    public func relaunched(opening destination: Destination? = nil) throws -> AppUnderTest {
        isReleased()
        return AppUnderTest(try #require(architecture), world, on: rendering, opening: destination)
    }

    /// Gives up the only reference to the app.
    public func isReleased() {
        objects.look()
        rendering.isReleased()
        app = nil
    }

    /// Waits for the next screen, and requires that it is this one and refuses all intentions that it does not offer.
    public func shows(
        _ content: KooberScreen.Content, profile: ProfileScreen? = nil, error: ErrorMessage? = nil,
        isOffline: Bool = false, _ location: SourceLocation = #_sourceLocation
    ) async throws {
        let expected = KooberScreen(
            content, profile: profile, error: error.map { ErrorNote(title: $0.title, message: $0.message) },
            isOffline: isOffline)
        var screens = screens
        let screen = await screens.next(isolation: #isolation)
        self.screens = screens
        try #require(screen == expected, sourceLocation: location)
        shown = screen
        try await rendering.shows(expected, of: #require(app, sourceLocation: location), location)
        objects.look()
        triesUnofferedIntentions(location)
    }

    public func performs(_ intention: Intention, _ location: SourceLocation = #_sourceLocation) async throws {
        let app = try #require(app, sourceLocation: location)
        try #require(app.screen?.offers(intention) == true, sourceLocation: location)
        try await rendering.performs(intention, on: app, location)
    }

    private func triesUnofferedIntentions(_ location: SourceLocation) {
        guard let app else { return }
        let screen = app.screen
        // Thousands of `#expect` would take too long, even those that pass.
        for intention in Self.intentions where screen?.offers(intention) != true {
            do {
                try app.perform(intention)
                Issue.record("\(intention) is not refused", sourceLocation: location)
            } catch {
                if error != UnofferedIntention(intention, on: screen) {
                    Issue.record("\(intention) is refused with \(error)", sourceLocation: location)
                }
            }
            if app.screen != screen { Issue.record("\(intention) changes the screen", sourceLocation: location) }
        }
    }

    /// One example of each intention.
    public nonisolated static let intentions: [Intention] = [
        .goToSignUp, .goToSignIn, .goBack, .signIn(email: "a", password: Secret("b")),
        .signUp(name: "a", email: "b", mobileNumber: "", password: Secret("c")), .chooseDropoff, .searchDropoffs("a"),
        .selectDropoff("Nowhere"), .cancelDropoff, .selectRideOption("unicorn"), .confirmRide, .cancelRide,
        .startNewRide, .showProfile, .closeProfile, .signOut, .acknowledgeError,
    ]

    /// Waits until all objects of the scope are deallocated.
    public func releases(_ scope: ObjectScope, _ location: SourceLocation = #_sourceLocation) async throws {
        var looks = Looks()
        while !objects.alive(in: scope).isEmpty {
            do { try await looks.pause() } catch {
                Issue.record("Still alive in \(scope): \(objects.alive(in: scope))", sourceLocation: location)
                throw error
            }
        }
    }
}
