import PouchEntities

/// The map with the next decision of the user.
public struct PickMeUpScreen: Hashable, Sendable {
    public var pickupLocation: GeoPoint
    public var dropoffLocation: NamedLocation?
    public var step: Step

    public enum Step: Hashable, Sendable {
        /// Asks for a destination.
        case initial
        case selectDropoffLocation(DropoffPicker)
        case selectRideOption(RideOptionPicker)
        /// The ride options with one of them selected.
        case confirmRequest(RideOptionPicker)
        case sendingRideRequest
    }

    public init(pickupLocation: GeoPoint, dropoffLocation: NamedLocation? = nil, step: Step = .initial) {
        self.pickupLocation = pickupLocation
        self.dropoffLocation = dropoffLocation
        self.step = step
    }
}

/// The search for a destination.
public struct DropoffPicker: Hashable, Sendable {
    /// The text of the last search; empty for the places nearby.
    public var query: String
    /// The best match first.
    public var results: [NamedLocation]
    public var isSearching: Bool

    public init(query: String = "", results: [NamedLocation] = [], isSearching: Bool = false) {
        self.query = query
        self.results = results
        self.isSearching = isSearching
    }
}

/// The ride options of a trip.
public struct RideOptionPicker: Hashable, Sendable {
    public struct Segment: Hashable, Sendable, Identifiable {
        public var id: String
        public var title: String
        /// For the whole trip.
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

    /// Empty while the options are loaded, and if loading failed.
    public var segments: [Segment]
    public var isLoading: Bool

    public init(segments: [Segment] = [], isLoading: Bool = false) {
        self.segments = segments
        self.isLoading = isLoading
    }
}
