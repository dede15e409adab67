import KooberScreens

/// Goes forward as the view model says, and back by itself.
final class OnboardingViewController: ViewController {
    private let viewModel: OnboardingViewModel
    private let viewControllerFactory: any OnboardingViewControllerFactory
    private var child: ChildViewController<OnboardingView, KooberScreen.Content>

    init(viewModel: OnboardingViewModel, viewControllerFactory: any OnboardingViewControllerFactory) {
        self.viewModel = viewModel
        self.viewControllerFactory = viewControllerFactory
        child = ChildViewController(.welcome, make: viewControllerFactory.makeViewController)
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
        child.present(view, make: viewControllerFactory.makeViewController)
        viewModel.uiPresented(view)
    }
}

@MainActor
protocol OnboardingViewControllerFactory: AnyObject {
    func makeViewController(for view: OnboardingView) -> any ViewController<KooberScreen.Content>
}
