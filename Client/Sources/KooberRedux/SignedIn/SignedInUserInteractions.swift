import KooberKit
import PouchEntities

@MainActor
final class SignedInUserInteractions {
    private let userSession: UserSession
    private let actionDispatcher: any ActionDispatcher<SignedInAction>
    private let userSessionRepository: any UserSessionRepository
    private let serialNumbers: SerialNumbers
    private let following = LatestTask()

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

    /// Until the session has ended.
    func followSession() {
        let end = userSessionRepository.end(of: userSession)
        following.run { [actionDispatcher, serialNumbers] in
            for await message in end {
                actionDispatcher.dispatch(
                    .sessionEnded(ErrorToPresent(id: serialNumbers.next(), message: message)))
            }
        }
    }

    func finishedPresenting(_ error: ErrorToPresent) {
        actionDispatcher.dispatch(.finishedPresenting(error.id))
    }
}
