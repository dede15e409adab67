@MainActor
public final class SignInScreen {
    public let viewModel: SignInViewModel

    public init(viewModel: SignInViewModel) {
        self.viewModel = viewModel
    }
}
