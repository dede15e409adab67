import KooberKit
import PouchEntities

/// The steps that signing in and signing up share.
@MainActor
struct Authentication {
    let onboarding: StateStore<OnboardingState>
    let main: StateStore<MainState>

    func refuse(_ error: ErrorMessage) {
        onboarding.update { $0.errors.append(error) }
    }

    func perform(
        in run: UseCaseRun, _ authenticate: @escaping @Sendable () async throws(ErrorMessage) -> UserSession
    ) {
        onboarding.update { $0.isAuthenticating = true }
        run.perform(authenticate) { result in
            switch result {
            case .success(let userSession):
                main.update { $0 = .signedIn(userSession) }
            case .failure(let error):
                onboarding.update {
                    $0.isAuthenticating = false
                    $0.errors.append(error)
                }
            }
        }
    }
}
