import PouchEntities

/// Goes on with a ride that was under way already.
@MainActor
public protocol ActiveRideFoundResponder: AnyObject {
    func activeRideFound(_ ride: Ride) throws(IllegalTransition)
}
