import KooberKit

@MainActor
protocol WaitingForPickupInteractionResponder: ErrorInteractionResponder {
    func cancelRide()
    func startNewRide()
}

final class WaitingForPickupController: ScreenController, WaitingForPickupInteractionResponder {
    typealias UseCases = FollowRideUseCaseFactory & CancelRideUseCaseFactory & StartNewRideUseCaseFactory
        & FinishedPresentingErrorUseCaseFactory

    private let userInterface: any WaitingForPickupUserInterface
    private let observer: any Observer
    private let useCases: any UseCases
    private var state: WaitingForPickupState?
    private let following = RunningUseCases()
    private let cancelling = RunningUseCases()

    init(userInterface: any WaitingForPickupUserInterface, observer: any Observer, useCases: any UseCases) {
        self.userInterface = userInterface
        self.observer = observer
        self.useCases = useCases
        userInterface.interactionResponder = self
    }

    func activate() {
        observer.startObserving()
        followRide()
    }

    func deactivate() {
        observer.stopObserving()
        following.cancel()
        cancelling.cancel()
    }

    func received(newState: WaitingForPickupState) {
        state = newState
        userInterface.render(newState: WaitingForPickupViewState(newState))
    }

    func cancelRide() { cancelling.start(useCases.makeCancelRideUseCase()) }

    func startNewRide() { useCases.makeStartNewRideUseCase().start() }

    func finishedPresenting(_ error: ErrorMessage) {
        useCases.makeFinishedPresentingErrorUseCase(error).start()
        if state?.interruption == error.id { followRide() }
    }

    private func followRide() { following.replace(by: useCases.makeFollowRideUseCase()) }
}
