import KooberKit
import PouchEntities

/// Of the wait for one ride.
public struct WaitingForPickupState: PresentsErrors {
    public var ride: Ride
    public var isCancelling = false
    /// Of the error because of which the ride is not followed any more.
    public var interruption: ErrorMessage.ID?
    public var errors: [ErrorMessage] = []

    public init(ride: Ride) {
        self.ride = ride
    }
}
