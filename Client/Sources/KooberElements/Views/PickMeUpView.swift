import KooberScreens
import PouchEntities

final class PickMeUpView: PickMeUpUserInterface, View {
    weak var interactionResponder: (any PickMeUpInteractionResponder)?
    private let window: Window
    /// Those of the drop-off picker.
    private var results: [NamedLocation] = []

    init(window: Window) { self.window = window }

    func render(newState: PickMeUpViewState) {
        if case .selectDropoffLocation(let picker) = newState.step { results = picker.results }
        window.show(
            .pickMeUp(PickMeUpScreen(newState)), error: newState.error, in: self, errorResponder: interactionResponder)
    }

    func perform(_ intention: Intention) -> Bool {
        switch intention {
        case .chooseDropoff: interactionResponder?.chooseDropoffLocation()
        case .searchDropoffs(let query): interactionResponder?.searchDropoffLocations(query: query)
        case .selectDropoff(let name):
            guard let location = results.first(where: { $0.name == name }) else { return false }
            interactionResponder?.select(dropoffLocation: location)
        case .cancelDropoff, .goBack: interactionResponder?.cancelDropoffLocation()
        case .selectRideOption(let id): interactionResponder?.select(rideOption: id)
        case .confirmRide: interactionResponder?.requestRide()
        default: return false
        }
        return true
    }
}

extension PickMeUpScreen {
    fileprivate init(_ state: PickMeUpViewState) {
        self.init(
            pickupLocation: state.pickupLocation, dropoffLocation: state.dropoffLocation, step: Step(state.step))
    }
}

extension PickMeUpScreen.Step {
    fileprivate init(_ step: PickMeUpViewState.Step) {
        switch step {
        case .initial:
            self = .initial
        case .selectDropoffLocation(let picker):
            self = .selectDropoffLocation(
                DropoffPicker(query: picker.query, results: picker.results, isSearching: picker.isSearching))
        case .selectRideOption(let options, let isLoading):
            self = .selectRideOption(RideOptionPicker(options, isLoading: isLoading))
        case .confirmRequest(let options):
            self = .confirmRequest(RideOptionPicker(options))
        case .sendingRideRequest:
            self = .sendingRideRequest
        }
    }
}

extension RideOptionPicker {
    fileprivate init(_ options: [DisplayableRideOption], isLoading: Bool = false) {
        self.init(
            segments: options.map {
                Segment(
                    id: $0.id, title: $0.title, fare: $0.fare, capacity: $0.capacity, isSelected: $0.isSelected)
            },
            isLoading: isLoading)
    }
}
