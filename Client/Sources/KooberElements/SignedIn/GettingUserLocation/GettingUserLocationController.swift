import KooberKit

public final class GettingUserLocationController: Controller, ErrorInteractionResponder {
    public typealias UseCases = BeginRideUseCaseFactory & FinishedPresentingErrorUseCaseFactory

    private let userInterface: any GettingUserLocationUserInterface
    private let observer: any Observer
    private let useCases: any UseCases
    private var running: (any CancelableUseCase)?

    public init(
        userInterface: any GettingUserLocationUserInterface, observer: any Observer, useCases: any UseCases
    ) {
        self.userInterface = userInterface
        self.observer = observer
        self.useCases = useCases
    }

    public func activate() {
        observer.startObserving()
        beginRide(lookingForActiveRide: true)
    }

    public func deactivate() {
        observer.stopObserving()
        running?.cancel()
    }

    public func received(newViewState: GettingUserLocationViewState) {
        userInterface.render(newState: newViewState)
    }

    public func finishedPresenting(_ error: ErrorMessage) {
        useCases.makeFinishedPresentingErrorUseCase(error).start()
        beginRide(lookingForActiveRide: false)
    }

    private func beginRide(lookingForActiveRide: Bool) {
        running = useCases.makeBeginRideUseCase(lookingForActiveRide: lookingForActiveRide)
        running?.start()
    }
}
