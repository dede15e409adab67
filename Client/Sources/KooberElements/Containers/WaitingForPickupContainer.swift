import KooberKit
import KooberScreens
import PouchEntities

/// What lives while somebody waits for a ride, within their session.
@MainActor
public final class WaitingForPickupContainer {
    public let waiting: StateStore<WaitingForPickupState>
    private let signedIn: SignedInContainer
    private let made: ObjectRegister

    init(signedIn: SignedInContainer, ride: Ride) {
        made = ObjectRegister(scope: .waitingForPickup, lifetimes: signedIn.app.lifetimes)
        waiting = made(StateStore(WaitingForPickupState(ride: ride)))
        self.signedIn = signedIn
        made(self)
    }

    func makeWaitingForPickupController() -> any Controller {
        made.controller(
            WaitingForPickupController.self, in: WaitingForPickupView(window: signedIn.app.window), of: waiting,
            useCases: self)
    }
}

extension WaitingForPickupContainer: FollowRideUseCaseFactory, CancelRideUseCaseFactory, StartNewRideUseCaseFactory,
    FinishedPresentingErrorUseCaseFactory
{
    public func makeFollowRideUseCase() -> any CancelableUseCase {
        made(FollowRideUseCase(repository: signedIn.newRideRepository, waiting: waiting))
    }

    public func makeCancelRideUseCase() -> any CancelableUseCase {
        made(CancelRideUseCase(repository: signedIn.newRideRepository, waiting: waiting))
    }

    public func makeStartNewRideUseCase() -> any UseCase {
        made(StartNewRideUseCase(waiting: waiting, signedIn: signedIn.signedIn))
    }

    public func makeFinishedPresentingErrorUseCase(_ error: ErrorMessage) -> any UseCase {
        made(FinishedPresentingErrorUseCase(error: error, store: waiting))
    }
}
