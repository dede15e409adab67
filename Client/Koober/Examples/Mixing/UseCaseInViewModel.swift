import KooberElements
import KooberKit
import KooberMVVMCore
import KooberScreens
import Observation
import PouchEntities

/// A sign-in form in MVVM whose steps are a use case of Elements.
///
///     let viewModel = SignInViewModel(
///         onboarding: onboardingContainer.onboarding, useCases: onboardingContainer, errorMessages: errorMessages)
///     viewModel.email = "ada@example.org"
///     viewModel.signIn()
///
/// The view model contains what belongs to the view: the input, and a state to bind. The use case knows the steps,
/// calls the service and stores the session, and can be used by another screen or a command line. This is useful when
/// view models accumulate work that is unrelated to their view, or repeat the work of other view models.
///
/// Of Elements, only the use case and its state store are needed. The store is observable, so a view binds to `form` as
/// to any property of a view model.
@MainActor
@Observable
public final class SignInViewModel {
    public var email = ""
    public var password = Secret()
    private let onboarding: StateStore<OnboardingState>
    private let useCases: any SignInUseCaseFactory
    private let errorMessages: ErrorMessages

    /// - Parameters:
    ///   - onboarding: the state that the use cases write.
    ///   - errorMessages: the errors that all view models of the app share.
    public init(
        onboarding: StateStore<OnboardingState>, useCases: any SignInUseCaseFactory, errorMessages: ErrorMessages
    ) {
        self.onboarding = onboarding
        self.useCases = useCases
        self.errorMessages = errorMessages
    }

    public var form: FormScreen { onboarding.state.form }

    /// Does nothing while the form is being sent.
    public func signIn() {
        useCases.makeSignInUseCase(email: email, password: password).start()
    }

    /// Moves the errors of the use cases to the place where this app shows errors. Called by the view when
    /// `hasErrors` becomes true.
    public func publishErrors() {
        let errors = onboarding.state.errors
        onboarding.update { $0.errors = [] }
        for error in errors { errorMessages.present(error) }
    }

    public var hasErrors: Bool { !onboarding.state.errors.isEmpty }
}
