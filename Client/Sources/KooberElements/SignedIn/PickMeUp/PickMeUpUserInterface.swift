import KooberKit
import PouchEntities

/// The map, and what is to be decided next.
@MainActor
protocol PickMeUpUserInterface: AnyObject {
    var interactionResponder: (any PickMeUpInteractionResponder)? { get set }
    func render(newState: PickMeUpViewState)
}

struct PickMeUpViewState: Sendable, Equatable {
    enum Step: Sendable, Equatable {
        case initial
        case selectDropoffLocation(DropoffPickerState)
        case selectRideOption([DisplayableRideOption], isLoading: Bool)
        /// With one option selected.
        case confirmRequest([DisplayableRideOption])
        case sendingRideRequest
    }

    let pickupLocation: GeoPoint
    let dropoffLocation: NamedLocation?
    let step: Step
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
