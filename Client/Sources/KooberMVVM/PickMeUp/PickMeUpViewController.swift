import KooberKit
import KooberScreens
import PouchEntities

/// The map with the ride options over it, and the views that may cover both.
final class PickMeUpViewController: ViewController {
    private let viewModel: PickMeUpViewModel
    private let map: PickMeUpMapViewModel
    private let viewControllerFactory: any PickMeUpViewControllerFactory
    private var rideOptionPicker: (any ViewController<RideOptionPicker>)?
    private var dropoffLocationPicker: (any ViewController<PickMeUpScreen.Step>)?

    init(
        viewModel: PickMeUpViewModel, map: PickMeUpMapViewModel,
        viewControllerFactory: any PickMeUpViewControllerFactory
    ) {
        self.viewModel = viewModel
        self.map = map
        self.viewControllerFactory = viewControllerFactory
    }

    var errorMessages: [ErrorMessages] {
        [viewModel.errorMessages] + (rideOptionPicker?.errorMessages ?? [])
            + (dropoffLocationPicker?.errorMessages ?? [])
    }

    func layout() {
        if case .present(let waypoints) = viewModel.rideOptionPickerAction {
            rideOptionPicker = viewControllerFactory.makeRideOptionPickerViewController(for: waypoints)
            viewModel.uiPresented(rideOptionPickerFor: waypoints)
        }
        if viewModel.view != .selectDropoffLocation {
            dropoffLocationPicker = nil
        } else if dropoffLocationPicker == nil {
            dropoffLocationPicker = viewControllerFactory.makeDropoffLocationPickerViewController()
        }
    }

    var content: KooberScreen.Content {
        .pickMeUp(
            PickMeUpScreen(pickupLocation: map.pickupLocation, dropoffLocation: map.dropoffLocation, step: step))
    }

    private var step: PickMeUpScreen.Step {
        if case .sendingRideRequest = viewModel.view { return .sendingRideRequest }
        if let dropoffLocationPicker { return dropoffLocationPicker.content }
        guard let picker = rideOptionPicker?.content else { return .initial }
        return viewModel.view == .confirmRequest ? .confirmRequest(picker) : .selectRideOption(picker)
    }

    func perform(_ intention: Intention) throws(IllegalTransition) {
        switch intention {
        case .chooseDropoff: try viewModel.showSelectDropoffLocationView()
        case .confirmRide: try viewModel.confirmRide()
        case .selectRideOption: try rideOptionPicker?.perform(intention)
        case .goBack: try viewModel.cancelDropoffLocationSelection()
        default: try dropoffLocationPicker?.perform(intention)
        }
    }
}

@MainActor
protocol PickMeUpViewControllerFactory: AnyObject {
    func makeDropoffLocationPickerViewController() -> any ViewController<PickMeUpScreen.Step>
    func makeRideOptionPickerViewController(for waypoints: RideWaypoints) -> any ViewController<RideOptionPicker>
}
