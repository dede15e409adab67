@MainActor
public final class LaunchScreen {
    public let viewModel: LaunchViewModel

    public init(viewModel: LaunchViewModel) {
        self.viewModel = viewModel
    }
}
