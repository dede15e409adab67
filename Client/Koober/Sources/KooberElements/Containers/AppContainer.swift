import KooberKit
import KooberScreens
import PouchEntities

/// Owns the objects that live as long as the app, and creates the containers of the narrower scopes. Those retain this
/// container, which does not retain them.
@MainActor
public final class AppContainer {
    public let main = StateStore(MainState.launching)
    public let events = Broadcaster<AppEvent>()
    let model: any KooberModelFactory
    let remoteAPI: any AuthRemoteAPI
    let dataStore: any UserSessionDataStore
    let root: RootView
    let updates: UpdateCycle
    let windowSizes: @MainActor () -> AsyncStream<WindowSize>
    private let analytics: Analytics?
    /// nil once the app has reached it, or can no longer reach it.
    private var destination: Destination?

    /// A container for use cases without a user interface, such as those of a test.
    public convenience init(model: any KooberModelFactory) {
        let window = Window()
        self.init(
            model: model, destination: nil, root: RootView(in: window), updates: window.updates,
            windowSizes: { AsyncStream { $0.finish() } }, analytics: nil)
    }

    init(
        model: any KooberModelFactory, destination: Destination?, root: RootView, updates: UpdateCycle,
        windowSizes: @escaping @MainActor () -> AsyncStream<WindowSize>, analytics: (@MainActor (String) -> Void)?
    ) {
        self.model = model
        self.destination = destination
        self.root = root
        self.updates = updates
        self.windowSizes = windowSizes
        self.analytics = analytics.map { [events] in Analytics(events: events, write: $0) }
        let dataStore = model.makeUserSessionDataStore()
        self.dataStore = dataStore
        remoteAPI = model.makeAuthRemoteAPI()
        remoteAPI.onRenewal { [weak dataStore] in try await dataStore?.save($0) }
    }

    func makeMainController() -> any Controller {
        let stateObserver = EventObserver(StateSource(updates) { [main] in main.state })
        let eventObserver = EventObserver(events)
        let connectivityObserver = ConnectivityObserver(model.makeConnectivitySource())
        let controller = MainController(
            userInterface: root,
            observer: ObserverComposition(observers: stateObserver, eventObserver, connectivityObserver),
            useCases: self, children: self)
        stateObserver.deliver(to: controller) { $0.received(newState: $1) }
        eventObserver.deliver(to: controller) { $0.received(event: $1) }
        connectivityObserver.deliver(to: controller)
        return controller
    }
}

extension AppContainer: MainChildFactory {
    func makeLaunchController() -> any Controller {
        LaunchContainer(app: self).makeLaunchController()
    }

    func makeOnboardingController(error: ErrorMessage?) -> any Controller {
        let form = destination?.form
        destination = destination?.afterSigningIn
        return OnboardingContainer(app: self, form: form, error: error).makeOnboardingController()
    }

    func makeSignedInController(userSession: UserSession) -> any Controller {
        defer { destination = nil }
        return SignedInContainer(app: self, userSession: userSession, destination: destination)
            .makeSignedInController()
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
    public let launch = StateStore(LaunchState())
    private let app: AppContainer

    public init(app: AppContainer) {
        self.app = app
    }

    func makeLaunchController() -> any Controller {
        LaunchController.make(
            in: LaunchView(in: app.root),
            observing: StateSource(app.updates) { [launch] in ScreenViewState(.launching, launch.state) },
            useCases: self)
    }
}

extension LaunchContainer: LaunchUseCaseFactory, PresentOnboardingUseCaseFactory {
    public func makeLaunchUseCase() -> any CancelableUseCase {
        UseCaseRun(LaunchUseCase(dataStore: app.dataStore, launch: launch, main: app.main))
    }

    public func makePresentOnboardingUseCase(error: ErrorMessage?) -> any UseCase {
        app.makePresentOnboardingUseCase(error: error)
    }
}
