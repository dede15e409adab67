import PouchEntities

extension Reducers {
    /// For all but the end of the session.
    static func signedIn(_ state: SignedInState, _ action: SignedInAction) -> SignedInState {
        var state = state
        switch (state.step, action) {
        case (.gettingUserLocation(let step), .gettingUserLocation(let scope, let action)) where step.scope == scope:
            state.step = next(step, action)
        // What is confirmed under the profile was confirmed by nobody.
        case (.pickMeUp, .pickMeUp(_, .sendingRideRequest)) where state.profile != .closed:
            break
        case (.pickMeUp(let step), .pickMeUp(let scope, let action)) where step.scope == scope:
            state.step = next(step, action)
        case (.waitingForPickup(let step), .waitingForPickup(let scope, let action)) where step.scope == scope:
            state.step = next(step, action)
        case (.pickMeUp(let step), .profile(.show)) where step.isSending:
            break
        case (_, .profile(let action)):
            state.profile = profile(state.profile, action)
        case (_, .finishedPresenting(let id)):
            state.errors.removeAll { $0.id == id }
        default:
            break
        }
        return state
    }

    private static func next(
        _ state: GettingUserLocationState, _ action: GettingUserLocationAction
    ) -> SignedInState.Step {
        switch (state.progress, action) {
        case (.lookingForActiveRide, .foundActiveRide(let ride, let scope)):
            .waitingForPickup(WaitingForPickupState(scope: scope, ride: ride))
        case (.locating, .foundUserLocation(let location, let scope)):
            .pickMeUp(PickMeUpState(scope: scope, pickupLocation: location))
        default:
            .gettingUserLocation(gettingUserLocation(state, action))
        }
    }

    private static func next(_ state: PickMeUpState, _ action: PickMeUpAction) -> SignedInState.Step {
        switch (state.step, action) {
        case (.sendingRideRequest(_, let request), .newRideRequestSent(let ride, let scope, let answered))
        where request == answered:
            .waitingForPickup(WaitingForPickupState(scope: scope, ride: ride))
        default:
            .pickMeUp(pickMeUp(state, action))
        }
    }

    private static func next(
        _ state: WaitingForPickupState, _ action: WaitingForPickupAction
    ) -> SignedInState.Step {
        switch action {
        case .startNewRide(let scope) where state.ride.status.isFinal:
            .gettingUserLocation(GettingUserLocationState(scope: scope))
        default:
            .waitingForPickup(waitingForPickup(state, action))
        }
    }
}
