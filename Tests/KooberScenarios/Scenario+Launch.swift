import KooberKit
import KooberScreens
import PouchEntities
import Testing

extension Scenario {
    static let launch: [Scenario] = [
        Scenario("somebody who is not signed in is welcomed") { app in
            #expect(app.app?.screen == nil)
            try await app.comesToWelcome()
            #expect(app.world.count(of: "UserSessionRepository") == 1)
            #expect(app.world.count(of: "UserSessionDataStore") == 1)
            #expect(app.world.count(of: "LocationRepository") == 0)
        },
        Scenario("somebody who signed in before comes in without being asked") { app in
            _ = try await app.comesToMap()
            #expect(app.world.signIn.asked.isEmpty)
            #expect(app.objects.count(in: .onboarding) == 0)
        },
        Scenario("a session that cannot be read is told of, and then somebody has to sign in") { app in
            app.start()
            try await app.sees(.launching)
            let error = try await app.world.readUserSession.fails()
            try await app.sees(.launching, error: error)
            try await app.acknowledges(.welcome)
            try await app.signsIn(app.world.service.rider)
        },
        Scenario("who comes to look later sees what is shown first") { app in
            try await app.comesToWelcome()
            var screens = try #require(app.app).screens().makeAsyncIterator()
            #expect(await screens.next(isolation: #isolation) == KooberScreen(.welcome))
            try app.wants(.goToSignUp)
            #expect(await screens.next(isolation: #isolation) == KooberScreen(.signUp(AppUnderTest.idle)))
            try await app.sees(.signUp(AppUnderTest.idle))
        },
    ]
}
