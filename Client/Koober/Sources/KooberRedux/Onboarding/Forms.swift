import KooberKit
import KooberTexts
import PouchEntities

@MainActor
public protocol SignInUserInteractions: AnyObject {
    func signIn(email: String, password: Secret)
}

@MainActor
public protocol SignUpUserInteractions: AnyObject {
    func signUp(name: String, email: String, mobileNumber: String, password: Secret)
}

final class ReduxSignInUserInteractions: SignInUserInteractions {
    private let submission: FormSubmission<Credentials>

    init(
        state: StatePublisher<OnboardingState>, actionDispatcher: any ActionDispatcher<OnboardingAction>,
        remoteAPI: any AuthRemoteAPI
    ) {
        submission = FormSubmission(
            .signIn, of: state, to: actionDispatcher, failingWith: .signInFailed, call: remoteAPI.signIn)
    }

    func signIn(email: String, password: Secret) {
        submission.send(try Credentials(email: email, password: password))
    }
}

final class ReduxSignUpUserInteractions: SignUpUserInteractions {
    private let submission: FormSubmission<NewAccount>

    init(
        state: StatePublisher<OnboardingState>, actionDispatcher: any ActionDispatcher<OnboardingAction>,
        remoteAPI: any AuthRemoteAPI
    ) {
        submission = FormSubmission(
            .signUp, of: state, to: actionDispatcher, failingWith: .signUpFailed, call: remoteAPI.signUp)
    }

    func signUp(name: String, email: String, mobileNumber: String, password: Secret) {
        submission.send(try NewAccount(name: name, email: email, mobileNumber: mobileNumber, password: password))
    }
}

/// Sends a form to the service, one attempt at a time. It holds the input, with the password, until it is sent: no
/// action and no state contains it.
@MainActor
private final class FormSubmission<Input: Sendable> {
    @MainActor
    private final class Pending {
        var input: Input?
    }

    private let pending = Pending()
    private let actionDispatcher: any ActionDispatcher<OnboardingAction>
    private let effects: EffectRunner<OnboardingEffect>

    /// - Parameter title: the title of the error if the state of another process requests this effect.
    init(
        _ effect: OnboardingEffect, of state: StatePublisher<OnboardingState>,
        to actionDispatcher: any ActionDispatcher<OnboardingAction>, failingWith title: Phrase,
        call: @escaping @Sendable (Input) async throws(ErrorMessage) -> UserSession
    ) {
        self.actionDispatcher = actionDispatcher
        effects = EffectRunner(
            state.select { $0.effects.intersection([effect]) }, to: actionDispatcher
        ) { [pending] _, dispatch in
            guard let input = pending.input else {
                return dispatch(.failed(ErrorMessage(title: title, message: .tryAgain)))
            }
            pending.input = nil
            do throws(ErrorMessage) {
                dispatch(.signedIn(SessionState(try await call(input))))
            } catch {
                dispatch(.failed(error))
            }
        }
    }

    func send(_ input: @autoclosure () throws(ErrorMessage) -> Input) {
        do throws(ErrorMessage) {
            pending.input = try input()
            actionDispatcher.dispatch(.sendingForm)
        } catch {
            actionDispatcher.dispatch(.failed(error))
        }
    }
}
