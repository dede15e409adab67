import PouchEntities

/// What happens between a location and a ride.
public enum PickMeUpAction: Equatable, Sendable {
    /// With a first search.
    case goToDropoffLocationPicker(request: SerialNumber)
    case dropoffLocationPicker(DropoffLocationPickerAction)
    /// Also by the means of the system, which has already done so.
    case closedDropoffLocationPicker
    /// To a drop-off that was just chosen, or once more to the same.
    case loadingRideOptions(dropoffLocation: NamedLocation, request: SerialNumber)
    case rideOptionPicker(RideOptionPickerAction)
    case rideOptionSelected(RideOption.ID)
    case sendingRideRequest(request: SerialNumber)
    case rideRequestFailed(ErrorToPresent, request: SerialNumber)
    /// Goes on in a scope of its own.
    case newRideRequestSent(Ride, scope: SerialNumber, request: SerialNumber)
    case finishedPresenting(ErrorToPresent.ID)
}
