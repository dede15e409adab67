import PouchEntities

/// What happens to a ride, and to who waits for it.
public enum WaitingForPickupAction: Equatable, Sendable {
    case rideUpdated(Ride)
    case lostRide(ErrorToPresent)
    case cancelling(request: SerialNumber)
    case cancelled(Ride, request: SerialNumber)
    case cancellationFailed(ErrorToPresent, request: SerialNumber)
    case finishedPresenting(ErrorToPresent.ID)
    /// Where the user may be by then, in a scope of its own.
    case startNewRide(scope: SerialNumber)
}
