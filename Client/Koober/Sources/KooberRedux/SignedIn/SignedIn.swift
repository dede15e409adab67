import KooberKit
import KooberScreens
import PouchEntities

/// The state of one session.
public struct SignedInState: Codable, Equatable, Sendable {
    /// The stages of each ride.
    public enum Step: Codable, Equatable, Sendable {
        case gettingUserLocation(GettingUserLocationState)
        case pickMeUp(PickMeUpState)
        case waitingForPickup(WaitingForPickupState)
    }

    public var session: SessionState
    public var step = Step.gettingUserLocation(.lookingForActiveRide)
    public var profile: ProfileState
    /// The oldest first.
    public var errors: [ErrorMessage] = []
    /// For the first ride request.
    public var plan: RidePlan?

    public init(session: SessionState, destination: Destination? = nil) {
        self.session = session
        profile = destination?.isProfileShown == true ? .shown : .closed
        plan = destination?.ride
    }

    var gettingUserLocation: GettingUserLocationState? {
        if case .gettingUserLocation(let state) = step { state } else { nil }
    }
    var pickMeUp: PickMeUpState? { if case .pickMeUp(let state) = step { state } else { nil } }
    var waitingForPickup: WaitingForPickupState? { if case .waitingForPickup(let state) = step { state } else { nil } }

    public var effects: Set<SignedInEffect> {
        profile == .signingOut ? [.followSession(session.id), .signOut] : [.followSession(session.id)]
    }

    /// With those of the step.
    var allEffects: Set<SignedInEffect> {
        switch step {
        case .gettingUserLocation(let state): effects.union(state.effects.map(SignedInEffect.gettingUserLocation))
        case .pickMeUp(let state): effects.union(state.effects.map(SignedInEffect.pickMeUp))
        case .waitingForPickup(let state): effects.union(state.effects.map(SignedInEffect.waitingForPickup))
        }
    }
}

public enum SignedInAction: Codable, Equatable, Sendable {
    case gettingUserLocation(GettingUserLocationAction)
    case pickMeUp(PickMeUpAction)
    case waitingForPickup(WaitingForPickupAction)
    case profile(ProfileAction)
    /// The system has gone back from the topmost view.
    case wentBack
    /// The service has issued new tokens.
    case sessionRenewed(SessionState)
    /// The session has ended on this device, even if the service could not be reached and an error is reported.
    case signedOut(ErrorMessage?)
    /// The session has ended, but not by signing out.
    case sessionEnded(ErrorMessage)
}

public enum SignedInEffect: Codable, Hashable, Sendable {
    case followSession(UserSession.ID)
    case signOut
    case gettingUserLocation(GettingUserLocationEffect)
    case pickMeUp(PickMeUpEffect)
    case waitingForPickup(WaitingForPickupEffect)
}

extension Reducers {
    /// Handles all actions except the end of the session.
    static func signedIn(_ state: inout SignedInState, _ action: SignedInAction) {
        switch (state.step, action) {
        case (.gettingUserLocation(let step), .gettingUserLocation(let action)):
            state.step = next(step, action, plan: &state.plan, errors: &state.errors)
        case (.pickMeUp(let step), .profile(.show)) where step.isSending: break
        case (.pickMeUp, .pickMeUp(.rideConfirmed)) where state.profile != .closed: break
        case (.pickMeUp(let step), .pickMeUp(let action)):
            state.step = next(step, action, errors: &state.errors)
        case (.waitingForPickup(let step), .waitingForPickup(let action)):
            state.step = next(step, action, errors: &state.errors)
        case (_, .profile(let action)):
            profile(&state.profile, action)
        case (_, .wentBack) where state.profile != .closed:
            profile(&state.profile, .close)
        case (.pickMeUp(let step), .wentBack):
            state.step = next(step, .closedDropoffLocationPicker, errors: &state.errors)
        case (_, .sessionRenewed(let session)) where session.id == state.session.id:
            state.session = session
        default: break
        }
    }

    private static func next(
        _ state: GettingUserLocationState, _ action: GettingUserLocationAction, plan: inout RidePlan?,
        errors: inout [ErrorMessage]
    ) -> SignedInState.Step {
        switch (state, action) {
        case (.lookingForActiveRide, .foundActiveRide(let ride)):
            plan = nil
            return .waitingForPickup(WaitingForPickupState(ride: ride))
        case (.locating, .foundUserLocation(let location)):
            defer { plan = nil }
            return .pickMeUp(PickMeUpState(pickupLocation: location, plan: plan))
        default:
            var state = state
            gettingUserLocation(&state, action, errors: &errors)
            return .gettingUserLocation(state)
        }
    }

    private static func next(
        _ state: PickMeUpState, _ action: PickMeUpAction, errors: inout [ErrorMessage]
    ) -> SignedInState.Step {
        if case (.sendingRideRequest, .newRideRequestSent(let ride)) = (state.step, action) {
            return .waitingForPickup(WaitingForPickupState(ride: ride))
        }
        var state = state
        pickMeUp(&state, action, errors: &errors)
        return .pickMeUp(state)
    }

    private static func next(
        _ state: WaitingForPickupState, _ action: WaitingForPickupAction, errors: inout [ErrorMessage]
    ) -> SignedInState.Step {
        if action == .startNewRide, state.ride.status.isFinal { return .gettingUserLocation(.lookingForActiveRide) }
        var state = state
        waitingForPickup(&state, action, errors: &errors)
        return .waitingForPickup(state)
    }
}

extension SignedInState {
    /// Removes the shown error, and resumes the work that waits for the user.
    mutating func acknowledgeError() {
        guard !errors.isEmpty else { return }
        let error = errors.removeFirst()
        switch step {
        case .gettingUserLocation(.failed(error.id)): step = .gettingUserLocation(.lookingForActiveRide)
        case .gettingUserLocation: break
        case .pickMeUp(var state):
            state.acknowledge(error)
            step = .pickMeUp(state)
        case .waitingForPickup(var state):
            state.acknowledge(error)
            step = .waitingForPickup(state)
        }
    }
}
