import KooberScreens

final class MainViewController: ViewController {
    private let viewModel: MainViewModel
    private let viewControllerFactory: any MainViewControllerFactory
    private var child: ChildViewController<MainView, KooberScreen>

    init(viewModel: MainViewModel, viewControllerFactory: any MainViewControllerFactory) {
        self.viewModel = viewModel
        self.viewControllerFactory = viewControllerFactory
        child = ChildViewController(viewModel.view, make: viewControllerFactory.makeViewController)
    }

    var errorMessages: [ErrorMessages] { [viewModel.errorMessages] + child.controller.errorMessages }

    func layout() {
        child.present(viewModel.view, make: viewControllerFactory.makeViewController)
        child.controller.layout()
    }

    var content: KooberScreen { child.controller.content }

    func perform(_ intention: Intention) throws(IllegalTransition) {
        try child.controller.perform(intention)
    }
}

@MainActor
protocol MainViewControllerFactory: AnyObject {
    func makeViewController(for view: MainView) -> any ViewController<KooberScreen>
}
