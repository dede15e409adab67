import PouchEntities

/// The state of the whole app. Everything the app shows depends on it.
public enum AppState: Equatable, Sendable {
    case launching(LaunchingState)
    case onboarding(OnboardingState)
    case signedIn(SignedInState)

    public static let initial = AppState.launching(.readingUserSession)

    /// nil also during the launch.
    public var userSession: UserSession? {
        guard case .signedIn(let state) = self else { return nil }
        return state.userSession
    }

    /// Returns the state of the session with this scope, which is out of scope once the session has ended.
    public func signedIn(_ scope: SerialNumber) -> ScopedState<SignedInState> {
        guard case .signedIn(let state) = self, state.scope == scope else { return .outOfScope }
        return .inScope(state)
    }

    /// The oldest error first. The app shows only the first.
    public var errorsToPresent: [ErrorToPresent] {
        let errors =
            switch self {
            case .launching(let state): state.errorsToPresent
            case .onboarding(let state): state.errorsToPresent
            case .signedIn(let state): state.errorsToPresent
            }
        return errors.sorted { $0.id < $1.id }
    }
}

/// An event in the app. No action carries a password, and no description of an action contains a session's tokens.
public enum AppAction: Equatable, Sendable {
    case launching(LaunchingAction)
    case onboarding(OnboardingAction)
    /// Changes nothing once the session with this scope has ended.
    case signedIn(scope: SerialNumber, SignedInAction)
    case persistence(PersistenceAction)
}

extension Reducers {
    public static func app(_ state: AppState, _ action: AppAction) -> AppState {
        switch (state, action) {
        case (.launching(let state), .launching(let action)):
            launching(state, action)
        case (.onboarding(let state), .onboarding(.signedIn(let session, let scope, let request))):
            state.isSending(request)
                ? .signedIn(SignedInState(scope: scope, userSession: session)) : .onboarding(state)
        case (.onboarding(let state), .onboarding(let action)):
            .onboarding(onboarding(state, action))
        case (.signedIn(let state), .signedIn(let scope, let action)) where state.scope == scope:
            session(state, action)
        case (_, .persistence(let action)):
            persistence(state, action)
        default:
            state
        }
    }

    private static func session(_ state: SignedInState, _ action: SignedInAction) -> AppState {
        switch action {
        case .sessionEnded(let error):
            .onboarding(OnboardingState(errors: [error]))
        case .signedOut(let request, let error) where state.profile == .signingOut(request):
            .onboarding(OnboardingState(errors: [error].compactMap { $0 }))
        default:
            .signedIn(signedIn(state, action))
        }
    }
}
