import KooberKit
import PouchEntities

/// Owns the objects that live as long as the app, and makes the containers of the narrower scopes. Those hold this
/// container, which does not hold them.
@MainActor
public final class AppContainer {
    public let main: StateStore<MainState>
    let model: any KooberModelFactory
    let userSessionRepository: any UserSessionRepository
    /// Sessions that ended other than by signing out. Its broadcasters and subscribers do not know each other.
    public let endOfSession: Broadcaster<ErrorMessage>
    let window: Window

    public init(model: any KooberModelFactory) {
        let dataStore = model.makeUserSessionDataStore()
        userSessionRepository = model.makeUserSessionRepository(dataStore: dataStore)
        main = StateStore(.launching)
        endOfSession = Broadcaster()
        window = Window()
        self.model = model
    }

    func makeMainController() -> any Controller {
        let stateObserver = EventObserver(main)
        let endObserver = EventObserver(endOfSession)
        let controller = MainController(
            userInterface: window,
            observer: ObserverComposition(observers: stateObserver, endObserver),
            useCases: self, children: self)
        stateObserver.deliver(to: controller) { $0.received(newState: $1) }
        endObserver.deliver(to: controller) { $0.received(endOfSession: $1) }
        return controller
    }
}

extension AppContainer: MainChildFactory {
    func makeLaunchController() -> any Controller {
        LaunchContainer(app: self).makeLaunchController()
    }

    func makeOnboardingController(error: ErrorMessage?) -> any Controller {
        OnboardingContainer(app: self, error: error).makeOnboardingController()
    }

    func makeSignedInController(userSession: UserSession) -> any Controller {
        SignedInContainer(app: self, userSession: userSession).makeSignedInController()
    }
}

extension AppContainer: PresentOnboardingUseCaseFactory {
    public func makePresentOnboardingUseCase(error: ErrorMessage?) -> any UseCase {
        UseCaseRun(PresentOnboardingUseCase(error: error, main: main))
    }
}

// MARK: Launch

/// Owns the objects that live until the stored session is read.
@MainActor
public final class LaunchContainer {
    public let launch: StateStore<LaunchState>
    private let app: AppContainer

    public init(app: AppContainer) {
        launch = StateStore(LaunchState())
        self.app = app
    }

    func makeLaunchController() -> any Controller {
        LaunchController.make(
            in: LaunchView(window: app.window), observing: launch.select { ErrorViewState($0) }, useCases: self)
    }
}

extension LaunchContainer: LaunchUseCaseFactory, PresentOnboardingUseCaseFactory {
    public func makeLaunchUseCase() -> any CancelableUseCase {
        UseCaseRun(LaunchUseCase(repository: app.userSessionRepository, launch: launch, main: app.main))
    }

    public func makePresentOnboardingUseCase(error: ErrorMessage?) -> any UseCase {
        UseCaseRun(PresentOnboardingUseCase(error: error, main: app.main))
    }
}
