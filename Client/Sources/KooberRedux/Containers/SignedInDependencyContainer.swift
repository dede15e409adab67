import KooberKit
import KooberScreens
import PouchEntities

/// What lives while one user is signed in. The signed-in view holds it, since it makes the view of each step.
@MainActor
final class SignedInDependencyContainer: SignedInViewFactory {
    let lifetimes: (any LifetimeObserver)?
    let serialNumbers: SerialNumbers
    let state: StatePublisher<SignedInState>
    let actionDispatcher: any ActionDispatcher<SignedInAction>
    let locationRepository: any LocationRepository
    let rideOptionRepository: any RideOptionRepository
    let newRideRepository: any NewRideRepository
    private let userSession: UserSession
    private let userSessionRepository: any UserSessionRepository
    private let userLocationSource: any UserLocationSource
    private let made: ObjectRegister

    init(parent: AppDependencyContainer, scope: SerialNumber, userSession: UserSession) {
        self.userSession = userSession
        lifetimes = parent.lifetimes
        serialNumbers = parent.serialNumbers
        state = parent.store.publisher.scoped { $0.signedIn(scope) }
        actionDispatcher = parent.store.scoped { .signedIn(scope: scope, $0) }
        userSessionRepository = parent.userSessionRepository
        made = ObjectRegister(scope: .signedIn, lifetimes: lifetimes)
        userLocationSource = made(parent.model.makeUserLocationSource())
        locationRepository = made(parent.model.makeLocationRepository(for: userSession))
        rideOptionRepository = made(parent.model.makeRideOptionRepository(for: userSession))
        newRideRepository = made(parent.model.makeNewRideRepository(for: userSession))
        made(self)
    }

    func makeSignedInView() -> any StateView {
        made(
            SignedInView(
                content: state.select(\.content),
                profileState: state.select(\.profile),
                userInteractions: made(
                    SignedInUserInteractions(
                        userSession: userSession, actionDispatcher: actionDispatcher,
                        userSessionRepository: userSessionRepository, serialNumbers: serialNumbers)),
                profile: made(
                    ProfileUserInteractions(
                        userSession: userSession, actionDispatcher: actionDispatcher,
                        userSessionRepository: userSessionRepository, serialNumbers: serialNumbers)),
                viewFactory: self))
    }

    func makeGettingUserLocationView(scope: SerialNumber) -> any StateView {
        let made = ObjectRegister(scope: .gettingUserLocation, lifetimes: lifetimes)
        return made(
            GettingUserLocationView(
                state: state.scoped { $0.gettingUserLocation(scope) },
                userInteractions: made(
                    GettingUserLocationUserInteractions(
                        actionDispatcher: actionDispatcher.scoped { .gettingUserLocation(scope: scope, $0) },
                        newRideRepository: newRideRepository, userLocationSource: userLocationSource,
                        serialNumbers: serialNumbers))))
    }

    func makePickMeUpView(scope: SerialNumber, pickupLocation: GeoPoint) -> any StateView {
        PickMeUpDependencyContainer(parent: self, scope: scope, pickupLocation: pickupLocation).makePickMeUpView()
    }

    func makeWaitingForPickupView(scope: SerialNumber) -> any StateView {
        let made = ObjectRegister(scope: .waitingForPickup, lifetimes: lifetimes)
        return made(
            WaitingForPickupView(
                state: state.scoped { $0.waitingForPickup(scope) },
                userInteractions: made(
                    WaitingForPickupUserInteractions(
                        actionDispatcher: actionDispatcher.scoped { .waitingForPickup(scope: scope, $0) },
                        newRideRepository: newRideRepository, serialNumbers: serialNumbers))))
    }
}
