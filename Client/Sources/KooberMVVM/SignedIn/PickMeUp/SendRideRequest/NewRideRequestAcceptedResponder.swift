import PouchEntities

/// Goes on with a ride that was asked for.
@MainActor
public protocol NewRideRequestAcceptedResponder: AnyObject {
    /// - Throws: where no request is being sent.
    func newRideRequestAccepted(_ ride: Ride) throws(IllegalTransition)
}
