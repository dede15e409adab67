import KooberScreens

/// The map with the ride options over it, and the drop-off picker that may cover both.
///
/// The view of the options is reused for every trip. Each search has a new drop-off picker.
package final class PickMeUpViewController: ScreenView {
    private let viewModel: PickMeUpViewModel
    private let rideOptionPicker: RideOptionPickerViewController
    private var dropoffLocationPicker: DropoffLocationPickerViewController?
    private var screen: PickMeUpScreen {
        didSet { display.show(.pickMeUp(screen)) }
    }

    package init(
        viewModel: PickMeUpViewModel, map: PickMeUpMapViewModel,
        viewControllerFactory: any PickMeUpViewControllerFactory, in display: any Display
    ) {
        self.viewModel = viewModel
        rideOptionPicker = viewControllerFactory.makeRideOptionPickerViewController(in: display)
        screen = PickMeUpScreen(pickupLocation: map.pickupLocation)
        super.init(in: display)
        bind({ map.dropoffLocation }) { [weak self] in
            self?.screen.dropoff = $0.map { DisplayablePlace($0, from: map.pickupLocation) }
        }
        bind({ viewModel.view == .selectDropoffLocation }) { [weak self] isPresented in
            self?.dropoffLocationPicker =
                isPresented ? viewControllerFactory.makeDropoffLocationPickerViewController(in: display) : nil
        }
        bind({ [weak self] in self?.step ?? .initial }) { [weak self] in self?.screen.step = $0 }
    }

    private var step: PickMeUpScreen.Step {
        switch viewModel.view {
        case .initial: .initial
        case .selectDropoffLocation: dropoffLocationPicker.map { .selectDropoffLocation($0.picker) } ?? .initial
        case .selectRideOption: .selectRideOption(rideOptionPicker.picker)
        case .confirmRequest: .confirmRequest(rideOptionPicker.picker)
        case .sendingRideRequest: .sendingRideRequest
        }
    }

    /// Ignores a step that is not possible now: the screen did not offer it.
    package override func perform(_ intention: Intention) {
        switch intention {
        case .chooseDropoff: viewModel.showSelectDropoffLocationView()
        case .confirmRide: viewModel.confirmRide()
        case .selectRideOption: rideOptionPicker.perform(intention)
        default: dropoffLocationPicker?.perform(intention)
        }
    }
}

@MainActor
package protocol PickMeUpViewControllerFactory: AnyObject {
    func makeDropoffLocationPickerViewController(in display: any Display) -> DropoffLocationPickerViewController
    func makeRideOptionPickerViewController(in display: any Display) -> RideOptionPickerViewController
}
