import KooberKit
import PouchEntities

@MainActor
protocol DropoffLocationPickerUserInteractions: AnyObject {
    func goToDropoffLocationPicker()
    /// Nothing is heard of earlier searches any more.
    func search(using query: String)
    func select(_ location: NamedLocation)
    func close()
}

@MainActor
final class ReduxDropoffLocationPickerUserInteractions: DropoffLocationPickerUserInteractions {
    private let pickupLocation: GeoPoint
    private let actionDispatcher: any ActionDispatcher<PickMeUpAction>
    private let locationRepository: any LocationRepository
    private let rideOptionPicker: any RideOptionPickerUserInteractions
    private let serialNumbers: SerialNumbers
    private let searching = LatestTask()

    init(
        pickupLocation: GeoPoint,
        actionDispatcher: any ActionDispatcher<PickMeUpAction>,
        locationRepository: any LocationRepository,
        rideOptionPicker: any RideOptionPickerUserInteractions,
        serialNumbers: SerialNumbers
    ) {
        self.pickupLocation = pickupLocation
        self.actionDispatcher = actionDispatcher
        self.locationRepository = locationRepository
        self.rideOptionPicker = rideOptionPicker
        self.serialNumbers = serialNumbers
    }

    func goToDropoffLocationPicker() {
        let request = serialNumbers.next()
        actionDispatcher.dispatch(.goToDropoffLocationPicker(request: request))
        find("", request)
    }

    func search(using query: String) {
        let request = serialNumbers.next()
        actionDispatcher.dispatch(.dropoffLocationPicker(.searching(query: query, request: request)))
        find(query, request)
    }

    func select(_ location: NamedLocation) {
        searching.cancel()
        rideOptionPicker.loadRideOptions(to: location.location)
    }

    func close() {
        searching.cancel()
        actionDispatcher.dispatch(.closedDropoffLocationPicker)
    }

    private func find(_ query: String, _ request: SerialNumber) {
        searching.run { [pickupLocation, actionDispatcher, locationRepository, serialNumbers] in
            do throws(ErrorMessage) {
                let results = try await locationRepository.searchForLocations(using: query, near: pickupLocation)
                actionDispatcher.dispatch(.dropoffLocationPicker(.found(results, request: request)))
            } catch {
                let error = ErrorToPresent(id: serialNumbers.next(), message: error)
                actionDispatcher.dispatch(.dropoffLocationPicker(.searchFailed(error, request: request)))
            }
        }
    }
}
