import PouchEntities

/// The map, and what is to be decided next.
public struct PickMeUpScreen: Hashable, Sendable {
    public var pickupLocation: GeoPoint
    public var dropoffLocation: GeoPoint?
    public var step: Step

    public enum Step: Hashable, Sendable {
        /// Where to?
        case initial
        case selectDropoffLocation(DropoffPicker)
        case selectRideOption(RideOptionPicker)
        /// The same picker with one option selected.
        case confirmRequest(RideOptionPicker)
        case sendingRideRequest
    }

    public init(pickupLocation: GeoPoint, dropoffLocation: GeoPoint? = nil, step: Step = .initial) {
        self.pickupLocation = pickupLocation
        self.dropoffLocation = dropoffLocation
        self.step = step
    }
}

public struct DropoffPicker: Hashable, Sendable {
    /// What was searched for last; empty for the places near by.
    public var query: String
    public var results: [NamedLocation]
    public var isSearching: Bool

    public init(query: String = "", results: [NamedLocation] = [], isSearching: Bool = false) {
        self.query = query
        self.results = results
        self.isSearching = isSearching
    }
}

public struct RideOptionPicker: Hashable, Sendable {
    public struct Segment: Hashable, Sendable, Identifiable {
        public var id: String
        public var title: String
        public var fare: Money
        public var capacity: Int
        public var isSelected: Bool

        public init(id: String, title: String, fare: Money, capacity: Int, isSelected: Bool = false) {
            self.id = id
            self.title = title
            self.fare = fare
            self.capacity = capacity
            self.isSelected = isSelected
        }
    }

    public var segments: [Segment]
    public var isLoading: Bool

    public init(segments: [Segment] = [], isLoading: Bool = false) {
        self.segments = segments
        self.isLoading = isLoading
    }
}
