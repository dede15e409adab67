import KooberScreens

final class ProfileViewController: ViewController {
    private let viewModel: ProfileViewModel

    init(viewModel: ProfileViewModel) {
        self.viewModel = viewModel
    }

    var content: ProfileScreen {
        ProfileScreen(
            name: viewModel.name, email: viewModel.email, mobileNumber: viewModel.mobileNumber,
            isSigningOut: viewModel.isSigningOut)
    }

    func perform(_ intention: Intention) throws(IllegalTransition) {
        switch intention {
        case .closeProfile: try viewModel.closeProfile()
        case .signOut: try viewModel.signOut()
        default: break
        }
    }
}
