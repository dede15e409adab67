import KooberKit
import PouchEntities

/// What lives while somebody waits for a ride, within their session.
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
