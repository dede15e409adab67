import PouchEntities

/// The state of one session.
public struct SignedInState: Equatable, Sendable {
    /// The stages of each ride. Each has a scope of its own.
    public enum Step: Equatable, Sendable {
        case gettingUserLocation(GettingUserLocationState)
        case pickMeUp(PickMeUpState)
        case waitingForPickup(WaitingForPickupState)
    }

    public let scope: SerialNumber
    public let userSession: UserSession
    public internal(set) var step: Step
    public internal(set) var profile = ProfileState.closed
    /// The errors that belong to no step.
    public internal(set) var errors: [ErrorToPresent] = []

    init(scope: SerialNumber, userSession: UserSession) {
        self.scope = scope
        self.userSession = userSession
        step = .gettingUserLocation(GettingUserLocationState(scope: scope))
    }

    // A step is out of scope once another one, even of the same kind, has replaced it.

    public func gettingUserLocation(_ scope: SerialNumber) -> ScopedState<GettingUserLocationState> {
        guard case .gettingUserLocation(let state) = step, state.scope == scope else { return .outOfScope }
        return .inScope(state)
    }

    public func pickMeUp(_ scope: SerialNumber) -> ScopedState<PickMeUpState> {
        guard case .pickMeUp(let state) = step, state.scope == scope else { return .outOfScope }
        return .inScope(state)
    }

    public func waitingForPickup(_ scope: SerialNumber) -> ScopedState<WaitingForPickupState> {
        guard case .waitingForPickup(let state) = step, state.scope == scope else { return .outOfScope }
        return .inScope(state)
    }

    var errorsToPresent: [ErrorToPresent] {
        switch step {
        case .gettingUserLocation(let state): errors + state.errorsToPresent
        case .pickMeUp(let state): errors + state.errorsToPresent
        case .waitingForPickup(let state): errors + state.errorsToPresent
        }
    }
}

/// The events of one session. An action of a step changes nothing once the scope of the step has ended.
public enum SignedInAction: Equatable, Sendable {
    case gettingUserLocation(scope: SerialNumber, GettingUserLocationAction)
    case pickMeUp(scope: SerialNumber, PickMeUpAction)
    case waitingForPickup(scope: SerialNumber, WaitingForPickupAction)
    case profile(ProfileAction)
    /// The session has ended on this device, even if the service could not be reached and an error is reported.
    case signedOut(request: SerialNumber, ErrorToPresent?)
    /// The session has ended other than by signing out.
    case sessionEnded(ErrorToPresent)
    case finishedPresenting(ErrorToPresent.ID)
}

extension Reducers {
    /// Handles all actions but the end of the session.
    static func signedIn(_ state: SignedInState, _ action: SignedInAction) -> SignedInState {
        var state = state
        switch (state.step, action) {
        case (.gettingUserLocation(let step), .gettingUserLocation(let scope, let action)) where step.scope == scope:
            state.step = next(step, action)
        // Under the profile, the user cannot have confirmed a ride.
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
