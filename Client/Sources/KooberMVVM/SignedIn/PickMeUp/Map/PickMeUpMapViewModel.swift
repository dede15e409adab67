import Observation
import PouchEntities

/// What is marked on the map.
@MainActor
@Observable
public final class PickMeUpMapViewModel {
    public let pickupLocation: GeoPoint
    public internal(set) var dropoffLocation: NamedLocation?

    public init(pickupLocation: GeoPoint) {
        self.pickupLocation = pickupLocation
    }
}
