import KooberKit
import KooberScreens
import PouchEntities

/// The state of the map view.
struct PickMeUpViewState: Sendable, Equatable {
    /// The next decision of the user, or the request in progress. An open drop-off picker hides the step below it.
    enum Step: Sendable, Equatable {
        case initial
        case selectDropoffLocation(DropoffPickerState)
        case selectRideOption([DisplayableRideOption], isLoading: Bool)
        /// The options with one of them selected.
        case confirmRequest([DisplayableRideOption])
        case sendingRideRequest
    }

    let pickupLocation: GeoPoint
    /// nil until the user has chosen a drop-off.
    let dropoffLocation: NamedLocation?
    let step: Step
    /// The shown error; nil without one.
    let error: ErrorMessage?

    init(_ state: PickMeUpState) {
        pickupLocation = state.pickupLocation
        dropoffLocation = state.dropoffLocation
        step = Step(state)
        error = state.errors.first
    }
}

extension PickMeUpViewState.Step {
    fileprivate init(_ state: PickMeUpState) {
        switch (state.dropoffPicker, state.step) {
        case (let picker?, _):
            self = .selectDropoffLocation(picker)
        case (nil, .initial):
            self = .initial
        case (nil, .sendingRideRequest):
            self = .sendingRideRequest
        case (nil, .selectRideOption(let options)), (nil, .rideRequestFailed(let options)):
            let displayed = options.options.map {
                DisplayableRideOption($0, isSelected: $0.id == options.selectedID)
            }
            self =
                options.selected == nil
                ? .selectRideOption(displayed, isLoading: options.isLoading) : .confirmRequest(displayed)
        }
    }
}

/// A ride option as the picker shows it.
struct DisplayableRideOption: Sendable, Equatable, Identifiable {
    let id: PricedRideOption.ID
    let title: String
    let capacity: Int
    let fare: Money
    let isSelected: Bool

    init(_ option: PricedRideOption, isSelected: Bool) {
        id = option.id
        title = option.option.name
        capacity = option.option.capacity
        fare = option.quote.fare
        self.isSelected = isSelected
    }
}

// MARK: View

final class PickMeUpView: View, ScreenUserInterface {
    weak var interactionResponder: (any PickMeUpInteractionResponder)?
    /// The places in the drop-off picker.
    private var results: [NamedLocation] = []

    func render(newState: PickMeUpViewState) {
        if case .selectDropoffLocation(let picker) = newState.step { results = picker.results }
        let screen = PickMeUpScreen(
            pickupLocation: newState.pickupLocation, dropoffLocation: newState.dropoffLocation,
            step: PickMeUpScreen.Step(newState.step))
        window.show(.pickMeUp(screen), error: newState.error, in: self, errorResponder: interactionResponder)
    }

    override func perform(_ intention: Intention) -> Bool {
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

extension PickMeUpScreen.Step {
    fileprivate init(_ step: PickMeUpViewState.Step) {
        self =
            switch step {
            case .initial: .initial
            case .selectDropoffLocation(let picker):
                .selectDropoffLocation(
                    DropoffPicker(query: picker.query, results: picker.results, isSearching: picker.isSearching))
            case .selectRideOption(let options, let isLoading):
                .selectRideOption(RideOptionPicker(options, isLoading: isLoading))
            case .confirmRequest(let options): .confirmRequest(RideOptionPicker(options))
            case .sendingRideRequest: .sendingRideRequest
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
