extension Reducers {
    /// For all but its end.
    static func waitingForPickup(
        _ state: WaitingForPickupState, _ action: WaitingForPickupAction
    ) -> WaitingForPickupState {
        var state = state
        switch action {
        case .rideUpdated(let ride): state.update(ride)
        case .lostRide(let error): state.lose(error)
        case .cancelling(let request): state.beginCancellation(request)
        case .cancelled(let ride, state.cancellation):
            state.endCancellation()
            state.update(ride)
        case .cancellationFailed(let error, state.cancellation):
            state.endCancellation()
            state.errors.append(error)
        case .finishedPresenting(let id):
            state.errors.removeAll { $0.id == id }
            if case .lost(let error) = state.following, error.id == id { state.following = .following }
        case .cancelled, .cancellationFailed, .startNewRide: break
        }
        return state
    }
}
