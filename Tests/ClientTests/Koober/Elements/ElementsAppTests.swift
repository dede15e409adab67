import KooberElements
import KooberKit
import KooberScenarios
import KooberScreens
import PouchEntities
import Testing

/// What is seen of changes that come at once.
@MainActor
@Suite(.timeLimit(.minutes(1)))
struct ElementsAppTests {
    private func app(_ world: World) async throws -> AppUnderTest {
        let app = AppUnderTest(.elements, world)
        try await app.comesToWelcome()
        return app
    }

    @Test func `a state that is replaced within the turn is not seen`() async throws {
        let app = try await app(World(SampleService()))
        try app.wants(.goToSignIn)
        try app.wants(.goBack)
        try app.wants(.goToSignUp)
        try await app.sees(.signUp(AppUnderTest.idle))
    }

    @Test func `what is back where it was is no news`() async throws {
        let app = try await app(World(SampleService()))
        try app.wants(.goToSignIn)
        try app.wants(.goBack)
        await Task.yield()
        try app.wants(.goToSignUp)
        try await app.sees(.signUp(AppUnderTest.idle))
    }

    @Test func `who begins to look sees what is shown, and all that follows`() async throws {
        let world = World(SampleService())
        let app = ElementsApp(model: world)
        var early = app.screens().makeAsyncIterator()
        #expect(app.screen == nil)
        app.start()
        app.start()
        #expect(app.screen == KooberScreen(.launching))
        try await world.readUserSession.passes()
        #expect(world.readUserSession.asked.count == 1)
        #expect(await early.next(isolation: #isolation) == KooberScreen(.launching))
        #expect(await early.next(isolation: #isolation) == KooberScreen(.welcome))
        try app.perform(.goToSignIn)
        var late = app.screens().makeAsyncIterator()
        for _ in 1...2 {
            #expect(await late.next(isolation: #isolation) == app.screen)
            #expect(await early.next(isolation: #isolation) == app.screen)
            try? app.perform(.goBack)
        }
    }

    @Test(arguments: [Moment.searches, .sends, .follows, .cancels])
    func `an app that is dropped leaves nothing, whatever it was at`(_ moment: Moment) async throws {
        let app = AppUnderTest(.elements, World(SampleService()))
        try await app.comesIn()
        try await moment.reach(app)
        app.isDropped()
        for scope in ObjectScope.allCases { try await app.isGone(scope) }
    }

    @Test func `an app that is dropped while it launches leaves nothing`() async throws {
        let app = AppUnderTest(.elements, World(SampleService()))
        app.start()
        try await app.sees(.launching)
        try await app.world.readUserSession.isAsked()
        app.isDropped()
        for scope in ObjectScope.allCases { try await app.isGone(scope) }
    }

    @Test(arguments: [true, false])
    func `an app that is dropped while a form is answered leaves nothing`(_ signsIn: Bool) async throws {
        let app = try await app(World(SampleService()))
        try app.wants(signsIn ? .goToSignIn : .goToSignUp)
        try await app.sees(signsIn ? .signIn(AppUnderTest.idle) : .signUp(AppUnderTest.idle))
        if signsIn {
            try app.wants(.signIn(email: "ada@example.org", password: Secret("secret")))
            try await app.world.signIn.isAsked()
        } else {
            try app.wants(.signUp(name: "Ada", email: "ada@example.org", mobileNumber: "", password: Secret("secret")))
            try await app.world.signUp.isAsked()
        }
        app.isDropped()
        for scope in ObjectScope.allCases { try await app.isGone(scope) }
    }

    @Test func `the screens end with the app`() async {
        var app: ElementsApp? = ElementsApp(model: World(SampleService()))
        let screens = app?.screens()
        app = nil
        if let screens { for await _ in screens { Issue.record("a screen of an app that is gone") } }
    }
}
