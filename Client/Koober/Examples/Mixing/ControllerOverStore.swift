import KooberElements
import KooberKit
import KooberRedux
import KooberScreens
import PouchEntities

/// Connects the sign-in controller of Elements to a Redux store.
///
/// The controller is that of KooberElements, unchanged: it depends on a user interface, an observer and factories of
/// use cases, not on their implementations. Here the observer follows a part of the Redux state, and each use case
/// dispatches actions. The store remains the only place where the state changes, with its reducers, its middleware and
/// its recorded actions. This is useful if a Redux app needs a screen with its own logic that can be tested with fakes.
///
/// - Parameter userInterface: shows the form. The controller becomes its responder.
/// - Returns: a controller that the caller retains, activates and deactivates.
@MainActor
public func makeSignInController(
    in userInterface: SignInController.UserInterface, on store: Store<AppState, AppAction>,
    remoteAPI: any AuthRemoteAPI
) -> any Controller {
    let form = store.publisher.scoped { state -> ScreenViewState? in
        guard case .onboarding(let onboarding) = state.stage, let form = onboarding.form else { return nil }
        return ScreenViewState(.signIn(form), onboarding)
    }
    let observer = EventObserver(StoreSource(part: form))
    let controller = SignInController(
        userInterface: userInterface, observer: observer,
        useCases: StoreUseCases(actionDispatcher: store, remoteAPI: remoteAPI))
    observer.deliver(to: controller) { $0.received(viewState: $1) }
    return controller
}

/// The errors of the onboarding, which both architectures store in the same way.
extension KooberRedux.OnboardingState: PresentsErrors {}

/// A part of a Redux state as a source of events. It ends when the part is out of scope.
private struct StoreSource<State: Equatable & Sendable>: EventSource {
    let part: StatePublisher<State>

    func subscribe(_ receive: @escaping @MainActor (State) -> Void) -> AnyObject { part.subscribe(receive: receive) }
}

// MARK: Use cases that dispatch actions

@MainActor
private final class StoreUseCases: SignInUseCaseFactory, NavigateOnboardingUseCaseFactory,
    FinishedPresentingErrorUseCaseFactory
{
    private let actionDispatcher: any ActionDispatcher<AppAction>
    private let remoteAPI: any AuthRemoteAPI

    init(actionDispatcher: any ActionDispatcher<AppAction>, remoteAPI: any AuthRemoteAPI) {
        self.actionDispatcher = actionDispatcher
        self.remoteAPI = remoteAPI
    }

    func makeSignInUseCase(email: String, password: Secret) -> any CancelableUseCase {
        UseCaseRun(
            SignInSteps(email: email, password: password, actionDispatcher: actionDispatcher, remoteAPI: remoteAPI))
    }

    func makeNavigateOnboardingUseCase(to screen: KooberElements.OnboardingState.Screen) -> any UseCase {
        let action: OnboardingAction =
            switch screen {
            case .welcome: .returnedToWelcome
            case .signIn: .goToSignIn
            case .signUp: .goToSignUp
            }
        return UseCaseRun(DispatchStep(action: .onboarding(action), actionDispatcher: actionDispatcher))
    }

    func makeFinishedPresentingErrorUseCase(_ error: ErrorMessage) -> any UseCase {
        UseCaseRun(DispatchStep(action: .finishedPresentingError, actionDispatcher: actionDispatcher))
    }
}

private struct DispatchStep: UseCaseSteps {
    let action: AppAction
    let actionDispatcher: any ActionDispatcher<AppAction>

    func execute(in run: UseCaseRun<Self>) { actionDispatcher.dispatch(action) }
}

private struct SignInSteps: UseCaseSteps {
    let email: String
    let password: Secret
    let actionDispatcher: any ActionDispatcher<AppAction>
    let remoteAPI: any AuthRemoteAPI

    func execute(in run: UseCaseRun<Self>) {
        let credentials: Credentials
        do throws(ErrorMessage) {
            credentials = try Credentials(email: email, password: password)
        } catch {
            return actionDispatcher.dispatch(.onboarding(.failed(error)))
        }
        actionDispatcher.dispatch(.onboarding(.sendingForm))
        run.perform {
            let result: OnboardingAction
            do throws(ErrorMessage) {
                result = .signedIn(SessionState(try await remoteAPI.signIn(credentials)))
            } catch {
                result = .failed(error)
            }
            // The store does not know use cases, so the response to a cancelled one is ignored here.
            if !Task.isCancelled { actionDispatcher.dispatch(.onboarding(result)) }
        }
    }
}
