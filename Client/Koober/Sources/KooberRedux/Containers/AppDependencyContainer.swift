import KooberKit
import KooberScreens
import PouchEntities

/// Owns the objects that live as long as the app.
@MainActor
final class AppDependencyContainer: MainViewFactory {
    let model: any KooberModelFactory
    let remoteAPI: any AuthRemoteAPI
    let store: Store<AppState, AppAction>
    private let userSessionDataStore: any UserSessionDataStore
    let userSessionStatePersister: ReduxUserSessionStatePersister

    init(
        model: any KooberModelFactory, state: AppState, middleware: [Middleware<AppState, AppAction>],
        updates: UpdateCycle
    ) {
        self.model = model
        store = Store(state: state, reducer: Reducers.app, middleware: middleware, updates: updates)
        remoteAPI = model.makeAuthRemoteAPI()
        userSessionDataStore = model.makeUserSessionDataStore()
        userSessionStatePersister = ReduxUserSessionStatePersister(
            session: store.publisher.select(\.session), actionDispatcher: store.scoped { .persistence($0) })
        remoteAPI.onRenewal { [weak store, weak userSessionStatePersister] session in
            await store?.dispatch(.signedIn(.sessionRenewed(SessionState(session))))
            try await userSessionStatePersister?.finishWriting()
        }
        // Otherwise the launch starts it, once it has read the stored session.
        if store.state.launching == nil {
            userSessionStatePersister.startPersistingStateChanges(to: userSessionDataStore)
        }
    }

    func makeMainView(in display: any Display) -> MainView {
        MainView(
            state: store.publisher,
            userInteractions: ReduxMainUserInteractions(
                state: store.publisher, actionDispatcher: store, connectivitySource: model.makeConnectivitySource()),
            viewFactory: self, in: display)
    }

    func makeLaunchView(in display: any Display) -> StateView {
        LaunchView(
            userInteractions: ReduxLaunchingUserInteractions(
                state: store.publisher.scoped(\.launching), actionDispatcher: store.scoped { .launching($0) },
                userSessionDataStore: userSessionDataStore, userSessionStatePersister: userSessionStatePersister),
            in: display)
    }

    func makeOnboardingView(in display: any Display) -> StateView {
        OnboardingDependencyContainer(parent: self).makeOnboardingView(in: display)
    }

    func makeSignedInView(in display: any Display) -> StateView? {
        store.state.session.map {
            SignedInDependencyContainer(parent: self, userSession: $0.userSession).makeSignedInView(in: display)
        }
    }
}

/// Creates the objects that live while the user is signed out.
@MainActor
final class OnboardingDependencyContainer {
    private let state: StatePublisher<OnboardingState>
    private let actionDispatcher: any ActionDispatcher<OnboardingAction>
    private let remoteAPI: any AuthRemoteAPI

    init(parent: AppDependencyContainer) {
        state = parent.store.publisher.scoped(\.onboarding)
        actionDispatcher = parent.store.scoped { .onboarding($0) }
        remoteAPI = parent.remoteAPI
    }

    func makeOnboardingView(in display: any Display) -> StateView {
        OnboardingView(
            screen: state.select(\.screen),
            userInteractions: ReduxOnboardingUserInteractions(actionDispatcher: actionDispatcher),
            signIn: ReduxSignInUserInteractions(
                state: state, actionDispatcher: actionDispatcher, remoteAPI: remoteAPI),
            signUp: ReduxSignUpUserInteractions(
                state: state, actionDispatcher: actionDispatcher, remoteAPI: remoteAPI),
            in: display)
    }
}
