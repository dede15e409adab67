import KooberKit
import PouchEntities

/// Shows the launch screen, the onboarding or the signed-in app, and releases the previous one.
@MainActor
public final class MainScreen {
    public let viewModel: MainViewModel
    public private(set) var launch: LaunchScreen?
    public private(set) var onboarding: OnboardingScreen?
    public private(set) var signedIn: SignedInScreen?
    private let makeOnboardingScreen: () -> OnboardingScreen
    private let makeSignedInScreen: (UserSession) -> SignedInScreen

    public init(
        viewModel: MainViewModel, launch: LaunchScreen, makeOnboardingScreen: @escaping () -> OnboardingScreen,
        makeSignedInScreen: @escaping (UserSession) -> SignedInScreen
    ) {
        self.viewModel = viewModel
        self.launch = launch
        self.makeOnboardingScreen = makeOnboardingScreen
        self.makeSignedInScreen = makeSignedInScreen
        viewModel.onChange = { [weak self] in self?.present($0) }
    }

    private func present(_ view: MainView) {
        launch = nil
        onboarding = nil
        signedIn = nil
        switch view {
        case .launching: break
        case .onboarding: onboarding = makeOnboardingScreen()
        case .signedIn(let userSession): signedIn = makeSignedInScreen(userSession)
        }
    }
}

public enum MainView: Hashable, Sendable {
    case launching
    case onboarding
    case signedIn(UserSession)
}

/// The view that the app shows. A process has one.
@MainActor
public final class MainViewModel: SignedInResponder, NotSignedInResponder {
    public private(set) var view = MainView.launching {
        didSet { onChange?(view) }
    }
    /// Set after both objects exist, because the screen already holds this view model: property injection. The closure
    /// must hold the screen weakly.
    public var onChange: ((MainView) -> Void)?

    public init() {}

    public func signedIn(to userSession: UserSession) { view = .signedIn(userSession) }
    public func notSignedIn() { view = .onboarding }
}

@MainActor
public protocol SignedInResponder: AnyObject {
    func signedIn(to userSession: UserSession)
}

@MainActor
public protocol NotSignedInResponder: AnyObject {
    func notSignedIn()
}

// MARK: Launch

public typealias LaunchScreen = Screen<LaunchViewModel>

/// Reads the stored session.
@MainActor
public final class LaunchViewModel {
    public let userSessionRepository: any UserSessionRepository
    private let notSignedInResponder: any NotSignedInResponder
    private let signedInResponder: any SignedInResponder

    public init(
        userSessionRepository: any UserSessionRepository, notSignedInResponder: any NotSignedInResponder,
        signedInResponder: any SignedInResponder
    ) {
        self.userSessionRepository = userSessionRepository
        self.notSignedInResponder = notSignedInResponder
        self.signedInResponder = signedInResponder
    }

    public func loadUserSession() async {
        if let session = try? await userSessionRepository.readUserSession() {
            signedInResponder.signedIn(to: session)
        } else {
            notSignedInResponder.notSignedIn()
        }
    }
}

/// A screen that only shows its view model.
@MainActor
public final class Screen<ViewModel> {
    public let viewModel: ViewModel

    public init(viewModel: ViewModel) {
        self.viewModel = viewModel
    }
}
