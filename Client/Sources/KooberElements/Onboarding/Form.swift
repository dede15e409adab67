import KooberKit
import KooberScreens
import PouchEntities

/// The state of the view of a form.
public struct FormViewState: Sendable, Equatable {
    public let inputsEnabled: Bool
    public let buttonEnabled: Bool
    public let activityIndicatorAnimating: Bool
    /// The shown error; nil without one.
    public let error: ErrorMessage?

    public init(_ state: OnboardingState) {
        inputsEnabled = !state.isAuthenticating
        // Also with empty fields: pressing the button then shows what is missing.
        buttonEnabled = !state.isAuthenticating
        activityIndicatorAnimating = state.isAuthenticating
        error = state.errors.first
    }
}

/// The common steps of signing in and signing up.
@MainActor
struct Authentication {
    let onboarding: StateStore<OnboardingState>
    let main: StateStore<MainState>

    /// Sends the form, and shows the signed-in app or the error. Does nothing while a form is being sent.
    /// - Parameter refusal: an error in the form, which is shown instead of sending.
    func perform(
        in run: UseCaseRun<some UseCaseSteps>, refusal: ErrorMessage?,
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

extension FormScreen {
    init(_ state: FormViewState) {
        self.init(
            inputsEnabled: state.inputsEnabled, buttonEnabled: state.buttonEnabled,
            isBusy: state.activityIndicatorAnimating)
    }
}
