import KooberKit
import PouchEntities

/// Keeps the ride up to date, until it has ended.
@MainActor
public protocol FollowRideUseCaseFactory: AnyObject {
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
        guard !waiting.state.ride.status.isFinal else { return }
        waiting.update { $0.interruption = nil }
        let updates = StreamSource { [repository, ride = waiting.state.ride] in repository.updates(of: ride) }
        run.follow(updates) { [waiting] event in
            waiting.update {
                // What comes then was on its way when the ride was cancelled.
                guard !$0.ride.hasEnded else { return }
                switch event {
                case .element(let ride):
                    $0.ride = ride
                    if ride.status.isFinal { $0.isCancelling = false }
                case .ended(let error?):
                    let error = ErrorMessage(title: "No news of your ride", error)
                    $0.interruption = error.id
                    $0.errors.append(error)
                case .ended(nil):
                    break
                }
            }
        }
    }
}

extension Ride {
    /// After a driver gave up, another may follow.
    fileprivate var hasEnded: Bool { status.isFinal && status != .cancelledByDriver }
}
