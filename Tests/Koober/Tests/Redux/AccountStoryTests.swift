import KooberKit
import KooberRedux
import KooberScreens
import KooberTexts
import PouchEntities
import Testing

/// The stories of the account, with every action, change and effect.
@MainActor @Suite(.timeLimit(.minutes(5)))
struct AccountStoryTests {
    private static let findRide = AppEffect.signedIn(.gettingUserLocation(.findActiveRide))
    private static let followSession = AppEffect.signedIn(.followSession(ReduxSample.ada.id))
    private static let session = SessionState(ReduxSample.ada)

    private static func form(_ form: FormScreen = FormScreen()) -> AppState {
        var state = OnboardingState()
        state.screen = .signingIn(form)
        return AppState(.onboarding(state))
    }

    @Test func `a sign-in is refused, and accepted the second time`() async throws {
        let signIn = AppEffect.onboarding(.signIn)
        let refusal = ErrorMessage(title: .signInFailed, message: .wrongCredentials)
        let intention = Intention.signIn(email: "ada@example.org", password: Secret(ReduxSample.password))
        try await TestStore.run(
            from: Self.form(), leaving: [.followConnectivity, Self.followSession, Self.findRide]
        ) { store in
            try await store.perform(intention, sending: .onboarding(.sendingForm), starting: [signIn]) {
                $0 = Self.form(FormScreen(isBusy: true))
            }
            store.fail(signIn, with: refusal)
            await store.receive(.onboarding(.failed(refusal)), ending: [signIn]) {
                $0.changeOnboarding {
                    $0.screen = .signingIn(FormScreen())
                    $0.errors = [refusal]
                }
            }
            try await store.perform(.acknowledgeError, sending: .finishedPresentingError) { $0 = Self.form() }
            try await store.perform(intention, sending: .onboarding(.sendingForm), starting: [signIn]) {
                $0 = Self.form(FormScreen(isBusy: true))
            }
            store.answer(signIn, with: ReduxSample.ada)
            await store.receive(
                .onboarding(.signedIn(Self.session)), starting: [Self.followSession, Self.findRide],
                ending: [signIn]
            ) { $0.stage = .signedIn(SignedInState(session: Self.session)) }
        }
    }

    @Test func `the user signs out during a ride, of which nothing is left`() async throws {
        let follow = AppEffect.signedIn(.waitingForPickup(.follow("rid_1")))
        let signOut = AppEffect.signedIn(.signOut)
        let riding = WaitingForPickupState(ride: Sample.ride(.requested))
        try await TestStore.run(from: ReduxSample.signedIn(.waitingForPickup(riding))) { store in
            try await store.perform(.showProfile, sending: .signedIn(.profile(.show))) {
                $0.changeSignedIn { $0.profile = .shown }
            }
            try await store.perform(.signOut, sending: .signedIn(.profile(.signOut)), starting: [signOut]) {
                $0.changeSignedIn { $0.profile = .signingOut }
            }
            // The ride goes on while the service is asked.
            store.answer(follow, with: Sample.ride(.accepted))
            await store.receive(.signedIn(.waitingForPickup(.rideUpdated(Sample.ride(.accepted))))) {
                $0.changeWaitingForPickup { $0.ride = Sample.ride(.accepted) }
            }
            store.answer(signOut, with: true)
            await store.receive(
                .signedIn(.signedOut(nil)), ending: [follow, signOut, Self.followSession]
            ) { $0.stage = .onboarding(OnboardingState()) }
        }
    }

    @Test func `a session that the service ends cancels all of its work`() async throws {
        let end = ErrorMessage.sample("signed out elsewhere")
        let search = AppEffect.signedIn(.pickMeUp(.search("", near: Sample.sydney)))
        try await TestStore.run(from: ReduxSample.map) { store in
            try await store.perform(
                .chooseDropoff, sending: .signedIn(.pickMeUp(.goToDropoffLocationPicker)), starting: [search]
            ) { $0.changePickMeUp { $0.dropoffLocationPicker = DropoffLocationPickerState() } }
            store.answer(Self.followSession, with: end)
            await store.receive(.signedIn(.sessionEnded(end)), ending: [search, Self.followSession]) {
                $0.stage = .onboarding(OnboardingState(errors: [end]))
            }
            await store.answerLate(search, with: [Sample.bondi])
        }
    }
}
