import PouchEntities

/// Goes on with where somebody wants to be picked up.
@MainActor
public protocol UserLocationDeterminedResponder: AnyObject {
    func userLocationDetermined(at pickupLocation: GeoPoint) throws(IllegalTransition)
}
