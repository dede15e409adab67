import KooberKit
import PouchEntities

@MainActor
protocol RideOptionPickerUserInteractions: AnyObject {
    /// Nothing is heard of options for an earlier drop-off any more.
    func loadRideOptions(to dropoffLocation: GeoPoint)
    func select(_ id: RideOption.ID)
}

@MainActor
final class ReduxRideOptionPickerUserInteractions: RideOptionPickerUserInteractions {
    private let pickupLocation: GeoPoint
    private let actionDispatcher: any ActionDispatcher<PickMeUpAction>
    private let rideOptionRepository: any RideOptionRepository
    private let serialNumbers: SerialNumbers
    private let loading = LatestTask()

    init(
        pickupLocation: GeoPoint,
        actionDispatcher: any ActionDispatcher<PickMeUpAction>,
        rideOptionRepository: any RideOptionRepository,
        serialNumbers: SerialNumbers
    ) {
        self.pickupLocation = pickupLocation
        self.actionDispatcher = actionDispatcher
        self.rideOptionRepository = rideOptionRepository
        self.serialNumbers = serialNumbers
    }

    func loadRideOptions(to dropoffLocation: GeoPoint) {
        let request = serialNumbers.next()
        let waypoints = RideWaypoints(pickupLocation: pickupLocation, dropoffLocation: dropoffLocation)
        actionDispatcher.dispatch(.loadingRideOptions(dropoffLocation: dropoffLocation, request: request))
        loading.run { [actionDispatcher, rideOptionRepository, serialNumbers] in
            do throws(ErrorMessage) {
                let options = try await rideOptionRepository.rideOptions(for: waypoints)
                actionDispatcher.dispatch(.rideOptionPicker(.loaded(options, request: request)))
            } catch {
                let error = ErrorToPresent(id: serialNumbers.next(), message: error)
                actionDispatcher.dispatch(.rideOptionPicker(.loadingFailed(error, request: request)))
            }
        }
    }

    func select(_ id: RideOption.ID) {
        actionDispatcher.dispatch(.rideOptionSelected(id))
    }
}
