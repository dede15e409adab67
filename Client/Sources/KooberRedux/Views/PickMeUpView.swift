import KooberScreens
import PouchEntities

@MainActor
final class PickMeUpView: StateView {
    private let state: LatestState<PickMeUpState>
    private let userInteractions: any PickMeUpUserInteractions
    private let dropoffLocationPicker: any DropoffLocationPickerUserInteractions
    private let rideOptionPicker: any RideOptionPickerUserInteractions

    init(
        state: StatePublisher<PickMeUpState>,
        userInteractions: any PickMeUpUserInteractions,
        dropoffLocationPicker: any DropoffLocationPickerUserInteractions,
        rideOptionPicker: any RideOptionPickerUserInteractions
    ) {
        self.state = LatestState(state)
        self.userInteractions = userInteractions
        self.dropoffLocationPicker = dropoffLocationPicker
        self.rideOptionPicker = rideOptionPicker
    }

    func appear() {}

    func perform(_ intention: Intention) {
        switch (intention, state.value?.step) {
        case (.chooseDropoff, _): dropoffLocationPicker.goToDropoffLocationPicker()
        case (.searchDropoffs(let query), _): dropoffLocationPicker.search(using: query)
        case (.selectDropoff(let name), .selectDropoffLocation(let picker, _)):
            if let location = picker.results.first(where: { $0.name == name }) {
                dropoffLocationPicker.select(location)
            }
        case (.cancelDropoff, _), (.goBack, _): dropoffLocationPicker.close()
        case (.selectRideOption(let id), _): rideOptionPicker.select(id)
        case (.confirmRide, .confirmRequest(let draft)): userInteractions.confirm(draft)
        default: break
        }
    }

    func finishedPresenting(_ error: ErrorToPresent) {
        if case .requestFailed(let draft, let failure) = state.value?.step, failure == error {
            // Its quotes may have expired.
            rideOptionPicker.loadRideOptions(to: draft.dropoffLocation)
        } else {
            userInteractions.finishedPresenting(error)
        }
    }
}
