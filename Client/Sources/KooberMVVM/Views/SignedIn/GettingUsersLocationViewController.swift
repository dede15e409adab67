import KooberScreens

final class GettingUsersLocationViewController: ViewController {
    private let viewModel: GettingUsersLocationViewModel

    init(viewModel: GettingUsersLocationViewModel) {
        self.viewModel = viewModel
        viewModel.findActiveRideOrUsersLocation()
    }

    var errorMessages: [ErrorMessages] { [viewModel.errorMessages] }
    var content: KooberScreen.Content { .gettingUserLocation }
}
