import PouchEntities

/// What the whole app shows.
enum MainContent: Equatable, Sendable {
    case launching
    case onboarding
    case signedIn(scope: SerialNumber, UserSession)
}

extension AppState {
    var content: MainContent {
        switch self {
        case .launching: .launching
        case .onboarding: .onboarding
        case .signedIn(let state): .signedIn(scope: state.scope, state.userSession)
        }
    }
}
