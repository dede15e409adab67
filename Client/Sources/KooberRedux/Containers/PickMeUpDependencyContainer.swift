import KooberKit
import KooberScreens
import PouchEntities

/// What lives from a known location to the request of a ride. All of it is made at once, and held by the view.
@MainActor
final class PickMeUpDependencyContainer {
    private let pickupLocation: GeoPoint
    private let state: StatePublisher<PickMeUpState>
    private let actionDispatcher: any ActionDispatcher<PickMeUpAction>
    private let serialNumbers: SerialNumbers
    private let locationRepository: any LocationRepository
    private let rideOptionRepository: any RideOptionRepository
    private let newRideRepository: any NewRideRepository
    private let made: ObjectRegister

    init(parent: SignedInDependencyContainer, scope: SerialNumber, pickupLocation: GeoPoint) {
        self.pickupLocation = pickupLocation
        state = parent.state.scoped { $0.pickMeUp(scope) }
        actionDispatcher = parent.actionDispatcher.scoped { .pickMeUp(scope: scope, $0) }
        serialNumbers = parent.serialNumbers
        locationRepository = parent.locationRepository
        rideOptionRepository = parent.rideOptionRepository
        newRideRepository = parent.newRideRepository
        made = ObjectRegister(scope: .pickMeUp, lifetimes: parent.lifetimes)
        made(self)
    }

    func makePickMeUpView() -> any StateView {
        let rideOptionPicker = made(
            ReduxRideOptionPickerUserInteractions(
                pickupLocation: pickupLocation, actionDispatcher: actionDispatcher,
                rideOptionRepository: rideOptionRepository, serialNumbers: serialNumbers))
        return made(
            PickMeUpView(
                state: state,
                userInteractions: made(
                    ReduxPickMeUpUserInteractions(
                        pickupLocation: pickupLocation, actionDispatcher: actionDispatcher,
                        newRideRepository: newRideRepository, serialNumbers: serialNumbers)),
                dropoffLocationPicker: made(
                    ReduxDropoffLocationPickerUserInteractions(
                        pickupLocation: pickupLocation, actionDispatcher: actionDispatcher,
                        locationRepository: locationRepository, rideOptionPicker: rideOptionPicker,
                        serialNumbers: serialNumbers)),
                rideOptionPicker: rideOptionPicker))
    }
}
