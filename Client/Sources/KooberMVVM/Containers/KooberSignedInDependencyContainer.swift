import KooberKit
import KooberScreens
import PouchEntities

/// Owns the objects that live as long as a session. The signed-in view controller keeps it as the factory of its children.
@MainActor
final class KooberSignedInDependencyContainer: SignedInViewControllerFactory {
    let sharedLocationRepository: any LocationRepository
    let sharedRideOptionRepository: any RideOptionRepository
    let sharedNewRideRepository: any NewRideRepository
    let sharedSignedInViewModel: SignedInViewModel
    private let userSession: UserSession
    private let userLocationSource: any UserLocationSource
    private let sharedUserSessionRepository: any UserSessionRepository
    private let sharedMainViewModel: MainViewModel

    init(appDependencyContainer: KooberAppDependencyContainer, userSession: UserSession) {
        let model = appDependencyContainer.model
        self.userSession = userSession
        sharedUserSessionRepository = appDependencyContainer.sharedUserSessionRepository
        sharedMainViewModel = appDependencyContainer.sharedMainViewModel
        userLocationSource = model.makeUserLocationSource()
        sharedLocationRepository = model.makeLocationRepository(for: userSession)
        sharedRideOptionRepository = model.makeRideOptionRepository(for: userSession)
        sharedNewRideRepository = model.makeNewRideRepository(for: userSession)
        sharedSignedInViewModel = SignedInViewModel(
            userSession: userSession, userSessionRepository: sharedUserSessionRepository,
            notSignedInResponder: sharedMainViewModel)
    }

    func makeSignedInViewController() -> any ViewController<KooberScreen> {
        SignedInViewController(viewModel: sharedSignedInViewModel, viewControllerFactory: self)
    }

    func makeViewController(for view: SignedInView) -> any ViewController<KooberScreen.Content> {
        switch view {
        case .gettingUsersLocation:
            GettingUsersLocationViewController(
                viewModel: GettingUsersLocationViewModel(
                    newRideRepository: sharedNewRideRepository, userLocationSource: userLocationSource,
                    activeRideFoundResponder: sharedSignedInViewModel,
                    userLocationDeterminedResponder: sharedSignedInViewModel))
        case .pickMeUp(let pickupLocation):
            KooberPickMeUpDependencyContainer(signedInDependencyContainer: self, pickupLocation: pickupLocation)
                .makePickMeUpViewController()
        case .waitingForPickup(let ride):
            WaitingForPickupViewController(
                viewModel: WaitingForPickupViewModel(
                    ride: ride, newRideRepository: sharedNewRideRepository,
                    startNewRideResponder: sharedSignedInViewModel))
        }
    }

    func makeProfileViewController() -> any ViewController<ProfileScreen> {
        ProfileViewController(
            viewModel: ProfileViewModel(
                userSession: userSession, userSessionRepository: sharedUserSessionRepository,
                notSignedInResponder: sharedMainViewModel, closeProfileResponder: sharedSignedInViewModel))
    }
}
