import KooberKit
import KooberScreens
import PouchEntities

/// What lives as long as the process.
@MainActor
final class AppDependencyContainer: MainViewFactory {
    let model: any KooberModelFactory
    let lifetimes: (any LifetimeObserver)?
    let store: Store<AppState, AppAction>
    let timeTravel: TimeTravel<AppState, AppAction>?
    let serialNumbers: SerialNumbers
    let userSessionRepository: any UserSessionRepository
    private let userSessionDataStore: any UserSessionDataStore
    private let userSessionStatePersister: any UserSessionStatePersister
    private let made: ObjectRegister

    init(model: any KooberModelFactory, lifetimes: (any LifetimeObserver)?, debugging: ReduxDebugging) {
        self.model = model
        self.lifetimes = lifetimes
        made = ObjectRegister(scope: .app, lifetimes: lifetimes)
        timeTravel =
            debugging.recordedActions > 0
            ? made(TimeTravel(start: .initial, limit: debugging.recordedActions)) : nil
        let middleware = [debugging.print.map(PrintingMiddleware.make), timeTravel?.middleware].compactMap { $0 }
        store = made(Store(state: .initial, reducer: Reducers.app, middleware: middleware))
        serialNumbers = made(SerialNumbers())
        userSessionDataStore = made(model.makeUserSessionDataStore())
        userSessionRepository = made(model.makeUserSessionRepository(dataStore: userSessionDataStore))
        userSessionStatePersister = made(
            ReduxUserSessionStatePersister(
                userSession: store.publisher.select(\.userSession),
                actionDispatcher: store.scoped { .persistence($0) },
                serialNumbers: serialNumbers))
        made(self)
    }

    var displayedState: StatePublisher<AppState> {
        timeTravel?.displayedState ?? store.publisher
    }

    func makeMainView() -> MainView {
        made(
            MainView(
                content: store.publisher.select(\.content),
                errorToPresent: store.publisher.select(\.errorsToPresent.first),
                viewFactory: self))
    }

    func makeLaunchView() -> any StateView {
        let made = ObjectRegister(scope: .launch, lifetimes: lifetimes)
        return made(
            LaunchView(
                userInteractions: made(
                    LaunchingUserInteractions(
                        actionDispatcher: store.scoped { .launching($0) },
                        userSessionRepository: userSessionRepository,
                        userSessionDataStore: userSessionDataStore,
                        userSessionStatePersister: userSessionStatePersister,
                        serialNumbers: serialNumbers))))
    }

    func makeOnboardingView() -> any StateView {
        OnboardingDependencyContainer(parent: self).makeOnboardingView()
    }

    func makeSignedInView(scope: SerialNumber, userSession: UserSession) -> any StateView {
        SignedInDependencyContainer(parent: self, scope: scope, userSession: userSession).makeSignedInView()
    }
}
