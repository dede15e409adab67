import KooberKit
import PouchEntities

@MainActor
public protocol WaitingForPickupUseCaseFactory: AnyObject {
    func makeFollowRideUseCase() -> any CancelableUseCase
    func makeCancelRideUseCase() -> any CancelableUseCase
    func makeStartNewRideUseCase() -> any UseCase
}

/// Keeps the ride up to date until it ends.
struct FollowRideUseCase: UseCaseSteps {
    let repository: any NewRideRepository
    let waiting: StateStore<WaitingForPickupState>

    func execute(in run: UseCaseRun<Self>) {
        guard !waiting.state.ride.status.isFinal else { return }
        waiting.update { $0.interruption = nil }
        let updates = StreamSource { [repository, ride = waiting.state.ride] in repository.updates(of: ride) }
        run.follow(updates) { [waiting] event in
            waiting.update {
                // Updates may arrive late, after the user has cancelled the ride.
                guard !$0.ride.status.isFinal else { return }
                switch event {
                case .element(let ride):
                    $0.ride = ride
                    if ride.status.isFinal { $0.isCancelling = false }
                case .ended(let error?):
                    let error = ErrorMessage(error)
                    $0.interruption = error.id
                    $0.errors.append(error)
                case .ended(nil):
                    break
                }
            }
        }
    }
}

/// Cancels the ride. Does nothing after the pick-up, and while the ride is being cancelled.
struct CancelRideUseCase: UseCaseSteps {
    let repository: any NewRideRepository
    let waiting: StateStore<WaitingForPickupState>

    func execute(in run: UseCaseRun<Self>) {
        guard waiting.state.ride.status.isCancellable, !waiting.state.isCancelling else { return }
        waiting.update { $0.isCancelling = true }
        run.perform { [repository, ride = waiting.state.ride] () async throws(ErrorMessage) in
            try await repository.cancel(ride)
        } then: { [waiting] result in
            waiting.update {
                switch result {
                case .success(let ride):
                    $0.ride = ride
                case .failure(let error):
                    // The error does not matter if the ride has ended in the meantime.
                    guard $0.isCancelling else { return }
                    $0.errors.append(error)
                }
                $0.isCancelling = false
            }
        }
    }
}

/// Leaves a ride that has ended, and finds the user's location again. Does nothing before the ride has ended.
struct StartNewRideUseCase: UseCaseSteps {
    let waiting: StateStore<WaitingForPickupState>
    let signedIn: StateStore<SignedInState>

    func execute(in run: UseCaseRun<Self>) {
        let ride = waiting.state.ride
        // The screen may already show the next ride.
        guard ride.status.isFinal, case .waitingForPickup(let shown) = signedIn.state.screen, shown.id == ride.id else {
            return
        }
        signedIn.update { $0.screen = .gettingUserLocation }
    }
}
