import KooberKit
import PouchEntities

@MainActor
protocol WaitingForPickupUserInteractions: AnyObject {
    /// Until it has ended.
    func follow(_ ride: Ride)
    func cancel(_ ride: Ride)
    func startNewRide()
    func finishedPresenting(_ error: ErrorToPresent)
}

@MainActor
final class ReduxWaitingForPickupUserInteractions: WaitingForPickupUserInteractions {
    private let actionDispatcher: any ActionDispatcher<WaitingForPickupAction>
    private let newRideRepository: any NewRideRepository
    private let serialNumbers: SerialNumbers
    private let following = LatestTask()
    private let cancelling = LatestTask()

    init(
        actionDispatcher: any ActionDispatcher<WaitingForPickupAction>,
        newRideRepository: any NewRideRepository,
        serialNumbers: SerialNumbers
    ) {
        self.actionDispatcher = actionDispatcher
        self.newRideRepository = newRideRepository
        self.serialNumbers = serialNumbers
    }

    func follow(_ ride: Ride) {
        let updates = newRideRepository.updates(of: ride)
        following.run { [actionDispatcher, serialNumbers] in
            do {
                for try await ride in updates { actionDispatcher.dispatch(.rideUpdated(ride)) }
            } catch {
                let message = ErrorMessage(title: "Your ride cannot be followed", error)
                actionDispatcher.dispatch(.lostRide(ErrorToPresent(id: serialNumbers.next(), message: message)))
            }
        }
    }

    func cancel(_ ride: Ride) {
        let request = serialNumbers.next()
        actionDispatcher.dispatch(.cancelling(request: request))
        cancelling.run { [actionDispatcher, newRideRepository, serialNumbers] in
            do throws(ErrorMessage) {
                let ride = try await newRideRepository.cancel(ride)
                actionDispatcher.dispatch(.cancelled(ride, request: request))
            } catch {
                let error = ErrorToPresent(id: serialNumbers.next(), message: error)
                actionDispatcher.dispatch(.cancellationFailed(error, request: request))
            }
        }
    }

    func startNewRide() {
        actionDispatcher.dispatch(.startNewRide(scope: serialNumbers.next()))
    }

    func finishedPresenting(_ error: ErrorToPresent) {
        actionDispatcher.dispatch(.finishedPresenting(error.id))
    }
}
