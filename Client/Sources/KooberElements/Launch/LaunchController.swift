import KooberKit

final class LaunchController: ScreenController, ErrorInteractionResponder {
    typealias UseCases = LaunchUseCaseFactory & PresentOnboardingUseCaseFactory

    private let userInterface: any LaunchUserInterface
    private let observer: any Observer
    private let useCases: any UseCases
    private let running = RunningUseCases()

    init(userInterface: any LaunchUserInterface, observer: any Observer, useCases: any UseCases) {
        self.userInterface = userInterface
        self.observer = observer
        self.useCases = useCases
        userInterface.interactionResponder = self
    }

    func activate() {
        observer.startObserving()
        running.start(useCases.makeLaunchUseCase())
    }

    func deactivate() {
        observer.stopObserving()
        running.cancel()
    }

    func received(newState: LaunchViewState) {
        userInterface.render(newState: newState)
    }

    /// Who could not be recognised has to sign in.
    func finishedPresenting(_ error: ErrorMessage) {
        useCases.makePresentOnboardingUseCase(error: nil).start()
    }
}
