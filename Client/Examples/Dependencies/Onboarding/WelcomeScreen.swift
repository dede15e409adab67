@MainActor
public final class WelcomeScreen {
    public let viewModel: WelcomeViewModel

    public init(viewModel: WelcomeViewModel) {
        self.viewModel = viewModel
    }
}
