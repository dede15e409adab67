import ClientTesting
import Foundation
import KooberClient
import KooberKit
import KooberScenarios
import KooberScreens
import KooberTexts
import PouchEntities
import PouchTesting
import Testing

@testable import KooberRedux

/// Every reachable state as JSON, and the app that starts with it.
@MainActor @Suite(.timeLimit(.minutes(5)))
struct RestoredStateTests {
    private static let secrets = [
        ReduxSample.accessToken, ReduxSample.refreshToken, ReduxSample.password,
        ReduxSample.grace.remoteSession.accessToken, ReduxSample.grace.remoteSession.refreshToken,
    ]

    private func requireNoSecret(in text: String, _ location: SourceLocation = #_sourceLocation) throws {
        // Thousands of `#expect` would take too long.
        guard let secret = Self.secrets.first(where: text.contains) else { return }
        throw FoundSecret(secret: secret)
    }

    @Test func `no encoded state has a token or a password, and all else comes back`() throws {
        #expect(ReachableStates.all.contains { $0.session != nil })
        for state in ReachableStates.all {
            try requireNoSecret(in: String(decoding: JSONEncoder().encode(state), as: UTF8.self))
            let decoded = try restored(state)
            var withTokens = decoded
            withTokens.changeSignedIn { signedIn in
                let session = signedIn.session.userSession
                signedIn.session = SessionState(
                    UserSession(
                        id: session.id, kind: session.kind, profile: session.profile,
                        remoteSession: ReduxSample.ada.remoteSession))
            }
            if withTokens != state { Issue.record("\(state) comes back as \(decoded)") }
        }
    }

    @Test func `no encoded or described action has a token or a password, and each comes back`() throws {
        let actions = ReachableStates.actions + [.signedIn(.sessionRenewed(SessionState(ReduxSample.renewed)))]
        for action in actions {
            let json = String(decoding: try JSONEncoder().encode(action), as: UTF8.self)
            var dumped = ""
            dump(action, to: &dumped)
            for text in [json, dumped, "\(action)", String(reflecting: action)] { try requireNoSecret(in: text) }
            let decoded = try restored(action)
            #expect(PrintingMiddleware.line(for: decoded) == PrintingMiddleware.line(for: action))
            #expect(try restored(decoded) == decoded)
        }
    }

    /// Starts the app of another process from the state, up to the end of a launch.
    private func resume(_ state: AppState, model: EffectModel, in window: Window) throws -> (
        AppDependencyContainer, MainView
    ) {
        let container = AppDependencyContainer(
            model: model, state: AppState(resuming: try restored(state)), middleware: [], updates: window.updates)
        let main = container.makeMainView(in: window)
        window.updates.flush()
        if state.session != nil {
            if window.screen?.content != .launching { Issue.record("\(state) starts without its tokens") }
            container.store.dispatch(.launching(.finishedLaunchingApp(SessionState(ReduxSample.ada))))
        }
        return (container, main)
    }

    @Test func `an app that starts from any state shows its screen, the signed-in ones after the launch`() async throws
    {
        for state in ReachableStates.all {
            await Task.yield()
            let window = Window()
            let (container, main) = try resume(state, model: EffectModel(), in: window)
            if container.store.state != state { Issue.record("\(state) resumes as \(container.store.state)") }
            if window.screen != KooberScreen(state) {
                Issue.record("\(state) shows \(String(describing: window.screen))")
            }
            withExtendedLifetime(main) {}
        }
    }

    @Test func `an app that starts from any screen resumes exactly the work of its state`() async throws {
        for state in ReachableStates.ofEachScreen where state.onboarding?.isSending != true {
            let model = EffectModel()
            let (container, main) = try resume(state, model: model, in: Window())
            try await eventually { model.running.count >= state.effects.count }
            #expect(model.running.count == state.effects.count && Set(model.running) == state.effects)
            withExtendedLifetime((container, main)) {}
        }
    }

    @Test func `a form that was being sent asks to be sent again, since its input is gone`() async throws {
        let forms: [(OnboardingState.Screen, Phrase)] = [
            (.signingIn(FormScreen(isBusy: true)), .signInFailed),
            (.signingUp(FormScreen(isBusy: true)), .signUpFailed),
        ]
        for (screen, title) in forms {
            var state = AppState(.onboarding(OnboardingState()))
            state.changeOnboarding { $0.screen = screen }
            let window = Window()
            let (container, main) = try resume(state, model: EffectModel(), in: window)
            try await eventually { window.screen?.error != nil }
            #expect(window.screen?.error == ErrorNote(title: title, message: .tryAgain))
            #expect(container.store.state.onboarding?.isSending == false)
            withExtendedLifetime((container, main)) {}
        }
    }

    @Test func `a state resumes in its own session only`() throws {
        let left = SignedInState(session: SessionState(ReduxSample.ada), destination: Destination(isProfileShown: true))
        let launching = AppState(resuming: try restored(AppState(.signedIn(left))))
        #expect(launching.effects == [.followConnectivity, .launching(.readUserSession)])
        let signedOut = launching.after(.launching(.finishedLaunchingApp(nil)))
        #expect(signedOut == AppState(.onboarding(OnboardingState())))
        let grace = launching.after(.launching(.finishedLaunchingApp(SessionState(ReduxSample.grace))))
        #expect(grace == AppState(.signedIn(SignedInState(session: SessionState(ReduxSample.grace)))))
        let ada = launching.after(.launching(.finishedLaunchingApp(SessionState(ReduxSample.ada))))
        #expect(ada == AppState(.signedIn(left)))
    }
}

private struct FoundSecret: Error { let secret: String }

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
            server: try #require(URL(string: "https://koober.example")), transport: TestShop(),
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
