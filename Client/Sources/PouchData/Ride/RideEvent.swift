import PouchEntities

/// Something that became of a ride.
public struct RideEvent: Sendable, Hashable {
    public enum Kind: String, Sendable, Hashable {
        case status
        /// Where the driver is, and how long it still takes.
        case position
    }

    public let kind: Kind
    /// Behind which the events go on: the number of statuses that the ride has had.
    public let id: String
    public let update: RideUpdate

    public init(kind: Kind, id: String, update: RideUpdate) {
        self.kind = kind
        self.id = id
        self.update = update
    }
}
