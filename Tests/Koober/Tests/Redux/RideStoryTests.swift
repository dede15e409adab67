import KooberKit
import KooberRedux
import KooberScreens
import KooberTexts
import PouchEntities
import Testing

/// The stories of a ride, with every action, change and effect.
@MainActor @Suite(.timeLimit(.minutes(5)))
struct RideStoryTests {
    private static let lost = ErrorMessage.sample("the connection is lost")
    private static let session: Set<AppEffect> = [.followConnectivity, .signedIn(.followSession(ReduxSample.ada.id))]
    private static let request = AppEffect.signedIn(.pickMeUp(.requestRide(Sample.request)))
    private static let loadOptions = AppEffect.signedIn(.pickMeUp(.loadRideOptions(Sample.trip)))
    private static let follow = AppEffect.signedIn(.waitingForPickup(.follow("rid_1")))
    private static let cancel = AppEffect.signedIn(.waitingForPickup(.cancel("rid_1")))

    private static func search(_ query: String) -> AppEffect {
        .signedIn(.pickMeUp(.search(query, near: Sample.sydney)))
    }

    private static func waiting(_ status: RideStatus) -> AppState {
        ReduxSample.signedIn(.waitingForPickup(WaitingForPickupState(ride: Sample.ride(status))))
    }

    private static let confirming = ReduxSample.signedIn(
        ReduxSample.pickMeUp(.selectRideOption(ReduxSample.selected)))

    @Test func `a later search cancels the earlier one, whose late answer changes nothing`() async throws {
        try await TestStore.run(from: ReduxSample.map, leaving: Self.session.union([Self.loadOptions])) { store in
            try await store.perform(
                .chooseDropoff, sending: .signedIn(.pickMeUp(.goToDropoffLocationPicker)),
                starting: [Self.search("")]
            ) { $0.changePickMeUp { $0.dropoffLocationPicker = DropoffLocationPickerState() } }
            try await store.perform(
                .searchDropoffs("Bon"), sending: .signedIn(.pickMeUp(.dropoffLocationPicker(.search("Bon")))),
                starting: [Self.search("Bon")], ending: [Self.search("")]
            ) { $0.changePickMeUp { $0.dropoffLocationPicker?.query = "Bon" } }
            await store.answerLate(Self.search(""), with: [Sample.manly])
            store.answer(Self.search("Bon"), with: [Sample.bondi])
            await store.receive(
                .signedIn(.pickMeUp(.dropoffLocationPicker(.found([Sample.bondi])))),
                ending: [Self.search("Bon")]
            ) {
                $0.changePickMeUp {
                    $0.dropoffLocationPicker?.results = [Sample.bondi]
                    $0.dropoffLocationPicker?.isSearching = false
                }
            }
            try await store.perform(
                .selectDropoff("Bondi Beach"), sending: .signedIn(.pickMeUp(.dropoffLocationSelected("Bondi Beach"))),
                starting: [Self.loadOptions]
            ) {
                $0.changePickMeUp {
                    $0.dropoffLocationPicker = nil
                    $0.step = .selectRideOption(RideOptionPickerState(to: Sample.bondi))
                }
            }
        }
    }

