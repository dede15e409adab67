import KooberKit
import PouchEntities

/// What lives from a known location to the request of a ride. The pick-me-up view holds it, since it has the interactions
/// of each drop-off picker made.
@MainActor
final class PickMeUpDependencyContainer: DropoffLocationPickerFactory {
    private let pickupLocation: GeoPoint
    private let state: StatePublisher<PickMeUpState>
    private let actionDispatcher: any ActionDispatcher<PickMeUpAction>
    private let serialNumbers: SerialNumbers
    private let locationRepository: any LocationRepository
    private let newRideRepository: any NewRideRepository
    private let rideOptionPicker: RideOptionPickerUserInteractions

    init(parent: SignedInDependencyContainer, scope: SerialNumber, pickupLocation: GeoPoint) {
        self.pickupLocation = pickupLocation
        state = parent.state.scoped { $0.pickMeUp(scope) }
        actionDispatcher = parent.actionDispatcher.scoped { .pickMeUp(scope: scope, $0) }
        serialNumbers = parent.serialNumbers
        locationRepository = parent.locationRepository
        newRideRepository = parent.newRideRepository
        rideOptionPicker = RideOptionPickerUserInteractions(
            pickupLocation: pickupLocation, actionDispatcher: actionDispatcher,
            rideOptionRepository: parent.rideOptionRepository, serialNumbers: serialNumbers)
    }

    func makePickMeUpView() -> any StateView {
        PickMeUpView(
            state: state,
            userInteractions: PickMeUpUserInteractions(
                pickupLocation: pickupLocation, actionDispatcher: actionDispatcher,
                newRideRepository: newRideRepository, serialNumbers: serialNumbers),
            rideOptionPicker: rideOptionPicker, dropoffLocationPickerFactory: self)
    }

    func makeDropoffLocationPickerUserInteractions() -> DropoffLocationPickerUserInteractions {
        DropoffLocationPickerUserInteractions(
            pickupLocation: pickupLocation, actionDispatcher: actionDispatcher,
            locationRepository: locationRepository, rideOptionPicker: rideOptionPicker,
            serialNumbers: serialNumbers)
    }
}
