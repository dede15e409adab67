import KooberKit
import PouchEntities

/// Owns the objects that live as long as one session. The signed-in view keeps it as the factory of its children.
@MainActor
final class SignedInDependencyContainer: SignedInViewFactory {
    let state: StatePublisher<SignedInState>
    let actionDispatcher: any ActionDispatcher<SignedInAction>
    let locationRepository: any LocationRepository
    let rideOptionRepository: any RideOptionRepository
    let newRideRepository: any NewRideRepository
    private let userSession: UserSession
    private let userSessionRepository: any UserSessionRepository
    private let userLocationSource: any UserLocationSource

    init(parent: AppDependencyContainer, scope: SerialNumber, userSession: UserSession) {
        self.userSession = userSession
        state = parent.store.publisher.scoped { $0.signedIn(scope) }
        actionDispatcher = parent.store.scoped { .signedIn(scope: scope, $0) }
        userSessionRepository = parent.userSessionRepository
        userLocationSource = parent.model.makeUserLocationSource()
        locationRepository = parent.model.makeLocationRepository(for: userSession)
        rideOptionRepository = parent.model.makeRideOptionRepository(for: userSession)
        newRideRepository = parent.model.makeNewRideRepository(for: userSession)
    }

    func makeSignedInView() -> any StateView {
        SignedInView(
            content: state.select(\.content),
            profileState: state.select(\.profile),
            userInteractions: SignedInUserInteractions(
                userSession: userSession, actionDispatcher: actionDispatcher,
                userSessionRepository: userSessionRepository),
            profile: ProfileUserInteractions(
                userSession: userSession, actionDispatcher: actionDispatcher,
                userSessionRepository: userSessionRepository),
            viewFactory: self)
    }

    func makeGettingUserLocationView(scope: SerialNumber) -> any StateView {
        GettingUserLocationView(
            state: state.scoped { $0.gettingUserLocation(scope) },
            userInteractions: GettingUserLocationUserInteractions(
                actionDispatcher: actionDispatcher.scoped { .gettingUserLocation(scope: scope, $0) },
                newRideRepository: newRideRepository, userLocationSource: userLocationSource))
    }

    func makePickMeUpView(scope: SerialNumber, pickupLocation: GeoPoint) -> any StateView {
        PickMeUpDependencyContainer(parent: self, scope: scope, pickupLocation: pickupLocation).makePickMeUpView()
    }

    func makeWaitingForPickupView(scope: SerialNumber) -> any StateView {
        WaitingForPickupView(
            state: state.scoped { $0.waitingForPickup(scope) },
            userInteractions: WaitingForPickupUserInteractions(
                actionDispatcher: actionDispatcher.scoped { .waitingForPickup(scope: scope, $0) },
                newRideRepository: newRideRepository))
    }
}

/// Owns the objects that live from a known location to a requested ride. The pick-me-up view keeps it as the factory of
/// each drop-off picker's interactions.
@MainActor
final class PickMeUpDependencyContainer: DropoffLocationPickerFactory {
    private let parent: SignedInDependencyContainer
    private let pickupLocation: GeoPoint
    private let state: StatePublisher<PickMeUpState>
    private let actionDispatcher: any ActionDispatcher<PickMeUpAction>
    private let rideOptionPicker: RideOptionPickerUserInteractions

    init(parent: SignedInDependencyContainer, scope: SerialNumber, pickupLocation: GeoPoint) {
        self.parent = parent
        self.pickupLocation = pickupLocation
        state = parent.state.scoped { $0.pickMeUp(scope) }
        actionDispatcher = parent.actionDispatcher.scoped { .pickMeUp(scope: scope, $0) }
        rideOptionPicker = RideOptionPickerUserInteractions(
            pickupLocation: pickupLocation, actionDispatcher: actionDispatcher,
            rideOptionRepository: parent.rideOptionRepository)
    }

    func makePickMeUpView() -> any StateView {
        PickMeUpView(
            state: state,
            userInteractions: PickMeUpUserInteractions(
                pickupLocation: pickupLocation, actionDispatcher: actionDispatcher,
                newRideRepository: parent.newRideRepository),
            rideOptionPicker: rideOptionPicker, dropoffLocationPickerFactory: self)
    }

    func makeDropoffLocationPickerUserInteractions() -> DropoffLocationPickerUserInteractions {
        DropoffLocationPickerUserInteractions(
            pickupLocation: pickupLocation, actionDispatcher: actionDispatcher,
            locationRepository: parent.locationRepository, rideOptionPicker: rideOptionPicker)
    }
}
