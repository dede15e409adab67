import KooberKit
import PouchEntities

/// Owns the objects that live as long as the app.
@MainActor
final class AppDependencyContainer: MainViewFactory {
    let model: any KooberModelFactory
    let store: Store<AppState, AppAction>
    let timeTravel: TimeTravel<AppState, AppAction>?
    let userSessionRepository: any UserSessionRepository
    private let userSessionDataStore: any UserSessionDataStore
    private let userSessionStatePersister: any UserSessionStatePersister

    init(model: any KooberModelFactory, debugging: ReduxDebugging) {
        self.model = model
        timeTravel =
            debugging.recordedActions > 0 ? TimeTravel(start: .initial, limit: debugging.recordedActions) : nil
        let middleware = [debugging.print.map(PrintingMiddleware.make), timeTravel?.middleware].compactMap { $0 }
        store = Store(state: .initial, reducer: Reducers.app, middleware: middleware)
        userSessionDataStore = model.makeUserSessionDataStore()
        userSessionRepository = model.makeUserSessionRepository(dataStore: userSessionDataStore)
        userSessionStatePersister = ReduxUserSessionStatePersister(
            userSession: store.publisher.select(\.userSession),
            actionDispatcher: store.scoped { .persistence($0) })
    }

    var displayedState: StatePublisher<AppState> {
        timeTravel?.displayedState ?? store.publisher
    }

    func makeMainView() -> MainView {
        MainView(
            content: store.publisher.select(\.content),
            errorToPresent: store.publisher.select(\.errorsToPresent.first),
            viewFactory: self)
    }

    func makeLaunchView() -> any StateView {
        LaunchView(
            userInteractions: LaunchingUserInteractions(
                actionDispatcher: store.scoped { .launching($0) },
                userSessionRepository: userSessionRepository,
                userSessionDataStore: userSessionDataStore,
                userSessionStatePersister: userSessionStatePersister))
    }

    func makeOnboardingView() -> any StateView {
        OnboardingDependencyContainer(parent: self).makeOnboardingView()
    }

    func makeSignedInView(scope: SerialNumber, userSession: UserSession) -> any StateView {
        SignedInDependencyContainer(parent: self, scope: scope, userSession: userSession).makeSignedInView()
    }
}

/// Owns the objects that live while the user is signed out. The onboarding view keeps it as the factory of each form's
/// interactions.
@MainActor
final class OnboardingDependencyContainer: FormUserInteractionsFactory {
    private let actionDispatcher: any ActionDispatcher<OnboardingAction>
    private let userSessionRepository: any UserSessionRepository

    init(parent: AppDependencyContainer) {
        actionDispatcher = parent.store.scoped { .onboarding($0) }
        userSessionRepository = parent.userSessionRepository
    }

    func makeOnboardingView() -> any StateView {
        OnboardingView(
            userInteractions: OnboardingUserInteractions(actionDispatcher: actionDispatcher), formFactory: self)
    }

    func makeSignInUserInteractions() -> SignInUserInteractions {
        SignInUserInteractions(
            submission: FormSubmission(actionDispatcher: actionDispatcher),
            userSessionRepository: userSessionRepository)
    }

    func makeSignUpUserInteractions() -> SignUpUserInteractions {
        SignUpUserInteractions(
            submission: FormSubmission(actionDispatcher: actionDispatcher),
            userSessionRepository: userSessionRepository)
    }
}
