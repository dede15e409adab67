import KooberKit
import KooberScreens
import PouchEntities

/// The profile, which covers the steps and stays open when they change.
public enum ProfileState: Equatable, Sendable {
    case closed
    case shown
    case signingOut(SerialNumber)
}

/// The events of the profile. A sign-out ends with an action of the session.
public enum ProfileAction: Equatable, Sendable {
    case show
    case close
    case signingOut(request: SerialNumber)
}

extension Reducers {
    static func profile(_ state: ProfileState, _ action: ProfileAction) -> ProfileState {
        switch (state, action) {
        case (.closed, .show): .shown
        case (.shown, .close): .closed
        case (.shown, .signingOut(let request)): .signingOut(request)
        default: state
        }
    }
}

// MARK: User interactions

@MainActor
struct ProfileUserInteractions {
    let userSession: UserSession
    let actionDispatcher: any ActionDispatcher<SignedInAction>
    let userSessionRepository: any UserSessionRepository
    private let signingOut = LatestTask()

    func showProfile() {
        actionDispatcher.dispatch(.profile(.show))
    }

    func closeProfile() {
        actionDispatcher.dispatch(.profile(.close))
    }

    func signOut() {
        signingOut.send(to: actionDispatcher) {
            .profile(.signingOut(request: $0))
        } call: { [userSession, userSessionRepository] () async throws(ErrorMessage) in
            try await userSessionRepository.signOut(userSession: userSession)
        } success: { _, request in
            .signedOut(request: request, nil)
        } failure: {
            .signedOut(request: $1, $0)
        }
    }
}

// MARK: Screen

extension ProfileScreen {
    /// nil while the profile is closed.
    init?(_ state: SignedInState) {
        guard state.profile != .closed else { return nil }
        let profile = state.userSession.profile
        self.init(
            name: profile?.name ?? "", email: profile?.email ?? "", mobileNumber: profile?.mobileNumber ?? "",
            isSigningOut: state.profile != .shown)
    }
}
