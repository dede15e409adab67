import KooberScreens

final class SendingRideRequestViewController: ViewController {
    private let viewModel: SendingRideRequestViewModel

    init(viewModel: SendingRideRequestViewModel) {
        self.viewModel = viewModel
        viewModel.sendRideRequest()
    }

    var content: PickMeUpScreen.Step { .sendingRideRequest }
}
