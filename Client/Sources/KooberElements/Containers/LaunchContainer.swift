import KooberKit
import KooberScreens

/// What lives until it is known who is signed in.
@MainActor
public final class LaunchContainer {
    public let launch: StateStore<LaunchState>
    private let app: AppContainer
    private let made: ObjectRegister

    init(app: AppContainer) {
        made = ObjectRegister(scope: .launch, lifetimes: app.lifetimes)
        launch = made(StateStore(LaunchState()))
        self.app = app
        made(self)
    }

    func makeLaunchController() -> any Controller {
        let view = made(LaunchView(window: app.window))
        let observer = made(EventObserver(launch.select { LaunchViewState($0) }))
        let controller = made(LaunchController(userInterface: view, observer: observer, useCases: self))
        view.interactionResponder = controller
        observer.deliver(to: controller) { $0.received(newViewState: $1) }
        return controller
    }
}

extension LaunchContainer: LaunchUseCaseFactory, PresentOnboardingUseCaseFactory {
    public func makeLaunchUseCase() -> any UseCase {
        made(LaunchUseCase(repository: app.userSessionRepository, launch: launch, main: app.main))
    }

    public func makePresentOnboardingUseCase(error: ErrorMessage?) -> any UseCase {
        made(PresentOnboardingUseCase(error: error, main: app.main))
    }
}
