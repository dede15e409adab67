import KooberKit
import PouchEntities

/// The steps that signing in and signing up share.
@MainActor
struct Authentication {
    let onboarding: StateStore<OnboardingState>
    let main: StateStore<MainState>

    /// Does nothing while a form is being answered.
    /// - Parameter refusal: why nobody is asked; nil where nothing is missing.
    func perform(
        in run: UseCaseRun, refusal: ErrorMessage?,
        _ authenticate: @escaping @Sendable () async throws(ErrorMessage) -> UserSession
    ) {
        guard !onboarding.state.isAuthenticating else { return }
        if let refusal { return onboarding.update { $0.errors.append(refusal) } }
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
