import KooberKit
import PouchEntities

@MainActor
public protocol FollowRideUseCaseFactory: AnyObject {
    /// Keeps the ride up to date, until it has ended.
    func makeFollowRideUseCase() -> any CancelableUseCase
}

final class FollowRideUseCase: SingleRunUseCase, Cancelable {
    let run = UseCaseRun()
    private let repository: any NewRideRepository
    private let waiting: StateStore<WaitingForPickupState>

    init(repository: any NewRideRepository, waiting: StateStore<WaitingForPickupState>) {
        self.repository = repository
        self.waiting = waiting
    }

    func begin() {
        let updates = StreamSource { [repository, ride = waiting.state.ride] in repository.updates(of: ride) }
        run.follow(updates) { [waiting] event in
            waiting.update {
                // What comes then was on its way when the ride was cancelled.
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
