import PouchEntities

/// From where the user is to the request of a ride.
public struct PickMeUpState: Equatable, Sendable {
    /// Each holds what was decided before it, so that none is there without.
    public enum Step: Equatable, Sendable {
        case initial
        /// Lies over what it was opened from.
        case selectDropoffLocation(DropoffLocationPickerState, over: Underneath)
        case selectRideOption(RideOptionPickerState)
        case confirmRequest(RideDraft)
        case sendingRideRequest(RideDraft, request: SerialNumber)
        /// Back at the confirmation, of which nothing is left once the error is acknowledged.
        case requestFailed(RideDraft, ErrorToPresent)
    }

    /// The steps at which a drop-off can be chosen.
    public enum Underneath: Equatable, Sendable {
        case initial
        case selectRideOption(RideOptionPickerState)
        case confirmRequest(RideDraft)
    }

    public let scope: SerialNumber
    public let pickupLocation: GeoPoint
    public internal(set) var step = Step.initial

    init(scope: SerialNumber, pickupLocation: GeoPoint) {
        self.scope = scope
        self.pickupLocation = pickupLocation
    }

    /// nil until one is chosen.
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

    /// What a drop-off picker that is opened now lies over; nil where none can be opened.
    var underneath: PickMeUpState.Underneath? {
        switch self {
        case .initial: .initial
        case .selectRideOption(let picker): .selectRideOption(picker)
        case .confirmRequest(let draft): .confirmRequest(draft)
        case .selectDropoffLocation, .sendingRideRequest, .requestFailed: nil
        }
    }

    /// Also where a drop-off picker lies over it.
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
