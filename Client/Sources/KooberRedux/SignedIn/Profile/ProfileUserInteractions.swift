import KooberKit
import PouchEntities

@MainActor
protocol ProfileUserInteractions: AnyObject {
    func showProfile()
    func closeProfile()
    func signOut()
}

@MainActor
final class ReduxProfileUserInteractions: ProfileUserInteractions {
    private let userSession: UserSession
    private let actionDispatcher: any ActionDispatcher<SignedInAction>
    private let userSessionRepository: any UserSessionRepository
    private let serialNumbers: SerialNumbers
    private let signingOut = LatestTask()

    init(
        userSession: UserSession,
        actionDispatcher: any ActionDispatcher<SignedInAction>,
        userSessionRepository: any UserSessionRepository,
        serialNumbers: SerialNumbers
    ) {
        self.userSession = userSession
        self.actionDispatcher = actionDispatcher
        self.userSessionRepository = userSessionRepository
        self.serialNumbers = serialNumbers
    }

    func showProfile() {
        actionDispatcher.dispatch(.profile(.show))
    }

    func closeProfile() {
        actionDispatcher.dispatch(.profile(.close))
    }

    func signOut() {
        let request = serialNumbers.next()
        actionDispatcher.dispatch(.profile(.signingOut(request: request)))
        signingOut.run { [userSession, actionDispatcher, userSessionRepository, serialNumbers] in
            do throws(ErrorMessage) {
                try await userSessionRepository.signOut(userSession: userSession)
                actionDispatcher.dispatch(.signedOut(request: request, nil))
            } catch {
                let error = ErrorToPresent(id: serialNumbers.next(), message: error)
                actionDispatcher.dispatch(.signedOut(request: request, error))
            }
        }
    }
}
