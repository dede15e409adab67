import KooberKit
import PouchEntities

@MainActor
protocol PickMeUpUserInteractions: AnyObject {
    func confirm(_ draft: RideDraft)
    func finishedPresenting(_ error: ErrorToPresent)
}

@MainActor
final class ReduxPickMeUpUserInteractions: PickMeUpUserInteractions {
    private let pickupLocation: GeoPoint
    private let actionDispatcher: any ActionDispatcher<PickMeUpAction>
    private let newRideRepository: any NewRideRepository
    private let serialNumbers: SerialNumbers
    private let sending = LatestTask()

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
    }

    func confirm(_ draft: RideDraft) {
        let request = serialNumbers.next()
        let waypoints = RideWaypoints(pickupLocation: pickupLocation, dropoffLocation: draft.dropoffLocation)
        let ride = NewRideRequest(waypoints: waypoints, option: draft.selected)
        actionDispatcher.dispatch(.sendingRideRequest(request: request))
        sending.run { [actionDispatcher, newRideRepository, serialNumbers] in
            do throws(ErrorMessage) {
                let ride = try await newRideRepository.request(ride)
                actionDispatcher.dispatch(.newRideRequestSent(ride, scope: serialNumbers.next(), request: request))
            } catch {
                let error = ErrorToPresent(id: serialNumbers.next(), message: error)
                actionDispatcher.dispatch(.rideRequestFailed(error, request: request))
            }
        }
    }

    func finishedPresenting(_ error: ErrorToPresent) {
        actionDispatcher.dispatch(.finishedPresenting(error.id))
    }
}
