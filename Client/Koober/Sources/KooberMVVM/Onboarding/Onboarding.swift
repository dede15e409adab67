import KooberScreens
import Observation

public enum OnboardingView: Hashable, Sendable {
    case welcome
    case signIn
    case signUp
}

/// A navigation in two steps: the view model requests a view, and the view controller reports that it presented one.
///
/// The view controller acts only on `present`. It also reports views that it presents on its own, such as the previous
/// view when the user goes back.
public enum NavigationAction<View: Hashable & Sendable>: Hashable, Sendable {
    case present(view: View)
    case presented(view: View)

    var view: View {
        switch self {
        case .present(let view), .presented(let view): view
        }
    }
}

/// The navigation between welcome, sign-in and sign-up.
@MainActor
@Observable
public final class OnboardingViewModel: GoToSignInNavigator, GoToSignUpNavigator {
    public private(set) var navigationAction: NavigationAction<OnboardingView>

    public init(view: OnboardingView = .welcome) {
        navigationAction = .present(view: view)
    }

    public func navigateToSignIn() { leaveWelcome(for: .signIn) }

    public func navigateToSignUp() { leaveWelcome(for: .signUp) }

    /// Reports the presented view, whether this view model requested it or the user went back.
    public func uiPresented(_ view: OnboardingView) {
        navigationAction = .presented(view: view)
    }

    private func leaveWelcome(for view: OnboardingView) {
        guard navigationAction.view == .welcome else { return }
        navigationAction = .present(view: view)
    }
}

@MainActor
public protocol GoToSignInNavigator: AnyObject {
    /// Does nothing unless the welcome screen is shown.
    func navigateToSignIn()
}

@MainActor
public protocol GoToSignUpNavigator: AnyObject {
    /// Does nothing unless the welcome screen is shown.
    func navigateToSignUp()
}

// MARK: View

@MainActor
package protocol OnboardingViewControllerFactory: AnyObject {
    func makeViewController(for view: OnboardingView, in display: any Display) -> ScreenView
}

/// Presents the views that the view model requests. Goes back on its own.
package final class OnboardingViewController: ScreenView {
    private let viewModel: OnboardingViewModel
    private let viewControllerFactory: any OnboardingViewControllerFactory
    private var child: ScreenView?

    package init(
        viewModel: OnboardingViewModel, viewControllerFactory: any OnboardingViewControllerFactory,
        in display: any Display
    ) {
        self.viewModel = viewModel
        self.viewControllerFactory = viewControllerFactory
        super.init(in: display)
        bind({ viewModel.navigationAction }) { [weak self] in
            if case .present(let view) = $0 { self?.present(view) }
        }
    }

    package override func perform(_ intention: Intention) {
        if intention == .goBack {
            present(.welcome)
        } else {
            child?.perform(intention)
        }
    }

    private func present(_ view: OnboardingView) {
        child = viewControllerFactory.makeViewController(for: view, in: display)
        viewModel.uiPresented(view)
    }
}
