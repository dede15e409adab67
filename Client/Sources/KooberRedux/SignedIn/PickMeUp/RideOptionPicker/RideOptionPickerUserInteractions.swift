import KooberKit
import PouchEntities

@MainActor
final class RideOptionPickerUserInteractions {
    private let pickupLocation: GeoPoint
    private let actionDispatcher: any ActionDispatcher<PickMeUpAction>
    private let rideOptionRepository: any RideOptionRepository
    private let loading: AsyncAction<PickMeUpAction>

    init(
        pickupLocation: GeoPoint,
        actionDispatcher: any ActionDispatcher<PickMeUpAction>,
        rideOptionRepository: any RideOptionRepository,
        serialNumbers: SerialNumbers
    ) {
        self.pickupLocation = pickupLocation
        self.actionDispatcher = actionDispatcher
        self.rideOptionRepository = rideOptionRepository
        loading = AsyncAction(actionDispatcher, serialNumbers)
    }

    /// Nothing is heard of options for an earlier drop-off any more.
    func loadRideOptions(to dropoffLocation: NamedLocation) {
        let waypoints = RideWaypoints(pickupLocation: pickupLocation, dropoffLocation: dropoffLocation.location)
        loading.begin {
            .loadingRideOptions(dropoffLocation: dropoffLocation, request: $0)
        } call: { [rideOptionRepository] () async throws(ErrorMessage) in
            try await rideOptionRepository.rideOptions(for: waypoints)
        } success: {
            .rideOptionPicker(.loaded($0, request: $1))
        } failure: {
            .rideOptionPicker(.loadingFailed($0, request: $1))
        }
    }

    func select(_ id: RideOption.ID) {
        actionDispatcher.dispatch(.rideOptionSelected(id))
    }
}
