import KooberKit
import KooberScreens
import PouchEntities

/// The map, the option picker over it, and what may cover both.
final class PickMeUpViewController: ViewController {
    private let viewModel: PickMeUpViewModel
    private let map: any ViewController<PickMeUpScreen>
    private let viewControllerFactory: any PickMeUpViewControllerFactory
    private var rideOptionPicker: (any ViewController<RideOptionPicker>)?
    private var dropoffLocationPicker: (any ViewController<PickMeUpScreen.Step>)?
    private var sendingRideRequest: (any ViewController<PickMeUpScreen.Step>)?

    init(
        viewModel: PickMeUpViewModel,
        map: any ViewController<PickMeUpScreen>,
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
        if case .sendingRideRequest(let rideRequest) = viewModel.view {
            if sendingRideRequest == nil {
                sendingRideRequest = viewControllerFactory.makeSendingRideRequestViewController(for: rideRequest)
            }
        } else {
            sendingRideRequest = nil
        }
    }

    var content: KooberScreen.Content {
        var screen = map.content
        screen.step = step
        return .pickMeUp(screen)
    }

    func perform(_ intention: Intention) throws(IllegalTransition) {
        switch intention {
        case .chooseDropoff: try viewModel.showSelectDropoffLocationView()
        case .confirmRide: try viewModel.confirmRide()
        case .selectRideOption: try rideOptionPicker?.perform(intention)
        case .goBack:
            dropoffLocationPicker = nil
            try viewModel.cancelDropoffLocationSelection()
        default: try dropoffLocationPicker?.perform(intention)
        }
    }

    private var step: PickMeUpScreen.Step {
        if let covering = dropoffLocationPicker ?? sendingRideRequest { return covering.content }
        guard let picker = rideOptionPicker?.content else { return .initial }
        return viewModel.view == .confirmRequest ? .confirmRequest(picker) : .selectRideOption(picker)
    }
}

@MainActor
protocol PickMeUpViewControllerFactory: AnyObject {
    func makeDropoffLocationPickerViewController() -> any ViewController<PickMeUpScreen.Step>
    func makeRideOptionPickerViewController(for waypoints: RideWaypoints) -> any ViewController<RideOptionPicker>
    func makeSendingRideRequestViewController(for rideRequest: NewRideRequest)
        -> any ViewController<PickMeUpScreen.Step>
}
