/// What happens in one session, to its steps in the scope of each.
public enum SignedInAction: Equatable, Sendable {
    case gettingUserLocation(scope: SerialNumber, GettingUserLocationAction)
    case pickMeUp(scope: SerialNumber, PickMeUpAction)
    case waitingForPickup(scope: SerialNumber, WaitingForPickupAction)
    case profile(ProfileAction)
    /// In any case on this device.
    case signedOut(request: SerialNumber, ErrorToPresent?)
    /// Otherwise than by signing out.
    case sessionEnded(ErrorToPresent)
    case finishedPresenting(ErrorToPresent.ID)
}
