import KooberKit
import PouchEntities

/// Does nothing to a ride that is not to be cancelled any more, or is being cancelled.
@MainActor
public protocol CancelRideUseCaseFactory: AnyObject {
    func makeCancelRideUseCase() -> any CancelableUseCase
}

final class CancelRideUseCase: SingleRunUseCase, Cancelable {
    let run = UseCaseRun()
    private let repository: any NewRideRepository
    private let waiting: StateStore<WaitingForPickupState>

    init(repository: any NewRideRepository, waiting: StateStore<WaitingForPickupState>) {
        self.repository = repository
        self.waiting = waiting
    }

    func begin() {
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
                    // Of a ride that has ended meanwhile, it does not matter any more.
                    guard $0.isCancelling else { return }
                    $0.errors.append(error)
                }
                $0.isCancelling = false
            }
        }
    }
}
