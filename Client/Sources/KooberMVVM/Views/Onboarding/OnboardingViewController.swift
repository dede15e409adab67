import KooberScreens

/// Goes forward as the view model says, and back by itself.
final class OnboardingViewController: ViewController {
    private let viewModel: OnboardingViewModel
    private var child: ChildViewController<OnboardingView, KooberScreen.Content>

    init(
        viewModel: OnboardingViewModel,
        makeChild: @escaping (OnboardingView) -> any ViewController<KooberScreen.Content>
    ) {
        self.viewModel = viewModel
        child = ChildViewController(.welcome, make: makeChild)
    }

    var errorMessages: [ErrorMessages] { child.controller.errorMessages }

    func layout() {
        if case .present(let view) = viewModel.navigationAction { present(view) }
    }

    var content: KooberScreen { KooberScreen(child.controller.content) }

    func perform(_ intention: Intention) throws(IllegalTransition) {
        if intention == .goBack {
            present(.welcome)
        } else {
            try child.controller.perform(intention)
        }
    }

    private func present(_ view: OnboardingView) {
        child.present(view)
        viewModel.uiPresented(view)
    }
}
