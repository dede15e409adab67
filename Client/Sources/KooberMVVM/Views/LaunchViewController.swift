import KooberScreens

final class LaunchViewController: ViewController {
    private let viewModel: LaunchViewModel

    init(viewModel: LaunchViewModel) {
        self.viewModel = viewModel
        viewModel.loadUserSession()
    }

    var errorMessages: [ErrorMessages] { [viewModel.errorMessages] }
    var content: KooberScreen { KooberScreen(.launching) }
}
