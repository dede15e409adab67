import PouchEntities

/// The state from the user's location to the request of a ride.
public struct PickMeUpState: Equatable, Sendable {
    /// Each step holds the decisions that it requires.
    public enum Step: Equatable, Sendable {
        case initial
        /// Covers the step that it was opened from.
        case selectDropoffLocation(DropoffLocationPickerState, over: Underneath)
        case selectRideOption(RideOptionPickerState)
        case confirmRequest(RideDraft)
        case sendingRideRequest(RideDraft, request: SerialNumber)
        /// Shows the confirmation until the user acknowledges the error. Then the options are loaded again.
        case requestFailed(RideDraft, ErrorToPresent)
    }

    /// The steps that can open the drop-off picker.
    public enum Underneath: Equatable, Sendable {
        case initial
        case selectRideOption(RideOptionPickerState)
        case confirmRequest(RideDraft)
    }

    public let scope: SerialNumber
    public let pickupLocation: GeoPoint
    public internal(set) var step = Step.initial

    /// nil until the user has chosen one.
    public var dropoffLocation: NamedLocation? {
        switch step {
        case .initial, .selectDropoffLocation(_, .initial): nil
        case .selectRideOption(let picker), .selectDropoffLocation(_, .selectRideOption(let picker)):
            picker.dropoffLocation
        case .confirmRequest(let draft), .selectDropoffLocation(_, .confirmRequest(let draft)),
            .sendingRideRequest(let draft, _), .requestFailed(let draft, _):
            draft.dropoffLocation
        }
    }

    var isSending: Bool {
        guard case .sendingRideRequest = step else { return false }
        return true
    }

    var errorsToPresent: [ErrorToPresent] {
        switch step {
        case .initial, .confirmRequest, .sendingRideRequest: []
        case .selectDropoffLocation(let picker, .selectRideOption(let options)):
            picker.errors + options.errorsToPresent
        case .selectDropoffLocation(let picker, _): picker.errors
        case .selectRideOption(let options): options.errorsToPresent
        case .requestFailed(_, let error): [error]
        }
    }
}

extension PickMeUpState.Step {
    init(_ underneath: PickMeUpState.Underneath) {
        self =
            switch underneath {
            case .initial: .initial
            case .selectRideOption(let picker): .selectRideOption(picker)
            case .confirmRequest(let draft): .confirmRequest(draft)
            }
    }

    /// The step under a drop-off picker that is opened now; nil if none can be opened.
    var underneath: PickMeUpState.Underneath? {
        switch self {
        case .initial: .initial
        case .selectRideOption(let picker): .selectRideOption(picker)
        case .confirmRequest(let draft): .confirmRequest(draft)
        case .selectDropoffLocation, .sendingRideRequest, .requestFailed: nil
        }
    }

    /// Changes the ride option picker, even under a drop-off picker.
    mutating func updateRideOptionPicker(_ update: (RideOptionPickerState) -> RideOptionPickerState) {
        switch self {
        case .selectRideOption(let options):
            self = .selectRideOption(update(options))
        case .selectDropoffLocation(let picker, .selectRideOption(let options)):
            self = .selectDropoffLocation(picker, over: .selectRideOption(update(options)))
        default: break
        }
    }
}

public enum PickMeUpAction: Equatable, Sendable {
    /// Opens the picker with its first search.
    case goToDropoffLocationPicker(request: SerialNumber)
    case dropoffLocationPicker(DropoffLocationPickerAction)
    /// The user has cancelled, or the system has gone back already.
    case closedDropoffLocationPicker
    /// For a new drop-off, or again for the same one.
    case loadingRideOptions(dropoffLocation: NamedLocation, request: SerialNumber)
    case rideOptionPicker(RideOptionPickerAction)
    case rideOptionSelected(RideOption.ID)
    case sendingRideRequest(request: SerialNumber)
    case rideRequestFailed(ErrorToPresent, request: SerialNumber)
    /// - Parameter scope: the scope of the next step.
    case newRideRequestSent(Ride, scope: SerialNumber, request: SerialNumber)
    case finishedPresenting(ErrorToPresent.ID)
}

extension Reducers {
    /// Handles all actions but a sent request, which leads to the next step.
    static func pickMeUp(_ state: PickMeUpState, _ action: PickMeUpAction) -> PickMeUpState {
        var state = state
        switch action {
        case .goToDropoffLocationPicker(let request):
            if let underneath = state.step.underneath {
                state.step = .selectDropoffLocation(DropoffLocationPickerState(search: request), over: underneath)
            }
        case .dropoffLocationPicker(let action):
            if case .selectDropoffLocation(let picker, let underneath) = state.step {
                state.step = .selectDropoffLocation(dropoffLocationPicker(picker, action), over: underneath)
            }
        case .closedDropoffLocationPicker:
            if case .selectDropoffLocation(_, let underneath) = state.step { state.step = .init(underneath) }
        case .loadingRideOptions(let dropoffLocation, let request):
            switch state.step {
            case .selectDropoffLocation, .requestFailed:
                state.step = .selectRideOption(
                    RideOptionPickerState(dropoffLocation: dropoffLocation, progress: .loading(request)))
            default: break
            }
        case .rideOptionPicker(let action):
            state.step.updateRideOptionPicker { rideOptionPicker($0, action) }
        case .rideOptionSelected(let id):
            switch state.step {
            case .selectRideOption(let picker):
                if let draft = picker.selecting(id) { state.step = .confirmRequest(draft) }
            case .confirmRequest(let draft): state.step = .confirmRequest(draft.selecting(id))
            default: break
            }
        case .sendingRideRequest(let request):
            if case .confirmRequest(let draft) = state.step {
                state.step = .sendingRideRequest(draft, request: request)
            }
        case .rideRequestFailed(let error, let request):
            if case .sendingRideRequest(let draft, request: request) = state.step {
                state.step = .requestFailed(draft, error)
            }
        case .finishedPresenting(let id):
            if case .selectDropoffLocation(var picker, let underneath) = state.step {
                picker.errors.removeAll { $0.id == id }
                state.step = .selectDropoffLocation(picker, over: underneath)
            }
            state.step.updateRideOptionPicker { rideOptionPicker($0, .finishedPresenting(id)) }
        case .newRideRequestSent: break
        }
        return state
    }
}
