import KooberKit
import KooberRedux
import KooberScenarios
import KooberScreens
import PouchEntities
import Testing

@MainActor
@Suite(.timeLimit(.minutes(1)))
struct ReduxAppTests {
    private let world = World(SampleService())

    @Test func `an app that nobody has any more ends its streams, and leaves nothing alive`() async throws {
        var app: ReduxApp? = ReduxApp(model: world)
        let objects = LiveObjects(of: try #require(app))
        var screens = try #require(app?.screens()).makeAsyncIterator()
        app?.start()
        #expect(await screens.next(isolation: #isolation) == KooberScreen(.launching))
        try await world.readUserSession.isAsked()
        #expect(objects.holdContainer(of: .app) && !objects.alive(in: .launch).isEmpty)
        app = nil
        while await screens.next(isolation: #isolation) != nil {}
        for scope in ObjectScope.allCases { try await eventually { objects.alive(in: scope).isEmpty } }
    }

    @Test func `it starts once`() async throws {
        let app = ReduxApp(model: world)
        app.start()
        app.start()
        try await world.readUserSession.passes()
        try await eventually { app.screen == KooberScreen(.welcome) }
        #expect(world.readUserSession.asked.count == 1)
    }

    @Test func `whoever comes late sees the present screen first`() async throws {
        let app = ReduxApp(model: world)
        #expect(app.screen == nil)
        var early = app.screens().makeAsyncIterator()
        app.start()
        try await world.readUserSession.passes()
        #expect(await early.next(isolation: #isolation) == KooberScreen(.launching))
        #expect(await early.next(isolation: #isolation) == KooberScreen(.welcome))
        var late = app.screens().makeAsyncIterator()
        try app.perform(.goToSignUp)
        #expect(await late.next(isolation: #isolation) == KooberScreen(.welcome))
        #expect(await late.next(isolation: #isolation) == KooberScreen(.signUp(FormScreen())))
    }
}
