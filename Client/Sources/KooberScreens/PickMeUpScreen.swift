import PouchEntities

/// The map, and what is to be decided next.
public struct PickMeUpScreen: Hashable, Sendable {
    public var pickupLocation: GeoPoint
    public var dropoffLocation: NamedLocation?
    public var step: Step

    /// What is to be decided, or waited for.
    public enum Step: Hashable, Sendable {
        /// Where to?
        case initial
        case selectDropoffLocation(DropoffPicker)
        case selectRideOption(RideOptionPicker)
        /// The same picker with one option selected.
        case confirmRequest(RideOptionPicker)
        case sendingRideRequest
    }

    public init(pickupLocation: GeoPoint, dropoffLocation: NamedLocation? = nil, step: Step = .initial) {
        self.pickupLocation = pickupLocation
        self.dropoffLocation = dropoffLocation
        self.step = step
    }
}
