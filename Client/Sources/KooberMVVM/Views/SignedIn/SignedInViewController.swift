import KooberScreens

/// The step that somebody is at, and the profile over it.
final class SignedInViewController: ViewController {
    private let viewModel: SignedInViewModel
    private let viewControllerFactory: any SignedInViewControllerFactory
    private var child: ChildViewController<SignedInView, KooberScreen.Content>
    private var profile: (any ViewController<ProfileScreen>)?

    init(viewModel: SignedInViewModel, viewControllerFactory: any SignedInViewControllerFactory) {
        self.viewModel = viewModel
        self.viewControllerFactory = viewControllerFactory
        child = ChildViewController(viewModel.view, make: viewControllerFactory.makeViewController)
        viewModel.followUserSession()
    }

    var errorMessages: [ErrorMessages] { child.controller.errorMessages }

    func layout() {
        child.present(viewModel.view, make: viewControllerFactory.makeViewController)
        child.controller.layout()
        if !viewModel.isProfilePresented {
            profile = nil
        } else if profile == nil {
            profile = viewControllerFactory.makeProfileViewController()
        }
    }

    var content: KooberScreen { KooberScreen(child.controller.content, profile: profile?.content) }

    func perform(_ intention: Intention) throws(IllegalTransition) {
        switch (intention, profile) {
        case (.showProfile, _): try viewModel.showProfile()
        case (.goBack, .some):
            profile = nil
            try viewModel.closeProfile()
        case (_, let profile?): try profile.perform(intention)
        case (_, nil): try child.controller.perform(intention)
        }
    }
}

@MainActor
protocol SignedInViewControllerFactory: AnyObject {
    func makeViewController(for view: SignedInView) -> any ViewController<KooberScreen.Content>
    func makeProfileViewController() -> any ViewController<ProfileScreen>
}
