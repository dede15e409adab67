import KooberKit
import KooberRedux
import KooberScenarios
import KooberScreens
import PouchEntities
import Testing

@MainActor
@Suite(.timeLimit(.minutes(1)))
struct PrintingMiddlewareTests {
    private let world = World(SampleService())
    private let printed = Heard<String>()

    /// Signs in, and comes to the picker.
    private func run() async throws -> AppUnderTest {
        let debugging = ReduxDebugging(print: { [printed] in printed.hear($0) }, recordedActions: 100)
        let app = AppUnderTest(world, ReduxApp(model: world, debugging: debugging))
        try await app.comesToWelcome()
        try await app.signsIn(world.service.rider)
        let pickup = try await app.findsLocation()
        let places = try await app.opensPicker(pickup)
        try app.wants(.searchDropoffs("Bondi\nBeach"))
        try await app.sees(app.picker(pickup, "Bondi\nBeach", places, isSearching: true))
        return app
    }

    @Test func `each action is a line with its names and numbers`() async throws {
        _ = try await run()
        #expect(
            printed.values == [
                "launching(finishedLaunchingApp(notSignedIn))",
                "onboarding(goToSignIn)",
                "onboarding(form(sending(#1)))",
                "onboarding(signedIn(#2, #1))",
                "signedIn(#2, gettingUserLocation(#2, foundNoActiveRide))",
                "signedIn(#2, gettingUserLocation(#2, foundUserLocation(#3)))",
                "signedIn(#2, pickMeUp(#3, goToDropoffLocationPicker(#4)))",
                "signedIn(#2, pickMeUp(#3, dropoffLocationPicker(found(#4))))",
                "signedIn(#2, pickMeUp(#3, dropoffLocationPicker(searching(#5))))",
            ])
    }

    @Test func `neither a line nor any description of an action or a state has a password or a token`() async throws {
        let app = try await run()
        let timeTravel = try #require((app.app as? ReduxApp)?.timeTravel)
        var texts = printed.values
        for step in timeTravel.history.steps {
            texts += [
                "\(step.action)", String(reflecting: step.action), "\(step.state)", String(reflecting: step.state),
            ]
            var dumped = ""
            dump(step, to: &dumped)
            texts.append(dumped)
        }
        let session = try #require(timeTravel.history.displayed.userSession)
        let secrets = [
            world.service.rider.password, session.remoteSession.accessToken, session.remoteSession.refreshToken,
        ]
        #expect(texts.contains { $0.contains(session.id) })
        for secret in secrets { #expect(!texts.contains { $0.contains(secret) }) }
    }
}
