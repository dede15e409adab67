import PouchWire

/// What a good answer of an endpoint does to the session.
enum SessionEffect {
    case none
    /// The answer is a new session, so its bytes are secret.
    case begins
    case ends

    init(_ endpoint: Endpoint) {
        switch endpoint {
        case .signUp, .signIn, .startGuestSession, .refreshSession: self = .begins
        case .signOut, .deleteAccount: self = .ends
        default: self = .none
        }
    }
}
