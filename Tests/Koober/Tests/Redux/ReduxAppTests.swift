import ClientTesting
import Foundation
import KooberClient
import KooberKit
import KooberScenarios
import KooberScreens
import PouchEntities
import Testing

@testable import KooberRedux

@MainActor @Suite(.timeLimit(.minutes(5)))
struct ReduxAppTests {
    private let world = World(SampleService())

    @Test func `an app that was killed during a ride comes back to it`() async throws {
        let ride = try await world.hasRide(world.service.rider)
        let session = try await world.hasSignedIn(world.service.rider)
        var left = SignedInState(session: SessionState(session))
        left.step = .waitingForPickup(WaitingForPickupState(ride: ride))
        let app = AppUnderTest(world, ReduxApp(model: world, state: AppState(resuming: AppState(.signedIn(left)))))
        app.start()
        try await app.shows(.launching)
        try await world.readUserSession.passes()
        try await app.shows(.waiting(ride))
        try await app.ridesToTheEnd()
        #expect(world.activeRide.asked.isEmpty)
    }

    @Test func `over the whole model layer a sign-in is one write, and a sign-out one deletion`() async throws {
        let bytes = CountingSessionStore()
        let model = KooberModel(
            server: try #require(URL(string: "https://koober.example")), transport: StubAccounts(),
            userSessionDataStore: CodedUserSessionDataStore(bytes: bytes, coder: UserSessionJSONCoder()))
        let app = ReduxApp(model: model)
        app.start()
        for count in 1...2 {
            try await eventually { app.screen == KooberScreen(.welcome) }
            try app.perform(.goToSignIn)
            try app.perform(.signIn(email: "ada@example.org", password: Secret("correct")))
            try await eventually { app.screen?.offers(.chooseDropoff) == true }
            try await bytes.has(saves: count, clears: count - 1)
            try app.perform(.showProfile)
            try app.perform(.signOut)
            try await bytes.has(saves: count, clears: count)
        }
    }
}

extension CountingSessionStore {
    /// Waits for so many writes, and requires that there are no more.
    fileprivate func has(saves: Int, clears: Int) async throws {
        try await eventually { self.saves >= saves && self.clears >= clears }
        await turnsPass()
        #expect(self.saves == saves && self.clears == clears)
    }
}
