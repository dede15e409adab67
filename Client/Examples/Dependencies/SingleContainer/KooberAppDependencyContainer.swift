import Foundation
import KooberClient
import KooberKit
import KooberOnboarding
import class PouchClient.FileSessionStore
import class PouchClient.MemorySessionStore

/// The root of the process.
@MainActor
public final class AppDelegate {
    private let container = KooberAppDependencyContainer()
    public let mainScreen: MainScreen

    public init() {
        mainScreen = container.makeMainScreen()
    }
}

/// Makes every object, and keeps those that outlive one call as long as the process.
@MainActor
final class KooberAppDependencyContainer {
    private let sharedUserSessionRepository: any UserSessionRepository
    private let sharedMainViewModel: MainViewModel
    /// The view model of the current or the last onboarding; nil before the first.
    private var sharedOnboardingViewModel: OnboardingViewModel?

    init() {
        // Local functions, so that no other method can make a second one.
        func makeUserSessionRepository() -> any UserSessionRepository {
            KooberUserSessionRepository(dataStore: makeUserSessionDataStore(), remoteAPI: makeAuthRemoteAPI())
        }
        func makeUserSessionDataStore() -> any UserSessionDataStore {
            #if USER_SESSION_DATASTORE_FILEBASED
                let bytes = FileSessionStore(file: .temporaryDirectory.appending(component: "koober-container"))
            #else
                let bytes = MemorySessionStore()
            #endif
            return CodedUserSessionDataStore(bytes: bytes, coder: makeUserSessionCoder())
        }
        func makeUserSessionCoder() -> any UserSessionCoding { UserSessionPropertyListCoder() }
        func makeAuthRemoteAPI() -> any AuthRemoteAPI { FakeAuthRemoteAPI() }
        func makeMainViewModel() -> MainViewModel { MainViewModel() }

        sharedUserSessionRepository = makeUserSessionRepository()
        sharedMainViewModel = makeMainViewModel()
    }

    // MARK: Main

    func makeMainScreen() -> MainScreen {
        MainScreen(
            viewModel: sharedMainViewModel, launch: makeLaunchScreen(),
            makeOnboardingScreen: { self.makeOnboardingScreen() })
    }

    private func makeLaunchScreen() -> LaunchScreen { LaunchScreen(viewModel: makeLaunchViewModel()) }

    private func makeLaunchViewModel() -> LaunchViewModel {
        LaunchViewModel(
            userSessionRepository: sharedUserSessionRepository, notSignedInResponder: sharedMainViewModel,
            signedInResponder: sharedMainViewModel)
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

    private func makeWelcomeScreen() -> WelcomeScreen { WelcomeScreen(viewModel: makeWelcomeViewModel()) }

    private func makeWelcomeViewModel() -> WelcomeViewModel {
        // The compiler cannot rule out a call before the first onboarding.
        let navigator = sharedOnboardingViewModel ?? makeOnboardingViewModel()
        return WelcomeViewModel(goToSignUpNavigator: navigator, goToSignInNavigator: navigator)
    }

    private func makeSignInScreen() -> SignInScreen { SignInScreen(viewModel: makeSignInViewModel()) }

    private func makeSignInViewModel() -> SignInViewModel {
        SignInViewModel(userSessionRepository: sharedUserSessionRepository, signedInResponder: sharedMainViewModel)
    }

    private func makeSignUpScreen() -> SignUpScreen { SignUpScreen(viewModel: makeSignUpViewModel()) }

    private func makeSignUpViewModel() -> SignUpViewModel {
        SignUpViewModel(userSessionRepository: sharedUserSessionRepository, signedInResponder: sharedMainViewModel)
    }
}
