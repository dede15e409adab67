import KooberKit
import KooberScreens
import PouchEntities

/// What lives as long as the app. It makes the containers of the narrower scopes, which hold it, and never the other
/// way round.
@MainActor
public final class AppContainer {
    public let main: StateStore<MainState>
    let model: any KooberModelFactory
    let lifetimes: (any LifetimeObserver)?
    let userSessionRepository: any UserSessionRepository
    /// A session that ended otherwise than by signing out. Who tells, and who is told, need not know each other.
    public let endOfSession: Broadcaster<ErrorMessage>
    let window: Window
    private let made: ObjectRegister

    public init(model: any KooberModelFactory, lifetimes: (any LifetimeObserver)? = nil) {
        let made = ObjectRegister(scope: .app, lifetimes: lifetimes)
        let dataStore = made(model.makeUserSessionDataStore())
        userSessionRepository = made(model.makeUserSessionRepository(dataStore: dataStore))
        main = made(StateStore(.launching))
        endOfSession = made(Broadcaster())
        window = made(Window())
        self.model = model
        self.lifetimes = lifetimes
        self.made = made
        made(self)
    }

    public func makeLaunchContainer() -> LaunchContainer {
        LaunchContainer(app: self)
    }

    /// - Parameter error: shown to who comes to it.
    public func makeOnboardingContainer(error: ErrorMessage? = nil) -> OnboardingContainer {
        OnboardingContainer(app: self, error: error)
    }

    public func makeSignedInContainer(userSession: UserSession) -> SignedInContainer {
        SignedInContainer(app: self, userSession: userSession)
    }

    func makeMainController() -> any Controller {
        let stateObserver = made(EventObserver(main))
        let endObserver = made(EventObserver(endOfSession))
        let controller = made(
            MainController(
                userInterface: window,
                observer: made(ObserverComposition(observers: stateObserver, endObserver)),
                useCases: self, children: self))
        stateObserver.deliver(to: controller) { $0.received(newState: $1) }
        endObserver.deliver(to: controller) { $0.received(endOfSession: $1) }
        return controller
    }
}

extension AppContainer: MainChildFactory {
    func makeLaunchController() -> any Controller {
        makeLaunchContainer().makeLaunchController()
    }

    func makeOnboardingController(error: ErrorMessage?) -> any Controller {
        makeOnboardingContainer(error: error).makeOnboardingController()
    }

    func makeSignedInController(userSession: UserSession) -> any Controller {
        makeSignedInContainer(userSession: userSession).makeSignedInController()
    }
}

extension AppContainer: PresentOnboardingUseCaseFactory {
    public func makePresentOnboardingUseCase(error: ErrorMessage?) -> any UseCase {
        made(PresentOnboardingUseCase(error: error, main: main))
    }
}
