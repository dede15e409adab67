import ClientTesting
import KooberKit
import KooberMVVM
import KooberScenarios
import KooberScreens
import PouchEntities
import Testing

@MainActor
@Suite(.timeLimit(.minutes(5)))
struct MVVMAppTests {
    private let world = World(SampleService())

    private func welcomed() async throws -> (MVVMApp, AsyncStream<KooberScreen>.Iterator) {
        let app = MVVMApp(model: world)
        var screens = app.screens().makeAsyncIterator()
        app.start()
        #expect(await screens.next(isolation: #isolation) == KooberScreen(.launching))
        try await world.readUserSession.passes()
        #expect(await screens.next(isolation: #isolation) == KooberScreen(.welcome))
        return (app, screens)
    }

    @Test func `before the start there is no screen and no intention, and the app starts once`() async throws {
        let app = MVVMApp(model: world)
        #expect(app.screen == nil)
        #expect(throws: UnofferedIntention(.goToSignIn, on: nil)) { try app.perform(.goToSignIn) }
        app.start()
        app.start()
        #expect(app.screen == KooberScreen(.launching))
        try await world.readUserSession.passes()
        try await eventually { app.screen == KooberScreen(.welcome) }
        #expect(world.readUserSession.asked.count == 1)
    }

    @Test func `the screen shows at once what follows from an intention, and those of one turn publish the last`()
        async throws
    {
        var (app, screens) = try await welcomed()
        try app.perform(.goToSignIn)
        #expect(app.screen == KooberScreen(.signIn(FormScreen())))
        try app.perform(.goBack)
        #expect(app.screen == KooberScreen(.welcome))
        try app.perform(.goToSignUp)
        #expect(app.screen == KooberScreen(.signUp(FormScreen())))
        var published: [KooberScreen?] = []
        repeat { published.append(await screens.next(isolation: #isolation)) } while published.last != app.screen
        #expect(published.last == KooberScreen(.signUp(FormScreen())))
        #expect(zip(published, published.dropFirst()).allSatisfy { $0 != $1 })
    }

    @Test func `a form is not sent twice in the same turn`() async throws {
        let (app, _) = try await welcomed()
        try app.perform(.goToSignIn)
        let signIn = Intention.signIn(email: "ada@example.org", password: Secret("password"))
        try app.perform(signIn)
        let busy = KooberScreen(.signIn(FormScreen(isBusy: true)))
        #expect(throws: UnofferedIntention(signIn, on: busy)) { try app.perform(signIn) }
        try await world.signIn.fails()
        #expect(world.signIn.asked.count == 1)
    }

    @Test func `each stream starts with the present screen, and ends with the app`() async throws {
        var watchers: [AsyncStream<KooberScreen>.Iterator] = []
        do {
            let (app, first) = try await welcomed()
            watchers.append(first)
            try app.perform(.goToSignIn)
            watchers.append(app.screens().makeAsyncIterator())
            for index in watchers.indices {
                var watcher = watchers[index]
                #expect(await watcher.next(isolation: #isolation) == KooberScreen(.signIn(FormScreen())))
            }
        }
        for index in watchers.indices {
            var watcher = watchers[index]
            #expect(await watcher.next(isolation: #isolation) == nil)
        }
    }
}
