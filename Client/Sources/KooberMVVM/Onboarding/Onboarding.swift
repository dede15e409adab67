import KooberScreens
import Observation

public enum OnboardingView: Hashable, Sendable {
    case welcome
    case signIn
    case signUp
}

/// The navigation between welcome, sign-in and sign-up.
@MainActor
@Observable
public final class OnboardingViewModel: GoToSignInNavigator, GoToSignUpNavigator {
    public private(set) var navigationAction = NavigationAction.present(view: OnboardingView.welcome)

    public init() {}

    public func navigateToSignIn() throws(IllegalTransition) {
        try leaveWelcome(for: .signIn, by: #function)
    }

    public func navigateToSignUp() throws(IllegalTransition) {
        try leaveWelcome(for: .signUp, by: #function)
    }

    /// Reports the presented view, whether this view model asked for it or the user went back.
    public func uiPresented(_ view: OnboardingView) {
        navigationAction = .presented(view: view)
    }

    private func leaveWelcome(for view: OnboardingView, by action: String) throws(IllegalTransition) {
        guard navigationAction.view == .welcome else { throw IllegalTransition(from: navigationAction, by: action) }
        navigationAction = .present(view: view)
    }
}

@MainActor
public protocol GoToSignInNavigator: AnyObject {
    /// - Throws: unless the welcome screen is shown.
    func navigateToSignIn() throws(IllegalTransition)
}

@MainActor
public protocol GoToSignUpNavigator: AnyObject {
    /// - Throws: unless the welcome screen is shown.
    func navigateToSignUp() throws(IllegalTransition)
}

// MARK: View

@MainActor
protocol OnboardingViewControllerFactory: AnyObject {
    func makeViewController(for view: OnboardingView) -> any ViewController<KooberScreen.Content>
}

/// Presents the views that the view model asks for. Goes back by itself.
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
