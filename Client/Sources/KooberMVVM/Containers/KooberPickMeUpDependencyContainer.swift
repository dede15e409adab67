import KooberKit
import KooberScreens
import PouchEntities

/// Owns the objects that live from a known location to a requested ride. The pick-me-up view controller keeps it as the
/// factory of its children.
@MainActor
final class KooberPickMeUpDependencyContainer: PickMeUpViewControllerFactory {
    private let pickupLocation: GeoPoint
    private let locationRepository: any LocationRepository
    private let rideOptionRepository: any RideOptionRepository
    private let mapViewModel: PickMeUpMapViewModel
    private let sharedPickMeUpViewModel: PickMeUpViewModel

    init(signedInDependencyContainer: KooberSignedInDependencyContainer, pickupLocation: GeoPoint) {
        self.pickupLocation = pickupLocation
        locationRepository = signedInDependencyContainer.sharedLocationRepository
        rideOptionRepository = signedInDependencyContainer.sharedRideOptionRepository
        mapViewModel = PickMeUpMapViewModel(pickupLocation: pickupLocation)
        sharedPickMeUpViewModel = PickMeUpViewModel(
            pickupLocation: pickupLocation, mapViewModel: mapViewModel,
            newRideRepository: signedInDependencyContainer.sharedNewRideRepository,
            rideRequestResponder: signedInDependencyContainer.sharedSignedInViewModel)
    }

    func makePickMeUpViewController() -> any ViewController<KooberScreen.Content> {
        PickMeUpViewController(viewModel: sharedPickMeUpViewModel, map: mapViewModel, viewControllerFactory: self)
    }

    func makeDropoffLocationPickerViewController() -> any ViewController<PickMeUpScreen.Step> {
        DropoffLocationPickerViewController(
            viewModel: DropoffLocationPickerViewModel(
                pickupLocation: pickupLocation, locationRepository: locationRepository,
                dropoffLocationDeterminedResponder: sharedPickMeUpViewModel,
                cancelDropoffLocationSelectionResponder: sharedPickMeUpViewModel))
    }

    func makeRideOptionPickerViewController(for waypoints: RideWaypoints) -> any ViewController<RideOptionPicker> {
        RideOptionPickerViewController(
            viewModel: RideOptionPickerViewModel(
                waypoints: waypoints, rideOptionRepository: rideOptionRepository,
                rideOptionDeterminedResponder: sharedPickMeUpViewModel))
    }
}
