import PouchEntities

/// While one user is signed in.
public struct SignedInState: Equatable, Sendable {
    /// Each has a scope of its own, in which its answers count.
    public enum Step: Equatable, Sendable {
        case gettingUserLocation(GettingUserLocationState)
        case pickMeUp(PickMeUpState)
        case waitingForPickup(WaitingForPickupState)
    }

    public let scope: SerialNumber
    public let userSession: UserSession
    public internal(set) var step: Step
    public internal(set) var profile = ProfileState.closed
    /// Those of no step.
    public internal(set) var errors: [ErrorToPresent] = []

    init(scope: SerialNumber, userSession: UserSession) {
        self.scope = scope
        self.userSession = userSession
        step = .gettingUserLocation(GettingUserLocationState(scope: scope))
    }

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
