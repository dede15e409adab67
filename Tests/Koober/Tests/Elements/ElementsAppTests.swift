import ClientTesting
import KooberElements
import KooberKit
import KooberScenarios
import KooberScreens
import PouchEntities
import Synchronization
import Testing

/// The whole app: what one turn shows, and what ends with each scope.
@MainActor @Suite(.timeLimit(.minutes(5)))
struct ElementsAppTests {
    // MARK: Screens

    @Test func `an intention shows its screen at once, and a second start does nothing`() async throws {
        let world = World(SampleService())
        let app = ElementsApp(model: world)
        app.start()
        try await world.readUserSession.passes()
        try await eventually { app.screen == KooberScreen(.welcome) }
        var screens = app.screens().makeAsyncIterator()
        #expect(await screens.next(isolation: #isolation) == KooberScreen(.welcome))
        let signIn = KooberScreen(.signIn(AppUnderTest.idle))
        try app.perform(.goToSignIn)
        #expect(app.screen == signIn)
        #expect(await screens.next(isolation: #isolation) == signIn)
        app.start()
        #expect(world.readUserSession.asked.count == 1 && app.screen == signIn)
    }

    // MARK: Scopes

    @Test(arguments: [Moment.searches, .sends, .follows, .cancels, .looksAtProfile])
    func `a released app leaves no objects, at any moment`(_ moment: Moment) async throws {
        let app = AppUnderTest(.elements, World(SampleService()))
        try await app.launchesSignedIn()
        try await moment.reach(app)
        try await app.isReleasedWholly()
    }

    @Test func `an app released during the launch leaves no objects`() async throws {
        let app = AppUnderTest(.elements, World(SampleService()))
        app.start()
        try await app.shows(.launching)
        try await app.world.readUserSession.isAsked()
        try await app.isReleasedWholly()
    }

    @Test(arguments: [true, false])
    func `an app released while a form is being sent leaves no objects`(_ signsIn: Bool) async throws {
        let app = AppUnderTest(.elements, World(SampleService()))
        if signsIn {
            try await app.reachesSignIn()
            try await app.performs(.signIn(email: "ada@example.org", password: Secret("secret")))
            try await app.world.signIn.isAsked()
        } else {
            try await app.reachesSignUp()
            try await app.performs(
                .signUp(name: "Ada", email: "ada@example.org", mobileNumber: "", password: Secret("secret")))
            try await app.world.signUp.isAsked()
        }
        try await app.isReleasedWholly()
    }

    @Test func `a released app follows neither its ride nor its session`() async throws {
        let model = GatedModel(storedSession: ElementsSample.session, activeRide: ElementsSample.ride())
        var app: ElementsApp? = ElementsApp(model: model)
        app?.start()
        try await model.passes(.readSession)
        try await model.passes(.findRide)
        try await eventually { model.rides.followerCount == 1 && model.ends.followerCount == 1 }
        app = nil
        try await eventually { model.rides.followerCount == 0 && model.ends.followerCount == 0 }
        #expect(app == nil)
    }

    @Test func `the ride of one session is not followed in the next`() async throws {
        let model = GatedModel(storedSession: ElementsSample.session, activeRide: ElementsSample.ride())
        let app = ElementsApp(model: model)
        app.start()
        try await model.passes(.readSession)
        try await model.passes(.findRide)
        try await eventually { model.rides.followerCount == 1 && model.ends.followerCount == 1 }
        model.ends.send(ElementsSample.error)
        try await model.passes(.delete(ElementsSample.session))
        try await eventually { app.screen?.content == .welcome }
        try await eventually { model.rides.followerCount == 0 && model.ends.followerCount == 0 }
    }

    // MARK: The window

    @Test func `the window is observed while the map is shown, and not under the drop-off list`() async throws {
        let model = GatedModel(storedSession: ElementsSample.session)
        let window = StillWindow()
        let app = ElementsApp(model: model, windowSizes: { window.sizes() })
        app.start()
        try await model.passes(.readSession)
        try await model.passes(.findRide)
        #expect(window.streamCount == 0)
        try await model.passes(.findLocation)
        try await eventually { app.screen?.showsMap == false }
        #expect(window.streamCount == 1)
        try app.perform(.chooseDropoff)
        try await eventually { window.streamCount == 0 }
        try await model.calls.isAsked()
        try app.perform(.cancelDropoff)
        try await eventually { window.streamCount == 1 }
        #expect(app.screen?.showsMap == false)
    }
}

extension KooberScreen {
    fileprivate var showsMap: Bool? {
        if case .pickMeUp(let screen) = content { screen.showsMap } else { nil }
    }
}

/// A window that keeps its size.
private final class StillWindow: Sendable {
    private let streams = Mutex(0)

    /// The number of streams that have not ended.
    var streamCount: Int { streams.withLock { $0 } }

    func sizes() -> AsyncStream<WindowSize> {
        streams.withLock { $0 += 1 }
        return AsyncStream { continuation in
            continuation.onTermination = { _ in self.streams.withLock { $0 -= 1 } }
            continuation.yield(WindowSize(columns: 80, rows: 10))
        }
    }
}
