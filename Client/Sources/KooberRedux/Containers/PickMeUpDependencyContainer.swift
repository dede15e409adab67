import KooberKit
import KooberScreens
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
    private let made: ObjectRegister

    init(parent: SignedInDependencyContainer, scope: SerialNumber, pickupLocation: GeoPoint) {
        self.pickupLocation = pickupLocation
        state = parent.state.scoped { $0.pickMeUp(scope) }
        actionDispatcher = parent.actionDispatcher.scoped { .pickMeUp(scope: scope, $0) }
        serialNumbers = parent.serialNumbers
        locationRepository = parent.locationRepository
        newRideRepository = parent.newRideRepository
        made = ObjectRegister(scope: .pickMeUp, lifetimes: parent.lifetimes)
        rideOptionPicker = made(
            RideOptionPickerUserInteractions(
                pickupLocation: pickupLocation, actionDispatcher: actionDispatcher,
                rideOptionRepository: parent.rideOptionRepository, serialNumbers: serialNumbers))
        made(self)
    }

    func makePickMeUpView() -> any StateView {
        made(
            PickMeUpView(
                state: state,
                userInteractions: made(
                    PickMeUpUserInteractions(
                        pickupLocation: pickupLocation, actionDispatcher: actionDispatcher,
                        newRideRepository: newRideRepository, serialNumbers: serialNumbers)),
                rideOptionPicker: rideOptionPicker, dropoffLocationPickerFactory: self))
    }

    func makeDropoffLocationPickerUserInteractions() -> DropoffLocationPickerUserInteractions {
        made(
            DropoffLocationPickerUserInteractions(
                pickupLocation: pickupLocation, actionDispatcher: actionDispatcher,
                locationRepository: locationRepository, rideOptionPicker: rideOptionPicker,
                serialNumbers: serialNumbers))
    }
}
