import KooberKit
import PouchEntities

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
        signedIn.update { $0.profile = .signingOut }
        run.perform { [userSession, repository] () async throws(ErrorMessage) in
            try await repository.signOut(userSession: userSession)
        } then: { [main] result in
            main.update {
                switch result {
                case .success: $0 = .onboarding(nil)
                case .failure(let error): $0 = .onboarding(error)
                }
            }
        }
    }
}
