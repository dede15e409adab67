final class MainView: MainUserInterface {
    private let window: Window

    init(window: Window) { self.window = window }

    func render(newState: MainViewState) { window.clear() }
}
