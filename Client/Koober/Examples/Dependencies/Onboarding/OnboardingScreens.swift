import KooberKit
import PouchEntities

/// Holds the three screens of the onboarding, and creates each when it is first shown.
@MainActor
public final class OnboardingScreen {
    public let viewModel: OnboardingViewModel
    public private(set) lazy var welcome = makeWelcome()
    public private(set) lazy var signIn = makeSignIn()
    public private(set) lazy var signUp = makeSignUp()
    private let makeWelcome: () -> WelcomeScreen
    private let makeSignIn: () -> SignInScreen
    private let makeSignUp: () -> SignUpScreen

    public init(
        viewModel: OnboardingViewModel, welcome: @autoclosure @escaping () -> WelcomeScreen,
        signIn: @autoclosure @escaping () -> SignInScreen, signUp: @autoclosure @escaping () -> SignUpScreen
    ) {
        self.viewModel = viewModel
        makeWelcome = welcome
        makeSignIn = signIn
        makeSignUp = signUp
    }
}

/// The selected screen of the onboarding.
@MainActor
public final class OnboardingViewModel: GoToSignInNavigator, GoToSignUpNavigator {
    public enum View: Sendable {
        case welcome, signIn, signUp
    }

    public private(set) var view = View.welcome

    public init() {}

    public func goToSignIn() { view = .signIn }
    public func goToSignUp() { view = .signUp }
}

@MainActor
public protocol GoToSignInNavigator: AnyObject {
    func goToSignIn()
}

@MainActor
public protocol GoToSignUpNavigator: AnyObject {
    func goToSignUp()
}

// MARK: Welcome

public typealias WelcomeScreen = Screen<WelcomeViewModel>

@MainActor
public final class WelcomeViewModel {
    private let goToSignUpNavigator: any GoToSignUpNavigator
    private let goToSignInNavigator: any GoToSignInNavigator

    public init(goToSignUpNavigator: any GoToSignUpNavigator, goToSignInNavigator: any GoToSignInNavigator) {
        self.goToSignUpNavigator = goToSignUpNavigator
        self.goToSignInNavigator = goToSignInNavigator
    }

    public func showSignIn() { goToSignInNavigator.goToSignIn() }
    public func showSignUp() { goToSignUpNavigator.goToSignUp() }
}

// MARK: Sign-in

public typealias SignInScreen = Screen<SignInViewModel>

@MainActor
public final class SignInViewModel {
    public let userSessionRepository: any UserSessionRepository
    private let signedInResponder: any SignedInResponder

    public init(userSessionRepository: any UserSessionRepository, signedInResponder: any SignedInResponder) {
        self.userSessionRepository = userSessionRepository
        self.signedInResponder = signedInResponder
    }

    public func signIn(_ credentials: Credentials) async throws(ErrorMessage) {
        signedInResponder.signedIn(to: try await userSessionRepository.signIn(credentials))
    }
}

// MARK: Sign-up

public typealias SignUpScreen = Screen<SignUpViewModel>

@MainActor
public final class SignUpViewModel {
    public let userSessionRepository: any UserSessionRepository
    private let signedInResponder: any SignedInResponder

    public init(userSessionRepository: any UserSessionRepository, signedInResponder: any SignedInResponder) {
        self.userSessionRepository = userSessionRepository
        self.signedInResponder = signedInResponder
    }

    public func signUp(_ newAccount: NewAccount) async throws(ErrorMessage) {
        signedInResponder.signedIn(to: try await userSessionRepository.signUp(newAccount))
    }
}
