import KooberKit
import PouchEntities

@MainActor
public protocol WaitingForPickupUseCaseFactory: AnyObject {
    func makeFollowRideUseCase() -> any CancelableUseCase
    func makeResumeRideUseCase(after error: ErrorMessage) -> any CancelableUseCase
    func makeCancelRideUseCase() -> any CancelableUseCase
    func makeStartNewRideUseCase() -> any UseCase
}

/// Keeps the ride up to date until it ends.
struct FollowRideUseCase: UseCaseSteps {
    /// Runs only if the ride was interrupted by this error; nil to run in any case.
    let interruption: ErrorMessage.ID?
    let repository: any NewRideRepository
    let waiting: StateStore<WaitingForPickupState>
    let events: Broadcaster<AppEvent>

    func execute(in run: UseCaseRun<Self>) {
        guard !waiting.state.ride.status.isFinal, waiting.state.interruption == interruption else { return }
        waiting.update { $0.interruption = nil }
        let id = waiting.state.ride.id
        run.perform {
            do {
                for try await ride in repository.updates(of: id) { waiting.receive(ride, events) }
            } catch {
                waiting.update {
                    guard !$0.ride.status.isFinal else { return }
                    let error = ErrorMessage(error)
                    $0.interruption = error.id
                    $0.errors.append(error)
                }
            }
        }
    }
}

/// Cancels the ride. Does nothing after the pick-up, and while the ride is being cancelled.
struct CancelRideUseCase: UseCaseSteps {
    let repository: any NewRideRepository
    let waiting: StateStore<WaitingForPickupState>
    let events: Broadcaster<AppEvent>

    func execute(in run: UseCaseRun<Self>) {
        guard waiting.state.ride.status.isCancellable, !waiting.state.isCancelling else { return }
        waiting.update { $0.isCancelling = true }
        let id = waiting.state.ride.id
        run.perform {
            do throws(ErrorMessage) {
                let ride = try await repository.cancel(id)
                waiting.update { $0.isCancelling = false }
                waiting.receive(ride, events)
            } catch {
                waiting.update {
                    // The error does not matter if the ride has ended since.
                    guard $0.isCancelling else { return }
                    $0.isCancelling = false
                    $0.errors.append(error)
                }
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

extension StateStore<WaitingForPickupState> {
    /// Broadcasts the end of the ride. Ignores updates that arrive after it.
    fileprivate func receive(_ ride: Ride, _ events: Broadcaster<AppEvent>) {
        guard !state.ride.status.isFinal else { return }
        update {
            $0.ride = ride
            if ride.status.isFinal { $0.isCancelling = false }
        }
        if ride.status.isFinal { events.broadcast(.rideEnded(ride.id, ride.status)) }
    }
}
