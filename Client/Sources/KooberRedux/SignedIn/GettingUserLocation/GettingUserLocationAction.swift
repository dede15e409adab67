import KooberKit
import PouchEntities

/// What happens until there is a ride or a location. The first two say what became of looking for a ride.
public enum GettingUserLocationAction: Equatable, Sendable {
    /// Goes on in a scope of its own.
    case foundActiveRide(Ride, scope: SerialNumber)
    case foundNoActiveRide
    /// Goes on in a scope of its own.
    case foundUserLocation(GeoPoint, scope: SerialNumber)
    /// Of either.
    case failed(ErrorToPresent)
    case finishedPresenting(ErrorToPresent.ID)
}
