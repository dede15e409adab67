import PouchEntities

/// What there is to ride on; nothing while it is loaded, or where that failed.
public struct RideOptionPicker: Hashable, Sendable {
    /// One option, with what it costs for the trip.
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
