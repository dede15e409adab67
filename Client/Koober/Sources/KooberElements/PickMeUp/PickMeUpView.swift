import KooberScreens
import PouchEntities

final class PickMeUpView: ContentView<any PickMeUpInteractionResponder> {
    override func perform(_ intention: Intention) -> Bool {
        switch intention {
        case .chooseDropoff: interactionResponder?.chooseDropoffLocation()
        case .searchDropoffs(let query): interactionResponder?.searchDropoffLocations(query: query)
        case .selectDropoff(let name): interactionResponder?.selectDropoffLocation(named: name)
        case .cancelDropoff, .goBack: interactionResponder?.cancelDropoffLocation()
        case .selectRideOption(let id): interactionResponder?.select(rideOption: id)
        case .confirmRide: interactionResponder?.requestRide()
        default: return super.perform(intention)
        }
        return true
    }
}

extension PickMeUpScreen {
    init(_ state: PickMeUpState, showsMap: Bool) {
        self.init(
            pickupLocation: state.pickupLocation, dropoffLocation: state.dropoffLocation, step: Step(state),
            showsMap: showsMap)
    }
}

extension PickMeUpScreen.Step {
    /// An open drop-off picker hides the step below it.
    fileprivate init(_ state: PickMeUpState) {
        switch (state.dropoffPicker, state.step) {
        case (let picker?, _):
            self = .selectDropoffLocation(
                DropoffPicker(
                    query: picker.query, results: picker.results, from: state.pickupLocation,
                    isSearching: picker.isSearching))
        case (nil, .initial):
            self = .initial
        case (nil, .sendingRideRequest):
            self = .sendingRideRequest
        case (nil, .selectRideOption(let options)), (nil, .rideRequestFailed(let options, _)):
            let picker = RideOptionPicker(
                options.options, selected: options.selectedID, isLoading: options.isLoading)
            self = options.selected == nil ? .selectRideOption(picker) : .confirmRequest(picker)
        }
    }
}
