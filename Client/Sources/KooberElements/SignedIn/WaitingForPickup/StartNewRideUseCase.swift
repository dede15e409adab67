import PouchEntities

/// Leaves the ride that has ended, and finds out anew where the user is. Does nothing while the ride is under way.
@MainActor
public protocol StartNewRideUseCaseFactory: AnyObject {
    func makeStartNewRideUseCase() -> any UseCase
}

final class StartNewRideUseCase: SingleRunUseCase {
    let run = UseCaseRun()
    private let waiting: StateStore<WaitingForPickupState>
    private let signedIn: StateStore<SignedInState>

    init(waiting: StateStore<WaitingForPickupState>, signedIn: StateStore<SignedInState>) {
        self.waiting = waiting
        self.signedIn = signedIn
    }

    func begin() {
        let ride = waiting.state.ride
        // The next ride may be there already.
        guard ride.status.isFinal, case .waitingForPickup(let shown) = signedIn.state.screen, shown.id == ride.id else {
            return
        }
        signedIn.update { $0.screen = .gettingUserLocation }
    }
}
