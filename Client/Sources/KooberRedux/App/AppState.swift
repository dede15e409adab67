import PouchEntities

/// All that the app shows depends on this.
public enum AppState: Equatable, Sendable {
    case launching(LaunchingState)
    case onboarding(OnboardingState)
    case signedIn(SignedInState)

    /// As the process starts.
    public static let initial = AppState.launching(.readingUserSession)

    /// nil while it is not known, too.
    public var userSession: UserSession? {
        guard case .signedIn(let state) = self else { return nil }
        return state.userSession
    }

    /// That of one session: never that of a later one.
    public func signedIn(_ scope: SerialNumber) -> ScopedState<SignedInState> {
        guard case .signedIn(let state) = self, state.scope == scope else { return .outOfScope }
        return .inScope(state)
    }

    /// The first is to be shown.
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
