import PouchEntities

/// Where somebody is who has signed in.
public enum SignedInView: Hashable, Sendable {
    case gettingUsersLocation
    case pickMeUp(pickupLocation: GeoPoint)
    /// The ride as it was when it was first heard of.
    case waitingForPickup(Ride)
}
