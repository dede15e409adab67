import KooberKit

public final class LaunchController: Controller, ErrorInteractionResponder {
    public typealias UseCases = LaunchUseCaseFactory & PresentOnboardingUseCaseFactory

    private let userInterface: any LaunchUserInterface
    private let observer: any Observer
    private let useCases: any UseCases

    public init(userInterface: any LaunchUserInterface, observer: any Observer, useCases: any UseCases) {
        self.userInterface = userInterface
        self.observer = observer
        self.useCases = useCases
    }

    public func activate() {
        observer.startObserving()
        useCases.makeLaunchUseCase().start()
    }

    public func deactivate() { observer.stopObserving() }

    public func received(newViewState: LaunchViewState) {
        userInterface.render(newState: newViewState)
    }

    /// Who could not be recognised has to sign in.
    public func finishedPresenting(_ error: ErrorMessage) {
        useCases.makePresentOnboardingUseCase(error: nil).start()
    }
}
