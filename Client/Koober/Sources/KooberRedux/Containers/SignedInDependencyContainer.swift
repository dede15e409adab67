import KooberKit
import KooberScreens
import PouchEntities

/// Owns the objects that live as long as one session. The signed-in view retains it as the factory of its children.
@MainActor
final class SignedInDependencyContainer: SignedInViewFactory {
    private let userSession: UserSession
    private let state: StatePublisher<SignedInState>
    private let actionDispatcher: any ActionDispatcher<SignedInAction>
    private let remoteAPI: any AuthRemoteAPI
    private let userLocationSource: any UserLocationSource
    private let locationRepository: any LocationRepository
    private let rideOptionRepository: any RideOptionRepository
    private let newRideRepository: any NewRideRepository

    init(parent: AppDependencyContainer, userSession: UserSession) {
        self.userSession = userSession
        state = parent.store.publisher.scoped(\.signedIn)
        actionDispatcher = parent.store.scoped { .signedIn($0) }
        remoteAPI = parent.remoteAPI
        userLocationSource = parent.model.makeUserLocationSource()
        locationRepository = parent.model.makeLocationRepository(for: userSession)
        rideOptionRepository = parent.model.makeRideOptionRepository(for: userSession)
        newRideRepository = parent.model.makeNewRideRepository(for: userSession)
    }

    func makeSignedInView(in display: any Display) -> StateView {
        SignedInView(
            content: state.select(\.content),
            userInteractions: ReduxSignedInUserInteractions(
                userSession: userSession, state: state, actionDispatcher: actionDispatcher, remoteAPI: remoteAPI),
            viewFactory: self, in: display)
    }

    func makeProfileView(in display: any Display) -> ProfileView {
        ProfileView(
            screen: state.select { ProfileScreen($0) },
            userInteractions: ReduxProfileUserInteractions(
                actionDispatcher: actionDispatcher.scoped { .profile($0) }),
            in: display)
    }

    func makeGettingUserLocationView(in display: any Display) -> StateView {
        GettingUserLocationView(
            userInteractions: ReduxGettingUserLocationUserInteractions(
                state: state.scoped(\.gettingUserLocation),
                actionDispatcher: actionDispatcher.scoped { .gettingUserLocation($0) },
                newRideRepository: newRideRepository, userLocationSource: userLocationSource),
            in: display)
    }

    func makePickMeUpView(in display: any Display) -> StateView {
        let pickMeUp = state.scoped(\.pickMeUp)
        return PickMeUpView(
            screen: pickMeUp.select { PickMeUpScreen($0) },
            userInteractions: ReduxPickMeUpUserInteractions(
                state: pickMeUp, actionDispatcher: actionDispatcher.scoped { .pickMeUp($0) },
                locationRepository: locationRepository, rideOptionRepository: rideOptionRepository,
                newRideRepository: newRideRepository),
            in: display)
    }

    func makeWaitingForPickupView(in display: any Display) -> StateView {
        let waitingForPickup = state.scoped(\.waitingForPickup)
        return WaitingForPickupView(
            screen: waitingForPickup.select { WaitingScreen($0) },
            userInteractions: ReduxWaitingForPickupUserInteractions(
                state: waitingForPickup, actionDispatcher: actionDispatcher.scoped { .waitingForPickup($0) },
                newRideRepository: newRideRepository),
            in: display)
    }
}
