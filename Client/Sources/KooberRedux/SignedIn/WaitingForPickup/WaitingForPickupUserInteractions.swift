import KooberKit
import PouchEntities

@MainActor
final class WaitingForPickupUserInteractions {
    private let actionDispatcher: any ActionDispatcher<WaitingForPickupAction>
    private let newRideRepository: any NewRideRepository
    private let serialNumbers: SerialNumbers
    private let following = LatestTask()
    private let cancelling: AsyncAction<WaitingForPickupAction>

    init(
        actionDispatcher: any ActionDispatcher<WaitingForPickupAction>,
        newRideRepository: any NewRideRepository,
        serialNumbers: SerialNumbers
    ) {
        self.actionDispatcher = actionDispatcher
        self.newRideRepository = newRideRepository
        self.serialNumbers = serialNumbers
        cancelling = AsyncAction(actionDispatcher, serialNumbers)
    }

    /// Until it has ended.
    func follow(_ ride: Ride) {
        guard !ride.status.isFinal else { return }
        let updates = newRideRepository.updates(of: ride)
        following.run { [actionDispatcher, serialNumbers] in
            do {
                for try await ride in updates { actionDispatcher.dispatch(.rideUpdated(ride)) }
            } catch {
                actionDispatcher.dispatch(
                    .lostRide(ErrorToPresent(id: serialNumbers.next(), message: ErrorMessage(error))))
            }
        }
    }

    func cancel(_ ride: Ride) {
        cancelling.begin {
            .cancelling(request: $0)
        } call: { [newRideRepository] () async throws(ErrorMessage) in
            try await newRideRepository.cancel(ride)
        } success: {
            .cancelled($0, request: $1)
        } failure: {
            .cancellationFailed($0, request: $1)
        }
    }

    func startNewRide() {
        actionDispatcher.dispatch(.startNewRide(scope: serialNumbers.next()))
    }

    func finishedPresenting(_ error: ErrorToPresent) {
        actionDispatcher.dispatch(.finishedPresenting(error.id))
    }
}
