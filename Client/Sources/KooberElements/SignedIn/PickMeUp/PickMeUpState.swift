import KooberKit
import PouchEntities

/// Of what leads from the user's location to the request of a ride.
public struct PickMeUpState: PresentsErrors {
    /// What is to be decided next, or is being done.
    public enum Step: Sendable, Equatable {
        /// No drop-off was chosen yet.
        case initial
        case selectRideOption(RideOptions)
        case sendingRideRequest(RideOptions)
        /// Until the error is acknowledged. The prices may have expired.
        case rideRequestFailed(RideOptions)
    }

    public let pickupLocation: GeoPoint
    public var dropoffLocation: NamedLocation?
    public var step = Step.initial
    /// Lies over the step, which goes on beneath; nil while it is closed.
    public var dropoffPicker: DropoffPickerState?
    public var errors: [ErrorMessage] = []

    public init(pickupLocation: GeoPoint) {
        self.pickupLocation = pickupLocation
    }

    var isSending: Bool {
        if case .sendingRideRequest = step { true } else { false }
    }

    /// nil until there is a drop-off.
    var waypoints: RideWaypoints? {
        dropoffLocation.map { RideWaypoints(pickupLocation: pickupLocation, dropoffLocation: $0.location) }
    }
}

/// What there is to ride on to the drop-off; none while that is loading, or could not be loaded.
public struct RideOptions: Sendable, Equatable {
    public var options: [PricedRideOption]
    public var selectedID: PricedRideOption.ID?
    public var isLoading: Bool

    public init(options: [PricedRideOption] = [], isLoading: Bool = false) {
        self.options = options
        self.isLoading = isLoading
    }

    public var selected: PricedRideOption? { options.first { $0.id == selectedID } }
}

/// Of a picker that is open.
public struct DropoffPickerState: Sendable, Equatable {
    public var query = ""
    /// Of an earlier search, while there is one.
    public var results: [NamedLocation] = []
    public var isSearching = false

    public init() {}
}
