import KooberKit
import KooberScreens
import PouchEntities

/// Owns what lives as long as a session. The signed-in view keeps it, to have its children made.
@MainActor
final class KooberSignedInDependencyContainer {
    let lifetimes: (any LifetimeObserver)?
    let sharedLocationRepository: any LocationRepository
    let sharedRideOptionRepository: any RideOptionRepository
    let sharedNewRideRepository: any NewRideRepository
    let sharedSignedInViewModel: SignedInViewModel
    private let userSession: UserSession
    private let userLocationSource: any UserLocationSource
    private let sharedUserSessionRepository: any UserSessionRepository
    private let sharedMainViewModel: MainViewModel
    private let made: ObjectRegister

    init(appDependencyContainer: KooberAppDependencyContainer, userSession: UserSession) {
        let model = appDependencyContainer.model
        self.userSession = userSession
        lifetimes = appDependencyContainer.lifetimes
        sharedUserSessionRepository = appDependencyContainer.sharedUserSessionRepository
        sharedMainViewModel = appDependencyContainer.sharedMainViewModel
        made = ObjectRegister(scope: .signedIn, lifetimes: lifetimes)
        userLocationSource = made(model.makeUserLocationSource())
        sharedLocationRepository = made(model.makeLocationRepository(for: userSession))
        sharedRideOptionRepository = made(model.makeRideOptionRepository(for: userSession))
        sharedNewRideRepository = made(model.makeNewRideRepository(for: userSession))
        sharedSignedInViewModel = made(
            SignedInViewModel(
                userSession: userSession, userSessionRepository: sharedUserSessionRepository,
                notSignedInResponder: sharedMainViewModel))
        made(self)
    }

    func makeSignedInViewController() -> any ViewController<KooberScreen> {
        made(
            SignedInViewController(
                viewModel: sharedSignedInViewModel, makeChild: makeViewController,
                makeProfile: makeProfileViewController))
    }

    private func makeViewController(for view: SignedInView) -> any ViewController<KooberScreen.Content> {
        switch view {
        case .gettingUsersLocation: makeGettingUsersLocationViewController()
        case .pickMeUp(let pickupLocation):
            KooberPickMeUpDependencyContainer(signedInDependencyContainer: self, pickupLocation: pickupLocation)
                .makePickMeUpViewController()
        case .waitingForPickup(let ride): makeWaitingForPickupViewController(ride: ride)
        }
    }

    private func makeGettingUsersLocationViewController() -> any ViewController<KooberScreen.Content> {
        let made = ObjectRegister(scope: .gettingUserLocation, lifetimes: lifetimes)
        return made(
            GettingUsersLocationViewController(
                viewModel: made(
                    GettingUsersLocationViewModel(
                        newRideRepository: sharedNewRideRepository, userLocationSource: userLocationSource,
                        activeRideFoundResponder: sharedSignedInViewModel,
                        userLocationDeterminedResponder: sharedSignedInViewModel))))
    }

    private func makeWaitingForPickupViewController(ride: Ride) -> any ViewController<KooberScreen.Content> {
        let made = ObjectRegister(scope: .waitingForPickup, lifetimes: lifetimes)
        return made(
            WaitingForPickupViewController(
                viewModel: made(
                    WaitingForPickupViewModel(
                        ride: ride, newRideRepository: sharedNewRideRepository,
                        startNewRideResponder: sharedSignedInViewModel))))
    }

    private func makeProfileViewController() -> any ViewController<ProfileScreen> {
        made(
            ProfileViewController(
                viewModel: made(
                    ProfileViewModel(
                        userSession: userSession, userSessionRepository: sharedUserSessionRepository,
                        notSignedInResponder: sharedMainViewModel, closeProfileResponder: sharedSignedInViewModel))))
    }
}
