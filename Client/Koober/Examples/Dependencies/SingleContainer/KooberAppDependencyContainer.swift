import Foundation
import KooberClient
import KooberKit
import KooberOnboarding
import struct PouchClient.FileSessionStore
import class PouchClient.MemorySessionStore
import PouchEntities

/// The root of the process.
@MainActor
public final class AppDelegate {
    private let container = KooberAppDependencyContainer()
    public let mainScreen: MainScreen

    public init() {
        mainScreen = container.makeMainScreen()
    }
}

/// Creates every object, and stores those that outlive one call until the process ends.
@MainActor
final class KooberAppDependencyContainer {
    private let sharedUserSessionRepository: any UserSessionRepository
    private let sharedMainViewModel = MainViewModel()
    /// The view model of the current or the last onboarding; nil before the first.
    private var sharedOnboardingViewModel: OnboardingViewModel?

    init() {
        #if USER_SESSION_DATASTORE_FILEBASED
            let bytes = FileSessionStore(file: .temporaryDirectory.appending(component: "koober-single-container"))
        #else
            let bytes = MemorySessionStore()
        #endif
        let dataStore = CodedUserSessionDataStore(bytes: bytes, coder: UserSessionPropertyListCoder())
        sharedUserSessionRepository = KooberUserSessionRepository(dataStore: dataStore, remoteAPI: FakeAuthRemoteAPI())
    }

    // MARK: Main

    func makeMainScreen() -> MainScreen {
        MainScreen(
            viewModel: sharedMainViewModel, launch: makeLaunchScreen(),
            makeOnboardingScreen: { self.makeOnboardingScreen() },
            makeSignedInScreen: { self.makeSignedInScreen(userSession: $0) })
    }

    private func makeLaunchScreen() -> LaunchScreen {
        LaunchScreen(
            viewModel: LaunchViewModel(
                userSessionRepository: sharedUserSessionRepository, notSignedInResponder: sharedMainViewModel,
                signedInResponder: sharedMainViewModel))
    }

    // MARK: Onboarding

    private func makeOnboardingScreen() -> OnboardingScreen {
        let viewModel = makeOnboardingViewModel()
        sharedOnboardingViewModel = viewModel
        return OnboardingScreen(
            viewModel: viewModel, welcome: self.makeWelcomeScreen(), signIn: self.makeSignInScreen(),
            signUp: self.makeSignUpScreen())
    }

    private func makeOnboardingViewModel() -> OnboardingViewModel { OnboardingViewModel() }

    private func makeWelcomeScreen() -> WelcomeScreen {
        // The compiler cannot rule out a call before the first onboarding.
        let navigator = sharedOnboardingViewModel ?? makeOnboardingViewModel()
        return WelcomeScreen(
            viewModel: WelcomeViewModel(goToSignUpNavigator: navigator, goToSignInNavigator: navigator))
    }

    private func makeSignInScreen() -> SignInScreen {
        SignInScreen(
            viewModel: SignInViewModel(
                userSessionRepository: sharedUserSessionRepository, signedInResponder: sharedMainViewModel))
    }

    private func makeSignUpScreen() -> SignUpScreen {
        SignUpScreen(
            viewModel: SignUpViewModel(
                userSessionRepository: sharedUserSessionRepository, signedInResponder: sharedMainViewModel))
    }

    // MARK: Signed in

    /// The container outlives the session. In a property, the session would have to be optional, and that of an earlier
    /// user could remain. As a parameter, it has to pass through each method on the way.
    private func makeSignedInScreen(userSession: UserSession) -> SignedInScreen {
        SignedInScreen(
            profile: makeProfileScreen(userSession: userSession),
            makeOnboardingScreen: { self.makeOnboardingScreen() })
    }

    private func makeProfileScreen(userSession: UserSession) -> ProfileScreen {
        ProfileScreen(
            viewModel: ProfileViewModel(
                userSession: userSession, userSessionRepository: sharedUserSessionRepository,
                notSignedInResponder: sharedMainViewModel))
    }
}
