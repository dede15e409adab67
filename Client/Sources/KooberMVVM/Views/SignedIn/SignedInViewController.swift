import KooberScreens

/// The step that somebody is at, and the profile over it.
final class SignedInViewController: ViewController {
    private let viewModel: SignedInViewModel
    private let makeProfile: () -> any ViewController<ProfileScreen>
    private var child: ChildViewController<SignedInView, KooberScreen.Content>
    private var profile: (any ViewController<ProfileScreen>)?

    init(
        viewModel: SignedInViewModel,
        makeChild: @escaping (SignedInView) -> any ViewController<KooberScreen.Content>,
        makeProfile: @escaping () -> any ViewController<ProfileScreen>
    ) {
        self.viewModel = viewModel
        self.makeProfile = makeProfile
        child = ChildViewController(viewModel.view, make: makeChild)
        viewModel.followUserSession()
    }

    var errorMessages: [ErrorMessages] { child.controller.errorMessages }

    func layout() {
        child.present(viewModel.view)
        child.controller.layout()
        if !viewModel.isProfilePresented {
            profile = nil
        } else if profile == nil {
            profile = makeProfile()
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
