import KooberKit
import PouchEntities

@MainActor
final class ProfileUserInteractions {
    private let userSession: UserSession
    private let actionDispatcher: any ActionDispatcher<SignedInAction>
    private let userSessionRepository: any UserSessionRepository
    private let signingOut: AsyncAction<SignedInAction>

    init(
        userSession: UserSession,
        actionDispatcher: any ActionDispatcher<SignedInAction>,
        userSessionRepository: any UserSessionRepository,
        serialNumbers: SerialNumbers
    ) {
        self.userSession = userSession
        self.actionDispatcher = actionDispatcher
        self.userSessionRepository = userSessionRepository
        signingOut = AsyncAction(actionDispatcher, serialNumbers)
    }

    func showProfile() {
        actionDispatcher.dispatch(.profile(.show))
    }

    func closeProfile() {
        actionDispatcher.dispatch(.profile(.close))
    }

    func signOut() {
        signingOut.begin {
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