    @Test func `a failed request leads to new options, and the repeated one to the ride`() async throws {
        let sending = PickMeUpState.Step.sendingRideRequest(ReduxSample.selected, Sample.request)
        try await TestStore.run(from: Self.confirming, leaving: Self.session.union([Self.follow])) { store in
            try await store.perform(
                .confirmRide, sending: .signedIn(.pickMeUp(.rideConfirmed)), starting: [Self.request]
            ) { $0.changePickMeUp { $0.step = sending } }
            store.fail(Self.request, with: Self.lost)
            await store.receive(
                .signedIn(.pickMeUp(.failed(.requestRide(Sample.request), Self.lost))), ending: [Self.request]
            ) {
                $0.changeSignedIn { $0.errors = [Self.lost] }
                $0.changePickMeUp { $0.step = .requestFailed(ReduxSample.selected, Self.lost.id) }
            }
            try await store.perform(
                .acknowledgeError, sending: .finishedPresentingError, starting: [Self.loadOptions]
            ) {
                $0.changeSignedIn { $0.errors = [] }
                $0.changePickMeUp { $0.step = .selectRideOption(RideOptionPickerState(to: Sample.bondi)) }
            }
            store.answer(Self.loadOptions, with: Sample.options)
            await store.receive(
                .signedIn(.pickMeUp(.rideOptionPicker(.loaded(Sample.options)))), ending: [Self.loadOptions]
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
            try await store.perform(
                .confirmRide, sending: .signedIn(.pickMeUp(.rideConfirmed)), starting: [Self.request]
            ) { $0.changePickMeUp { $0.step = sending } }
            store.answer(Self.request, with: Sample.ride(.requested))
            await store.receive(
                .signedIn(.pickMeUp(.newRideRequestSent(Sample.ride(.requested)))), starting: [Self.follow],
                ending: [Self.request]
            ) { $0 = Self.waiting(.requested) }
        }
    }

    @Test func `a ride is followed, interrupted, resumed, and followed to its end`() async throws {
        let findRide = AppEffect.signedIn(.gettingUserLocation(.findActiveRide))
        try await TestStore.run(from: Self.waiting(.requested), leaving: Self.session.union([findRide])) { store in
            store.answer(Self.follow, with: Sample.ride(.accepted))
            await store.receive(.signedIn(.waitingForPickup(.rideUpdated(Sample.ride(.accepted))))) {
                $0 = Self.waiting(.accepted)
            }
            store.fail(Self.follow, with: Self.lost)
            await store.receive(.signedIn(.waitingForPickup(.lostRide(Self.lost))), ending: [Self.follow]) {
                $0.changeSignedIn { $0.errors = [Self.lost] }
                $0.changeWaitingForPickup { $0.interruption = Self.lost.id }
            }
            try await store.perform(
                .acknowledgeError, sending: .finishedPresentingError, starting: [Self.follow]
            ) { $0 = Self.waiting(.accepted) }
            store.answer(Self.follow, with: Sample.ride(.completed))
            await store.receive(
                .signedIn(.waitingForPickup(.rideUpdated(Sample.ride(.completed)))), ending: [Self.follow]
            ) { $0 = Self.waiting(.completed) }
            try await store.perform(
                .startNewRide, sending: .signedIn(.waitingForPickup(.startNewRide)), starting: [findRide]
            ) { $0 = ReduxSample.signedIn(.gettingUserLocation(.lookingForActiveRide)) }
        }
    }

    @Test func `a cancellation fails, and succeeds the second time`() async throws {
        try await TestStore.run(from: Self.waiting(.accepted), leaving: Self.session) { store in
            let isCancelling = { (state: inout AppState) in
                state.changeWaitingForPickup { $0.isCancelling = true }
            }
            try await store.perform(
                .cancelRide, sending: .signedIn(.waitingForPickup(.cancelRide)), starting: [Self.cancel],
                change: isCancelling)
            store.fail(Self.cancel, with: Self.lost)
            await store.receive(.signedIn(.waitingForPickup(.cancellationFailed(Self.lost))), ending: [Self.cancel]) {
                $0 = Self.waiting(.accepted)
                $0.changeSignedIn { $0.errors = [Self.lost] }
            }
            try await store.perform(.acknowledgeError, sending: .finishedPresentingError) {
                $0 = Self.waiting(.accepted)
            }
            try await store.perform(
                .cancelRide, sending: .signedIn(.waitingForPickup(.cancelRide)), starting: [Self.cancel],
                change: isCancelling)
            let cancelled = Sample.ride(.cancelledByRider)
            store.answer(Self.cancel, with: cancelled)
            await store.receive(
                .signedIn(.waitingForPickup(.cancelled(cancelled))), ending: [Self.cancel, Self.follow]
            ) { $0 = Self.waiting(.cancelledByRider) }
        }
    }
}
