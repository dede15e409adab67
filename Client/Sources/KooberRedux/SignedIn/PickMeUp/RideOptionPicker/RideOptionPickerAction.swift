import KooberKit

/// What is answered to who asked for options.
public enum RideOptionPickerAction: Equatable, Sendable {
    case loaded([PricedRideOption], request: SerialNumber)
    case loadingFailed(ErrorToPresent, request: SerialNumber)
    case finishedPresenting(ErrorToPresent.ID)
}
