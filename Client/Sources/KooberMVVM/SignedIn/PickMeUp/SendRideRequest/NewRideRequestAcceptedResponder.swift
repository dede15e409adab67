import PouchEntities

/// Goes on with a ride that was asked for.
@MainActor
public protocol NewRideRequestAcceptedResponder: AnyObject {
    func newRideRequestAccepted(_ ride: Ride)
}
