import KooberKit
import PouchEntities

@MainActor
final class PickMeUpUserInteractions {
    private let pickupLocation: GeoPoint
    private let actionDispatcher: any ActionDispatcher<PickMeUpAction>
    private let newRideRepository: any NewRideRepository
    private let serialNumbers: SerialNumbers
    private let sending: AsyncAction<PickMeUpAction>

    init(
        pickupLocation: GeoPoint,
        actionDispatcher: any ActionDispatcher<PickMeUpAction>,
        newRideRepository: any NewRideRepository,
        serialNumbers: SerialNumbers
    ) {
        self.pickupLocation = pickupLocation
        self.actionDispatcher = actionDispatcher
        self.newRideRepository = newRideRepository
        self.serialNumbers = serialNumbers
        sending = AsyncAction(actionDispatcher, serialNumbers)
    }

    func confirm(_ draft: RideDraft) {
        let waypoints = RideWaypoints(pickupLocation: pickupLocation, dropoffLocation: draft.dropoffLocation.location)
        let ride = NewRideRequest(waypoints: waypoints, option: draft.selected)
        sending.begin {
            .sendingRideRequest(request: $0)
        } call: { [newRideRepository] () async throws(ErrorMessage) in
            try await newRideRepository.request(ride)
        } success: { [serialNumbers] in
            .newRideRequestSent($0, scope: serialNumbers.next(), request: $1)
        } failure: {
            .rideRequestFailed($0, request: $1)
        }
    }

    func finishedPresenting(_ error: ErrorToPresent) {
        actionDispatcher.dispatch(.finishedPresenting(error.id))
    }
}
