import KooberKit

/// Owns the objects that live until the stored session is read.
@MainActor
public final class LaunchContainer {
    public let launch: StateStore<LaunchState>
    private let app: AppContainer

    init(app: AppContainer) {
        launch = StateStore(LaunchState())
        self.app = app
    }

    func makeLaunchController() -> any Controller {
        LaunchController.make(
            in: LaunchView(window: app.window), observing: launch.select { LaunchViewState($0) }, useCases: self)
    }
}

extension LaunchContainer: LaunchUseCaseFactory, PresentOnboardingUseCaseFactory {
    public func makeLaunchUseCase() -> any CancelableUseCase {
        LaunchUseCase(repository: app.userSessionRepository, launch: launch, main: app.main)
    }

    public func makePresentOnboardingUseCase(error: ErrorMessage?) -> any UseCase {
        PresentOnboardingUseCase(error: error, main: app.main)
    }
}
