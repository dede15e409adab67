import KooberKit
import KooberMVVM
import KooberScenarios
import KooberScreens
import PouchEntities
import Testing

@MainActor
@Suite(.timeLimit(.minutes(1)))
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

    @Test func `before it starts there is nothing to see and to want, and it starts once`() async throws {
        let app = MVVMApp(model: world)
        #expect(app.screen == nil)
        #expect(throws: UnofferedIntention(.goToSignIn, on: nil)) { try app.perform(.goToSignIn) }
        app.start()
        app.start()
        try await world.readUserSession.passes()
        try await eventually { app.screen == KooberScreen(.welcome) }
        #expect(world.readUserSession.asked.count == 1)
    }

    @Test func `what is replaced within one turn is not seen, and what is seen is what can be used`() async throws {
        var (app, screens) = try await welcomed()
        try app.perform(.goToSignIn)
        #expect(app.screen == KooberScreen(.signIn(FormScreen())))
        try app.perform(.goBack)
        try app.perform(.goToSignUp)
        #expect(await screens.next(isolation: #isolation) == KooberScreen(.signUp(FormScreen())))
    }

    @Test func `a form that was just sent is not sent again in the same turn`() async throws {
        let (app, _) = try await welcomed()
        try app.perform(.goToSignIn)
        let signIn = Intention.signIn(email: "ada@example.org", password: Secret("password"))
        try app.perform(signIn)
        let busy = FormScreen(inputsEnabled: false, buttonEnabled: false, isBusy: true)
        #expect(throws: UnofferedIntention(signIn, on: KooberScreen(.signIn(busy)))) { try app.perform(signIn) }
        try await world.signIn.fails()
        #expect(world.signIn.asked.count == 1)
    }

    @Test func `each watcher begins with what is shown, and an app that is gone tells them so`() async throws {
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
