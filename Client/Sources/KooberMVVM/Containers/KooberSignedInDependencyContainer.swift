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
    private let register: ObjectRegister

    init(appDependencyContainer: KooberAppDependencyContainer, userSession: UserSession) {
        let model = appDependencyContainer.model
        self.userSession = userSession
        lifetimes = appDependencyContainer.lifetimes
        sharedUserSessionRepository = appDependencyContainer.sharedUserSessionRepository
        sharedMainViewModel = appDependencyContainer.sharedMainViewModel
        register = ObjectRegister(scope: .signedIn, lifetimes: lifetimes)
        userLocationSource = register.made(model.makeUserLocationSource())
        sharedLocationRepository = register.made(model.makeLocationRepository(for: userSession))
        sharedRideOptionRepository = register.made(model.makeRideOptionRepository(for: userSession))
        sharedNewRideRepository = register.made(model.makeNewRideRepository(for: userSession))
        sharedSignedInViewModel = register.made(
            SignedInViewModel(
                userSession: userSession, userSessionRepository: sharedUserSessionRepository,
                notSignedInResponder: sharedMainViewModel))
        register.made(self)
    }

    func makeSignedInViewController() -> any ViewController<KooberScreen> {
        register.made(
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
        register.made(
            GettingUsersLocationViewController(
                viewModel: register.made(
                    GettingUsersLocationViewModel(
                        newRideRepository: sharedNewRideRepository, userLocationSource: userLocationSource,
                        activeRideFoundResponder: sharedSignedInViewModel,
                        userLocationDeterminedResponder: sharedSignedInViewModel))))
    }

    private func makeWaitingForPickupViewController(ride: Ride) -> any ViewController<KooberScreen.Content> {
        register.made(
            WaitingForPickupViewController(
                viewModel: register.made(
                    WaitingForPickupViewModel(
                        ride: ride, newRideRepository: sharedNewRideRepository,
                        startNewRideResponder: sharedSignedInViewModel))))
    }

    private func makeProfileViewController() -> any ViewController<ProfileScreen> {
        register.made(
            ProfileViewController(
                viewModel: register.made(
                    ProfileViewModel(
                        userSession: userSession, userSessionRepository: sharedUserSessionRepository,
                        notSignedInResponder: sharedMainViewModel, closeProfileResponder: sharedSignedInViewModel))))
    }
}
