import KooberKit
import KooberRedux
import KooberScreens
import PouchEntities
import Testing

/// Stories with every action, change and effect. The scenarios tell the others, as far as they can be seen, and
/// `AppReducerTests` checks every action on every state.
@MainActor @Suite(.timeLimit(.minutes(5)))
struct StoryTests {
    private static let followSession = AppEffect.signedIn(.followSession(ReduxSample.ada.id))
    private static let follow = AppEffect.signedIn(.waitingForPickup(.follow("rid_1")))

    private static func waiting(_ status: RideStatus) -> AppState {
        ReduxSample.signedIn(.waitingForPickup(WaitingForPickupState(ride: Sample.ride(status))))
    }

    @Test func `a failed request leads to new options, and the repeated one to the ride`() async throws {
        let request = AppEffect.signedIn(.pickMeUp(.requestRide(Sample.request)))
        let loadOptions = AppEffect.signedIn(.pickMeUp(.loadRideOptions(Sample.trip)))
        let lost = ErrorMessage.sample("the connection is lost")
        let sending = PickMeUpState.Step.sendingRideRequest(ReduxSample.selected, Sample.request)
        let confirming = ReduxSample.signedIn(ReduxSample.pickMeUp(.selectRideOption(ReduxSample.selected)))
        try await TestStore.run(
            from: confirming, leaving: [.followConnectivity, Self.followSession, Self.follow]
        ) { store in
            try await store.perform(.confirmRide, sending: .signedIn(.pickMeUp(.rideConfirmed)), starting: [request]) {
                $0.changePickMeUp { $0.step = sending }
            }
            store.fail(request, with: lost)
            await store.receive(.signedIn(.pickMeUp(.failed(.requestRide(Sample.request), lost))), ending: [request]) {
                $0.changeSignedIn { $0.errors = [lost] }
                $0.changePickMeUp { $0.step = .requestFailed(ReduxSample.selected, lost.id) }
            }
            try await store.perform(.acknowledgeError, sending: .finishedPresentingError, starting: [loadOptions]) {
                $0.changeSignedIn { $0.errors = [] }
                $0.changePickMeUp { $0.step = .selectRideOption(RideOptionPickerState(to: Sample.bondi)) }
            }
            store.answer(loadOptions, with: Sample.options)
            await store.receive(
                .signedIn(.pickMeUp(.rideOptionPicker(.loaded(Sample.options)))), ending: [loadOptions]
            ) {
                $0.changePickMeUp {
                    var picker = RideOptionPickerState(to: Sample.bondi)
                    picker.options = Sample.options
                    $0.step = .selectRideOption(picker)
                }
            }
            try await store.perform(
                .selectRideOption("wallaby"), sending: .signedIn(.pickMeUp(.rideOptionPicker(.selected("wallaby"))))
            ) { $0.changePickMeUp { $0.step = .selectRideOption(ReduxSample.selected) } }
            try await store.perform(.confirmRide, sending: .signedIn(.pickMeUp(.rideConfirmed)), starting: [request]) {
                $0.changePickMeUp { $0.step = sending }
            }
            store.answer(request, with: Sample.ride(.requested))
            await store.receive(
                .signedIn(.pickMeUp(.newRideRequestSent(Sample.ride(.requested)))), starting: [Self.follow],
                ending: [request]
            ) { $0 = Self.waiting(.requested) }
        }
    }

    @Test func `the user signs out during a ride, of which nothing is left`() async throws {
        let signOut = AppEffect.signedIn(.signOut)
        try await TestStore.run(from: Self.waiting(.requested)) { store in
            try await store.perform(.showProfile, sending: .signedIn(.profile(.show))) {
                $0.changeSignedIn { $0.profile = .shown }
            }
            try await store.perform(.signOut, sending: .signedIn(.profile(.signOut)), starting: [signOut]) {
                $0.changeSignedIn { $0.profile = .signingOut }
            }
            // The ride goes on while the service is asked.
            store.answer(Self.follow, with: Sample.ride(.accepted))
            await store.receive(.signedIn(.waitingForPickup(.rideUpdated(Sample.ride(.accepted))))) {
                let riding = WaitingForPickupState(ride: Sample.ride(.accepted))
                $0.changeSignedIn { $0.step = .waitingForPickup(riding) }
            }
            store.answer(signOut, with: true)
            await store.receive(.signedIn(.signedOut(nil)), ending: [Self.follow, signOut, Self.followSession]) {
                $0.stage = .onboarding(OnboardingState())
            }
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
