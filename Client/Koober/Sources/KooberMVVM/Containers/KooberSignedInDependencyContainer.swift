import KooberKit
import KooberMVVMCore
import KooberMVVMGettingUsersLocation
import KooberMVVMPickMeUp
import KooberMVVMProfile
import KooberMVVMWaitingForPickup
import KooberScreens
import PouchEntities

/// Owns the objects that live as long as a session. The signed-in view controller retains it as the factory of its
/// children.
@MainActor
final class KooberSignedInDependencyContainer: SignedInViewControllerFactory {
    let app: KooberAppDependencyContainer
    let sharedLocationRepository: any LocationRepository
    let sharedRideOptionRepository: any RideOptionRepository
    let sharedNewRideRepository: any NewRideRepository
    let sharedSignedInViewPublisher = SignedInViewPublisher()
    private let sharedSignedInViewModel: SignedInViewModel
    private let userSession: UserSession
    private let userLocationSource: any UserLocationSource
    /// For the first ride request.
    private var plan: RidePlan?

    init(app: KooberAppDependencyContainer, userSession: UserSession, destination: Destination?) {
        self.app = app
        self.userSession = userSession
        plan = destination?.ride
        userLocationSource = app.model.makeUserLocationSource()
        sharedLocationRepository = app.model.makeLocationRepository(for: userSession)
        sharedRideOptionRepository = app.model.makeRideOptionRepository(for: userSession)
        sharedNewRideRepository = app.model.makeNewRideRepository(for: userSession)
        sharedSignedInViewModel = SignedInViewModel(
            userSession: userSession, publisher: sharedSignedInViewPublisher,
            userSessionRepository: app.sharedUserSessionRepository, notSignedInResponder: app.sharedMainViewModel,
            isProfilePresented: destination?.isProfileShown ?? false)
    }

    func makeSignedInViewController(in display: any Display) -> ScreenView {
        SignedInViewController(viewModel: sharedSignedInViewModel, viewControllerFactory: self, in: display)
    }

    func makeViewController(for view: SignedInView, in display: any Display) -> ScreenView {
        switch view {
        case .gettingUsersLocation:
            return GettingUsersLocationViewController(
                viewModel: GettingUsersLocationViewModel(
                    newRideRepository: sharedNewRideRepository, userLocationSource: userLocationSource,
                    publisher: sharedSignedInViewPublisher, errorMessages: app.sharedErrorMessages),
                in: display)
        case .pickMeUp(let pickupLocation):
            let pickMeUp = KooberPickMeUpDependencyContainer(
                signedIn: self, pickupLocation: pickupLocation, plan: plan)
            plan = nil
            return pickMeUp.makePickMeUpViewController(in: display)
        case .waitingForPickup(let ride):
            plan = nil
            return WaitingForPickupViewController(
                viewModel: WaitingForPickupViewModel(
                    ride: ride, newRideRepository: sharedNewRideRepository, publisher: sharedSignedInViewPublisher,
                    errorMessages: app.sharedErrorMessages),
                in: display)
        }
    }

    func makeProfileViewController(in display: any Display) -> ScreenView {
        ProfileViewController(
            viewModel: ProfileViewModel(
                userSession: userSession, userSessionRepository: app.sharedUserSessionRepository,
                notSignedInResponder: app.sharedMainViewModel,
                closed: { [sharedSignedInViewModel] in sharedSignedInViewModel.closeProfile() }),
            in: display)
    }
}

/// Owns the objects that live from a known location to a requested ride. The pick-me-up view controller retains it as
/// the factory of its children.
@MainActor
final class KooberPickMeUpDependencyContainer: PickMeUpViewControllerFactory {
    private let signedIn: KooberSignedInDependencyContainer
    private let pickupLocation: GeoPoint
    private let map: PickMeUpMapViewModel
    private let rideOptionPicker: RideOptionPickerViewModel
    private let sharedPickMeUpViewModel: PickMeUpViewModel
    /// For the first drop-off picker.
    private var search: (query: String, choosesMatch: Bool)?

    init(signedIn: KooberSignedInDependencyContainer, pickupLocation: GeoPoint, plan: RidePlan?) {
        self.signedIn = signedIn
        self.pickupLocation = pickupLocation
        map = PickMeUpMapViewModel(pickupLocation: pickupLocation)
        rideOptionPicker = RideOptionPickerViewModel(
            rideOptionRepository: signedIn.sharedRideOptionRepository,
            errorMessages: signedIn.app.sharedErrorMessages)
        sharedPickMeUpViewModel = PickMeUpViewModel(
            pickupLocation: pickupLocation, map: map, rideOptionPicker: rideOptionPicker,
            newRideRepository: signedIn.sharedNewRideRepository, publisher: signedIn.sharedSignedInViewPublisher,
            errorMessages: signedIn.app.sharedErrorMessages, plan: plan)
        rideOptionPicker.rideOptionDeterminedResponder = sharedPickMeUpViewModel
        if case .search(let query, let choosesMatch) = plan { search = (query, choosesMatch) }
    }

    func makePickMeUpViewController(in display: any Display) -> ScreenView {
        PickMeUpViewController(
            viewModel: sharedPickMeUpViewModel, map: map, viewControllerFactory: self, in: display)
    }

    func makeDropoffLocationPickerViewController(in display: any Display) -> DropoffLocationPickerViewController {
        defer { search = nil }
        return DropoffLocationPickerViewController(
            viewModel: DropoffLocationPickerViewModel(
                pickupLocation: pickupLocation, locationRepository: signedIn.sharedLocationRepository,
                dropoffLocationDeterminedResponder: sharedPickMeUpViewModel,
                cancelDropoffLocationSelectionResponder: sharedPickMeUpViewModel,
                errorMessages: signedIn.app.sharedErrorMessages, query: search?.query ?? "",
                choosesMatch: search?.choosesMatch ?? false),
            in: display)
    }

    func makeRideOptionPickerViewController(in display: any Display) -> RideOptionPickerViewController {
        RideOptionPickerViewController(viewModel: rideOptionPicker, in: display)
    }
}
