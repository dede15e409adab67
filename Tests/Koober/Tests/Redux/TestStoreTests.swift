import KooberKit
import KooberRedux
import KooberScreens
import KooberTexts
import PouchEntities
import Testing

/// The mistakes that the test store has to notice. Each known issue is one that a story with this mistake must have.
@MainActor @Suite(.timeLimit(.minutes(5)))
struct TestStoreTests {
    private static let read = AppEffect.launching(.readUserSession)

    /// Runs a story that must fail once, with such a message.
    private func reports(
        _ message: String, from state: AppState = AppState(.onboarding(OnboardingState())),
        leaving: Set<AppEffect> = [.followConnectivity], patience: Duration = .seconds(10),
        _ location: SourceLocation = #_sourceLocation, _ story: (TestStore) async -> Void
    ) async {
        let counter = Received<String>()
        await withKnownIssue(sourceLocation: location) {
            await TestStore.run(from: state, leaving: leaving, patience: patience, location, story)
        } matching: { issue in
            let text = issue.comments.map(\.rawValue).joined(separator: "\n")
            MainActor.assumeIsolated { counter.append(text) }
            return text.contains(message)
        }
        #expect(counter.values.count == 1, sourceLocation: location)
    }

    @Test func `a wrong change is reported with the lines that differ`() async {
        await reports("-       ▿ screen: KooberRedux.OnboardingState.Screen.signingUp") { store in
            await store.send(.onboarding(.goToSignIn)) { $0.changeOnboarding { $0.screen = .signingUp(FormScreen()) } }
        }
    }

    @Test func `a change of tokens alone is reported, without them`() async {
        let state = AppState(.signedIn(SignedInState(session: SessionState(ReduxSample.ada))))
        await reports("values that are not described", from: state, leaving: state.effects) { store in
            await store.send(.signedIn(.sessionRenewed(SessionState(ReduxSample.renewed))))
        }
    }

    @Test func `an action that is not received is reported, before the next one and at the end`() async {
        for goesOn in [true, false] {
            await reports("does not state the action connectivityChanged") { store in
                store.answer(.followConnectivity, with: false)
                while store.screen?.isOffline == false, !Task.isCancelled {
                    try? await Task.sleep(for: .milliseconds(2))
                }
                if goesOn { await store.send(.onboarding(.returnedToWelcome)) }
            }
        }
    }

    @Test func `an action that does not happen is reported`() async {
        await reports("The action connectivityChanged did not happen", patience: .milliseconds(100)) { store in
            await store.receive(.connectivityChanged(isOffline: true))
        }
    }

    @Test func `another action than the stated one is reported`() async {
        await reports("Another action than connectivityChanged happened") { store in
            store.answer(.followConnectivity, with: true)
            await store.receive(.connectivityChanged(isOffline: true))
        }
    }

    @Test func `an effect that starts and is not stated is reported`() async {
        await reports(
            "start after signedIn(pickMeUp(goToDropoffLocationPicker)):\n+ signedIn", from: ReduxSample.map,
            leaving: ReduxSample.map.effects.union([Self.search])
        ) { store in
            await store.send(.signedIn(.pickMeUp(.goToDropoffLocationPicker))) {
                $0.changePickMeUp { $0.dropoffLocationPicker = DropoffLocationPickerState() }
            }
        }
    }

    @Test func `an effect that ends and is not stated is reported`() async {
        await reports("Other effects end after launching(failed)", from: AppState()) { store in
            store.fail(Self.read, with: .sample("unreadable"))
            await store.receive(.launching(.failed(.sample("unreadable")))) {
                var launching = LaunchingState()
                launching.error = ErrorMessage.sample("unreadable")
                $0.stage = .launching(launching)
            }
        }
    }

    @Test func `an effect left over is reported`() async {
        await reports("Other effects are left over", from: AppState()) { _ in }
    }

    @Test func `an answer without an effect is reported`() async {
        await reports("waits for an answer") { store in store.answer(Self.read, with: UserSession?.none) }
    }

    private static let search = AppEffect.signedIn(.pickMeUp(.search("", near: Sample.sydney)))
}
