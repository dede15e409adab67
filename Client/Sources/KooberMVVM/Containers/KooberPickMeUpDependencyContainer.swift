import KooberKit
import KooberScreens
import PouchEntities

/// Owns what lives from a known location to a ride. The pick-me-up view keeps it, to have its children made.
@MainActor
final class KooberPickMeUpDependencyContainer {
    private let pickupLocation: GeoPoint
    private let locationRepository: any LocationRepository
    private let rideOptionRepository: any RideOptionRepository
    private let newRideRepository: any NewRideRepository
    private let signedInViewModel: SignedInViewModel
    private let mapViewModel: PickMeUpMapViewModel
    private let sharedPickMeUpViewModel: PickMeUpViewModel
    private let made: ObjectRegister

    init(signedInDependencyContainer: KooberSignedInDependencyContainer, pickupLocation: GeoPoint) {
        self.pickupLocation = pickupLocation
        locationRepository = signedInDependencyContainer.sharedLocationRepository
        rideOptionRepository = signedInDependencyContainer.sharedRideOptionRepository
        newRideRepository = signedInDependencyContainer.sharedNewRideRepository
        signedInViewModel = signedInDependencyContainer.sharedSignedInViewModel
        made = ObjectRegister(scope: .pickMeUp, lifetimes: signedInDependencyContainer.lifetimes)
        mapViewModel = made(PickMeUpMapViewModel(pickupLocation: pickupLocation))
        sharedPickMeUpViewModel = made(
            PickMeUpViewModel(
                pickupLocation: pickupLocation, mapViewModel: mapViewModel,
                rideRequestConfirmedResponder: signedInViewModel, newRideRequestFailedResponder: signedInViewModel))
        made(self)
    }

    func makePickMeUpViewController() -> any ViewController<KooberScreen.Content> {
        made(
            PickMeUpViewController(
                viewModel: sharedPickMeUpViewModel,
                map: made(PickMeUpMapViewController(viewModel: mapViewModel)),
                makeDropoffLocationPicker: makeDropoffLocationPickerViewController,
                makeRideOptionPicker: makeRideOptionPickerViewController,
                makeSendingRideRequest: makeSendingRideRequestViewController))
    }

    private func makeDropoffLocationPickerViewController() -> any ViewController<PickMeUpScreen.Step> {
        made(
            DropoffLocationPickerViewController(
                viewModel: made(
                    DropoffLocationPickerViewModel(
                        pickupLocation: pickupLocation, locationRepository: locationRepository,
                        dropoffLocationDeterminedResponder: sharedPickMeUpViewModel,
                        cancelDropoffLocationSelectionResponder: sharedPickMeUpViewModel))))
    }

    private func makeRideOptionPickerViewController(
        for waypoints: RideWaypoints
    ) -> any ViewController<RideOptionPicker> {
        made(
            RideOptionPickerViewController(
                viewModel: made(
                    RideOptionPickerViewModel(
                        waypoints: waypoints, rideOptionRepository: rideOptionRepository,
                        rideOptionDeterminedResponder: sharedPickMeUpViewModel))))
    }

    private func makeSendingRideRequestViewController(
        for rideRequest: NewRideRequest
    ) -> any ViewController<PickMeUpScreen.Step> {
        made(
            SendingRideRequestViewController(
                viewModel: made(
                    SendingRideRequestViewModel(
                        rideRequest: rideRequest, newRideRepository: newRideRepository,
                        newRideRequestAcceptedResponder: signedInViewModel,
                        newRideRequestFailedResponder: sharedPickMeUpViewModel))))
    }
}
