import KooberKit
import PouchEntities

/// What happens until there is a ride or a location. The first three say what became of looking for a ride.
public enum GettingUserLocationAction: Equatable, Sendable {
    /// Goes on in a scope of its own.
    case foundActiveRide(Ride, scope: SerialNumber)
    case foundNoActiveRide
    /// Who cannot be told of a ride can still ask for one: the service has one at most for each rider.
    case activeRideUnknown(ErrorMessage)
    /// Goes on in a scope of its own.
    case foundUserLocation(GeoPoint, scope: SerialNumber)
    case failed(ErrorToPresent)
    case finishedPresenting(ErrorToPresent.ID)
}
