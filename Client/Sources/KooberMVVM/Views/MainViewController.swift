import KooberScreens

final class MainViewController: ViewController {
    private let viewModel: MainViewModel
    private var child: ChildViewController<MainView, KooberScreen>

    init(viewModel: MainViewModel, makeChild: @escaping (MainView) -> any ViewController<KooberScreen>) {
        self.viewModel = viewModel
        child = ChildViewController(viewModel.view, make: makeChild)
    }

    var errorMessages: [ErrorMessages] { [viewModel.errorMessages] + child.controller.errorMessages }

    func layout() {
        child.present(viewModel.view)
        child.controller.layout()
    }

    var content: KooberScreen { child.controller.content }

    func perform(_ intention: Intention) throws(IllegalTransition) {
        try child.controller.perform(intention)
    }
}
