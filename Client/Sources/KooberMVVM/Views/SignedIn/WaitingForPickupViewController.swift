import KooberScreens

final class WaitingForPickupViewController: ViewController {
    private let viewModel: WaitingForPickupViewModel

    init(viewModel: WaitingForPickupViewModel) {
        self.viewModel = viewModel
        viewModel.followRide()
    }

    var errorMessages: [ErrorMessages] { [viewModel.errorMessages] }

    var content: KooberScreen.Content {
        .waitingForPickup(WaitingScreen(ride: viewModel.ride, isCancelling: viewModel.isCancelling))
    }

    func perform(_ intention: Intention) throws(IllegalTransition) {
        switch intention {
        case .cancelRide: try viewModel.cancelRide()
        case .startNewRide: try viewModel.startNewRide()
        default: break
        }
    }
}
