import KooberKit
import KooberScreens
import PouchEntities

/// Owns the objects that live as long as a session. The signed-in view controller keeps it as the factory of its
/// children.
@MainActor
final class KooberSignedInDependencyContainer: SignedInViewControllerFactory {
    let sharedLocationRepository: any LocationRepository
    let sharedRideOptionRepository: any RideOptionRepository
    let sharedNewRideRepository: any NewRideRepository
    let sharedSignedInViewModel: SignedInViewModel
    private let app: KooberAppDependencyContainer
    private let userSession: UserSession
    private let userLocationSource: any UserLocationSource

    init(app: KooberAppDependencyContainer, userSession: UserSession) {
        self.app = app
        self.userSession = userSession
        userLocationSource = app.model.makeUserLocationSource()
        sharedLocationRepository = app.model.makeLocationRepository(for: userSession)
        sharedRideOptionRepository = app.model.makeRideOptionRepository(for: userSession)
        sharedNewRideRepository = app.model.makeNewRideRepository(for: userSession)
        sharedSignedInViewModel = SignedInViewModel(
            userSession: userSession, userSessionRepository: app.sharedUserSessionRepository,
            notSignedInResponder: app.sharedMainViewModel)
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
            KooberPickMeUpDependencyContainer(signedIn: self, pickupLocation: pickupLocation)
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
                userSession: userSession, userSessionRepository: app.sharedUserSessionRepository,
                notSignedInResponder: app.sharedMainViewModel, closeProfileResponder: sharedSignedInViewModel))
    }
}

/// Owns the objects that live from a known location to a requested ride. The pick-me-up view controller keeps it as the
/// factory of its children.
@MainActor
final class KooberPickMeUpDependencyContainer: PickMeUpViewControllerFactory {
    private let pickupLocation: GeoPoint
    private let signedIn: KooberSignedInDependencyContainer
    private let mapViewModel: PickMeUpMapViewModel
    private let sharedPickMeUpViewModel: PickMeUpViewModel

    init(signedIn: KooberSignedInDependencyContainer, pickupLocation: GeoPoint) {
        self.pickupLocation = pickupLocation
        self.signedIn = signedIn
        mapViewModel = PickMeUpMapViewModel(pickupLocation: pickupLocation)
        sharedPickMeUpViewModel = PickMeUpViewModel(
            pickupLocation: pickupLocation, mapViewModel: mapViewModel,
            newRideRepository: signedIn.sharedNewRideRepository,
            rideRequestResponder: signedIn.sharedSignedInViewModel)
    }

    func makePickMeUpViewController() -> any ViewController<KooberScreen.Content> {
        PickMeUpViewController(viewModel: sharedPickMeUpViewModel, map: mapViewModel, viewControllerFactory: self)
    }

    func makeDropoffLocationPickerViewController() -> any ViewController<PickMeUpScreen.Step> {
        DropoffLocationPickerViewController(
            viewModel: DropoffLocationPickerViewModel(
                pickupLocation: pickupLocation, locationRepository: signedIn.sharedLocationRepository,
                dropoffLocationDeterminedResponder: sharedPickMeUpViewModel,
                cancelDropoffLocationSelectionResponder: sharedPickMeUpViewModel))
    }

    func makeRideOptionPickerViewController(for waypoints: RideWaypoints) -> any ViewController<RideOptionPicker> {
        RideOptionPickerViewController(
            viewModel: RideOptionPickerViewModel(
                waypoints: waypoints, rideOptionRepository: signedIn.sharedRideOptionRepository,
                rideOptionDeterminedResponder: sharedPickMeUpViewModel))
    }
}
