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
        made.controller(
            LaunchController.self, in: LaunchView(window: app.window), of: launch.select { LaunchViewState($0) },
            useCases: self)
    }
}

extension LaunchContainer: LaunchUseCaseFactory, PresentOnboardingUseCaseFactory {
    public func makeLaunchUseCase() -> any CancelableUseCase {
        made(LaunchUseCase(repository: app.userSessionRepository, launch: launch, main: app.main))
    }

    public func makePresentOnboardingUseCase(error: ErrorMessage?) -> any UseCase {
        made(PresentOnboardingUseCase(error: error, main: app.main))
    }
}
