import KooberKit

@MainActor
public protocol WaitingForPickupInteractionResponder: ErrorInteractionResponder {
    func cancelRide()
    func startNewRide()
}

public final class WaitingForPickupController: Controller, WaitingForPickupInteractionResponder {
    public typealias UseCases = FollowRideUseCaseFactory & CancelRideUseCaseFactory & StartNewRideUseCaseFactory
        & FinishedPresentingErrorUseCaseFactory

    private let userInterface: any WaitingForPickupUserInterface
    private let observer: any Observer
    private let useCases: any UseCases
    private var state: WaitingForPickupState?
    private var following: (any CancelableUseCase)?
    private var cancelling: (any CancelableUseCase)?

    public init(userInterface: any WaitingForPickupUserInterface, observer: any Observer, useCases: any UseCases) {
        self.userInterface = userInterface
        self.observer = observer
        self.useCases = useCases
    }

    public func activate() {
        observer.startObserving()
        followRide()
    }

    public func deactivate() {
        observer.stopObserving()
        following?.cancel()
        cancelling?.cancel()
    }

    public func received(newState: WaitingForPickupState) {
        state = newState
        userInterface.render(newState: WaitingForPickupViewState(newState))
    }

    public func cancelRide() {
        cancelling = useCases.makeCancelRideUseCase()
        cancelling?.start()
    }

    public func startNewRide() { useCases.makeStartNewRideUseCase().start() }

    public func finishedPresenting(_ error: ErrorMessage) {
        useCases.makeFinishedPresentingErrorUseCase(error).start()
        if state?.interruption == error.id { followRide() }
    }

    private func followRide() {
        following = useCases.makeFollowRideUseCase()
        following?.start()
    }
}
