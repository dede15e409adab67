import KooberScreens
import PouchEntities

@MainActor
final class PickMeUpView: StateView {
    private let state: LatestState<PickMeUpState>
    private let userInteractions: PickMeUpUserInteractions
    private let rideOptionPicker: RideOptionPickerUserInteractions
    private let dropoffLocationPickerFactory: any DropoffLocationPickerFactory
    /// Of the picker that is open, or was last.
    private var dropoffLocationPicker: DropoffLocationPickerUserInteractions?

    init(
        state: StatePublisher<PickMeUpState>,
        userInteractions: PickMeUpUserInteractions,
        rideOptionPicker: RideOptionPickerUserInteractions,
        dropoffLocationPickerFactory: any DropoffLocationPickerFactory
    ) {
        self.state = LatestState(state)
        self.userInteractions = userInteractions
        self.rideOptionPicker = rideOptionPicker
        self.dropoffLocationPickerFactory = dropoffLocationPickerFactory
    }

    func appear() {}

    func perform(_ intention: Intention) {
        switch (intention, state.value?.step) {
        case (.chooseDropoff, _):
            dropoffLocationPicker = dropoffLocationPickerFactory.makeDropoffLocationPickerUserInteractions()
            dropoffLocationPicker?.goToDropoffLocationPicker()
        case (.searchDropoffs(let query), _): dropoffLocationPicker?.search(using: query)
        case (.selectDropoff(let name), .selectDropoffLocation(let picker, _)):
            if let location = picker.results.first(where: { $0.name == name }) {
                dropoffLocationPicker?.select(location)
            }
        case (.cancelDropoff, _), (.goBack, _): dropoffLocationPicker?.close()
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
