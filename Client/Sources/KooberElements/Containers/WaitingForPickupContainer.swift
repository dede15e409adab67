import KooberKit
import PouchEntities

/// Owns the objects that live from the request of a ride to the next ride.
@MainActor
public final class WaitingForPickupContainer {
    public let waiting: StateStore<WaitingForPickupState>
    private let signedIn: SignedInContainer

    init(signedIn: SignedInContainer, ride: Ride) {
        waiting = StateStore(WaitingForPickupState(ride: ride))
        self.signedIn = signedIn
    }

    func makeWaitingForPickupController() -> any Controller {
        WaitingForPickupController.make(
            in: WaitingForPickupView(window: signedIn.app.window), observing: waiting, useCases: self)
    }
}

extension WaitingForPickupContainer: FollowRideUseCaseFactory, CancelRideUseCaseFactory, StartNewRideUseCaseFactory,
    FinishedPresentingErrorUseCaseFactory
{
    public func makeFollowRideUseCase() -> any CancelableUseCase {
        FollowRideUseCase(repository: signedIn.newRideRepository, waiting: waiting)
    }

    public func makeCancelRideUseCase() -> any CancelableUseCase {
        CancelRideUseCase(repository: signedIn.newRideRepository, waiting: waiting)
    }

    public func makeStartNewRideUseCase() -> any UseCase {
        StartNewRideUseCase(waiting: waiting, signedIn: signedIn.signedIn)
    }

    public func makeFinishedPresentingErrorUseCase(_ error: ErrorMessage) -> any UseCase {
        FinishedPresentingErrorUseCase(error: error, store: waiting)
    }
}
