import KooberKit
import PouchEntities

/// How much of a request is known, whatever is shown.
public enum PickMeUpRequestProgress: Hashable, Sendable {
    case initial(pickupLocation: GeoPoint)
    case waypointsDetermined(waypoints: RideWaypoints)
    case rideRequestReady(rideRequest: NewRideRequest)

    var pickupLocation: GeoPoint {
        switch self {
        case .initial(let pickupLocation): pickupLocation
        case .waypointsDetermined(let waypoints): waypoints.pickupLocation
        case .rideRequestReady(let rideRequest): rideRequest.waypoints.pickupLocation
        }
    }

    /// What is shown when nothing lies over it.
    var view: PickMeUpView {
        switch self {
        case .initial: .initial
        case .waypointsDetermined: .selectRideOption
        case .rideRequestReady: .confirmRequest
        }
    }
}
