import KooberKit
import PouchEntities

/// Owns the objects that live from a known location to a requested ride. The pick-me-up view keeps it as the factory of
/// each drop-off picker's interactions.
@MainActor
final class PickMeUpDependencyContainer: DropoffLocationPickerFactory {
    private let pickupLocation: GeoPoint
    private let state: StatePublisher<PickMeUpState>
    private let actionDispatcher: any ActionDispatcher<PickMeUpAction>
    private let locationRepository: any LocationRepository
    private let newRideRepository: any NewRideRepository
    private let rideOptionPicker: RideOptionPickerUserInteractions

    init(parent: SignedInDependencyContainer, scope: SerialNumber, pickupLocation: GeoPoint) {
        self.pickupLocation = pickupLocation
        state = parent.state.scoped { $0.pickMeUp(scope) }
        actionDispatcher = parent.actionDispatcher.scoped { .pickMeUp(scope: scope, $0) }
        locationRepository = parent.locationRepository
        newRideRepository = parent.newRideRepository
        rideOptionPicker = RideOptionPickerUserInteractions(
            pickupLocation: pickupLocation, actionDispatcher: actionDispatcher,
            rideOptionRepository: parent.rideOptionRepository)
    }

    func makePickMeUpView() -> any StateView {
        PickMeUpView(
            state: state,
            userInteractions: PickMeUpUserInteractions(
                pickupLocation: pickupLocation, actionDispatcher: actionDispatcher,
                newRideRepository: newRideRepository),
            rideOptionPicker: rideOptionPicker, dropoffLocationPickerFactory: self)
    }

    func makeDropoffLocationPickerUserInteractions() -> DropoffLocationPickerUserInteractions {
        DropoffLocationPickerUserInteractions(
            pickupLocation: pickupLocation, actionDispatcher: actionDispatcher,
            locationRepository: locationRepository, rideOptionPicker: rideOptionPicker)
    }
}
