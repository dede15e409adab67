import PouchEntities

public enum GettingUserLocationAction: Equatable, Sendable {
    /// Goes on in a scope of its own, as does the next.
    case foundActiveRide(Ride, scope: SerialNumber)
    case foundUserLocation(GeoPoint, scope: SerialNumber)
    case failed(ErrorToPresent)
    case finishedPresenting(ErrorToPresent.ID)
}
