import KooberScreens

final class PickMeUpMapViewController: ViewController {
    private let viewModel: PickMeUpMapViewModel

    init(viewModel: PickMeUpMapViewModel) {
        self.viewModel = viewModel
    }

    var content: PickMeUpScreen {
        PickMeUpScreen(pickupLocation: viewModel.pickupLocation, dropoffLocation: viewModel.dropoffLocation)
    }
}
