import KooberKit
import PouchEntities

@MainActor
final class DropoffLocationPickerUserInteractions {
    private let pickupLocation: GeoPoint
    private let actionDispatcher: any ActionDispatcher<PickMeUpAction>
    private let locationRepository: any LocationRepository
    private let rideOptionPicker: RideOptionPickerUserInteractions
    private let searching: AsyncAction<PickMeUpAction>

    init(
        pickupLocation: GeoPoint,
        actionDispatcher: any ActionDispatcher<PickMeUpAction>,
        locationRepository: any LocationRepository,
        rideOptionPicker: RideOptionPickerUserInteractions,
        serialNumbers: SerialNumbers
    ) {
        self.pickupLocation = pickupLocation
        self.actionDispatcher = actionDispatcher
        self.locationRepository = locationRepository
        self.rideOptionPicker = rideOptionPicker
        searching = AsyncAction(actionDispatcher, serialNumbers)
    }

    func goToDropoffLocationPicker() {
        find("") { .goToDropoffLocationPicker(request: $0) }
    }

    /// Nothing is heard of earlier searches any more.
    func search(using query: String) {
        find(query) { .dropoffLocationPicker(.searching(query: query, request: $0)) }
    }

    func select(_ location: NamedLocation) {
        searching.cancel()
        rideOptionPicker.loadRideOptions(to: location)
    }

    func close() {
        searching.cancel()
        actionDispatcher.dispatch(.closedDropoffLocationPicker)
    }

    private func find(_ query: String, _ progress: (SerialNumber) -> PickMeUpAction) {
        searching.begin(progress) { [pickupLocation, locationRepository] () async throws(ErrorMessage) in
            try await locationRepository.searchForLocations(using: query, near: pickupLocation)
        } success: {
            .dropoffLocationPicker(.found($0, request: $1))
        } failure: {
            .dropoffLocationPicker(.searchFailed($0, request: $1))
        }
    }
}
