import KooberKit
import PouchEntities

/// A ride that was asked for, until the next one is begun.
@MainActor
public protocol WaitingForPickupUserInterface: AnyObject {
    func render(newState: WaitingForPickupViewState)
}

public struct WaitingForPickupViewState: Sendable, Equatable {
    public let ride: DisplayableRide
    public let isCancelling: Bool
    public let error: ErrorMessage?

    init(_ state: WaitingForPickupState) {
        ride = DisplayableRide(state.ride)
        isCancelling = state.isCancelling
        error = state.errors.first
    }
}
