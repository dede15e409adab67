import KooberKit
import PouchEntities

/// Ends the session, and shows the welcome. Does nothing while that is under way.
@MainActor
public protocol SignOutUseCaseFactory: AnyObject {
    func makeSignOutUseCase() -> any CancelableUseCase
}

final class SignOutUseCase: SingleRunUseCase, Cancelable {
    let run = UseCaseRun()
    private let userSession: UserSession
    private let repository: any UserSessionRepository
    private let signedIn: StateStore<SignedInState>
    private let main: StateStore<MainState>

    init(
        userSession: UserSession, repository: any UserSessionRepository, signedIn: StateStore<SignedInState>,
        main: StateStore<MainState>
    ) {
        self.userSession = userSession
        self.repository = repository
        self.signedIn = signedIn
        self.main = main
    }

    /// Also where the service could not be told, nobody is signed in on this device any more.
    func begin() {
        guard signedIn.state.profile != .signingOut else { return }
        signedIn.update { $0.profile = .signingOut }
        run.perform { [userSession, repository] () async throws(ErrorMessage) in
            try await repository.signOut(userSession: userSession)
        } then: { [main, userSession] result in
            main.update {
                // Whoever came in meanwhile stays.
                guard $0 == .signedIn(userSession) else { return }
                switch result {
                case .success: $0 = .onboarding(nil)
                case .failure(let error): $0 = .onboarding(error)
                }
            }
        }
    }
}
