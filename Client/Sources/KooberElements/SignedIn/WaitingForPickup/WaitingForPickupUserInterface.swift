import KooberKit
import PouchEntities

/// A ride that was asked for, until the next one is begun.
@MainActor
protocol WaitingForPickupUserInterface: AnyObject {
    var interactionResponder: (any WaitingForPickupInteractionResponder)? { get set }
    func render(newState: WaitingForPickupViewState)
}

struct WaitingForPickupViewState: Sendable, Equatable {
    let ride: Ride
    let isCancelling: Bool
    let error: ErrorMessage?

    init(_ state: WaitingForPickupState) {
        ride = state.ride
        isCancelling = state.isCancelling
        error = state.errors.first
    }
}
