import KooberKit
import PouchEntities

/// Waits for an end of the session otherwise than by signing out, and broadcasts it.
@MainActor
public protocol FollowSessionUseCaseFactory: AnyObject {
    func makeFollowSessionUseCase() -> any CancelableUseCase
}

final class FollowSessionUseCase: SingleRunUseCase, Cancelable {
    let run = UseCaseRun()
    private let userSession: UserSession
    private let repository: any UserSessionRepository
    private let endOfSession: Broadcaster<ErrorMessage>

    init(userSession: UserSession, repository: any UserSessionRepository, endOfSession: Broadcaster<ErrorMessage>) {
        self.userSession = userSession
        self.repository = repository
        self.endOfSession = endOfSession
    }

    func begin() {
        let ends = StreamSource { [userSession, repository] in repository.end(of: userSession) }
        run.follow(ends) { [endOfSession] event in
            if case .element(let error) = event { endOfSession.broadcast(error) }
        }
    }
}
