import KooberKit

final class GettingUserLocationController: ScreenController, ErrorInteractionResponder {
    typealias UseCases = BeginRideUseCaseFactory & FinishedPresentingErrorUseCaseFactory

    private let userInterface: any GettingUserLocationUserInterface
    private let observer: any Observer
    private let useCases: any UseCases
    private let running = RunningUseCases()

    init(
        userInterface: any GettingUserLocationUserInterface, observer: any Observer, useCases: any UseCases
    ) {
        self.userInterface = userInterface
        self.observer = observer
        self.useCases = useCases
        userInterface.interactionResponder = self
    }

    func activate() {
        observer.startObserving()
        beginRide()
    }

    func deactivate() {
        observer.stopObserving()
        running.cancel()
    }

    func received(newState: GettingUserLocationViewState) {
        userInterface.render(newState: newState)
    }

    func finishedPresenting(_ error: ErrorMessage) {
        useCases.makeFinishedPresentingErrorUseCase(error).start()
        beginRide()
    }

    private func beginRide() {
        running.replace(by: useCases.makeBeginRideUseCase())
    }
}
