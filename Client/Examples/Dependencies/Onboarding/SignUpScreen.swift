@MainActor
public final class SignUpScreen {
    public let viewModel: SignUpViewModel

    public init(viewModel: SignUpViewModel) {
        self.viewModel = viewModel
    }
}
