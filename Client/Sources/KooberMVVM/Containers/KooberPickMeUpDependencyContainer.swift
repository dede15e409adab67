import KooberKit
import KooberScreens
import PouchEntities

/// Owns what lives from a known location to a ride. The pick-me-up view keeps it, to have its children made.
@MainActor
final class KooberPickMeUpDependencyContainer: PickMeUpViewControllerFactory {
    private let pickupLocation: GeoPoint
    private let locationRepository: any LocationRepository
    private let rideOptionRepository: any RideOptionRepository
    private let newRideRepository: any NewRideRepository
    private let signedInViewModel: SignedInViewModel
    private let mapViewModel: PickMeUpMapViewModel
    private let sharedPickMeUpViewModel: PickMeUpViewModel

    init(signedInDependencyContainer: KooberSignedInDependencyContainer, pickupLocation: GeoPoint) {
        self.pickupLocation = pickupLocation
        locationRepository = signedInDependencyContainer.sharedLocationRepository
        rideOptionRepository = signedInDependencyContainer.sharedRideOptionRepository
        newRideRepository = signedInDependencyContainer.sharedNewRideRepository
        signedInViewModel = signedInDependencyContainer.sharedSignedInViewModel
        mapViewModel = PickMeUpMapViewModel(pickupLocation: pickupLocation)
        sharedPickMeUpViewModel = PickMeUpViewModel(
            pickupLocation: pickupLocation, mapViewModel: mapViewModel,
            rideRequestConfirmedResponder: signedInViewModel, newRideRequestFailedResponder: signedInViewModel)
    }

    func makePickMeUpViewController() -> any ViewController<KooberScreen.Content> {
        PickMeUpViewController(
            viewModel: sharedPickMeUpViewModel,
            map: PickMeUpMapViewController(viewModel: mapViewModel),
            viewControllerFactory: self)
    }

    func makeDropoffLocationPickerViewController() -> any ViewController<PickMeUpScreen.Step> {
        DropoffLocationPickerViewController(
            viewModel: DropoffLocationPickerViewModel(
                pickupLocation: pickupLocation, locationRepository: locationRepository,
                dropoffLocationDeterminedResponder: sharedPickMeUpViewModel,
                cancelDropoffLocationSelectionResponder: sharedPickMeUpViewModel))
    }

    func makeRideOptionPickerViewController(
        for waypoints: RideWaypoints
    ) -> any ViewController<RideOptionPicker> {
        RideOptionPickerViewController(
            viewModel: RideOptionPickerViewModel(
                waypoints: waypoints, rideOptionRepository: rideOptionRepository,
                rideOptionDeterminedResponder: sharedPickMeUpViewModel))
    }

    func makeSendingRideRequestViewController(
        for rideRequest: NewRideRequest
    ) -> any ViewController<PickMeUpScreen.Step> {
        SendingRideRequestViewController(
            viewModel: SendingRideRequestViewModel(
                rideRequest: rideRequest, newRideRepository: newRideRepository,
                newRideRequestAcceptedResponder: signedInViewModel,
                newRideRequestFailedResponder: sharedPickMeUpViewModel))
    }
}
