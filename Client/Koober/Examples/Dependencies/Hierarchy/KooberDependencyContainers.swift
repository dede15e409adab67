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

/// Owns the objects that live as long as the process.
@MainActor
final class KooberAppDependencyContainer {
    let sharedUserSessionRepository: any UserSessionRepository
    let sharedMainViewModel = MainViewModel()

    init() {
        #if USER_SESSION_DATASTORE_FILEBASED
            let bytes = FileSessionStore(file: .temporaryDirectory.appending(component: "koober-hierarchy"))
        #else
            let bytes = MemorySessionStore()
        #endif
        let dataStore = CodedUserSessionDataStore(bytes: bytes, coder: UserSessionPropertyListCoder())
        sharedUserSessionRepository = KooberUserSessionRepository(dataStore: dataStore, remoteAPI: FakeAuthRemoteAPI())
    }

    func makeMainScreen() -> MainScreen {
        MainScreen(
            viewModel: sharedMainViewModel, launch: makeLaunchScreen(),
            makeOnboardingScreen: { self.makeOnboardingScreen() },
            makeSignedInScreen: { userSession in
                KooberSignedInDependencyContainer(appDependencyContainer: self, userSession: userSession)
                    .makeSignedInScreen()
            })
    }

    /// Children also call it. The onboarding container is not stored here: parents do not know their children.
    func makeOnboardingScreen() -> OnboardingScreen {
        KooberOnboardingDependencyContainer(appDependencyContainer: self).makeOnboardingScreen()
    }

    private func makeLaunchScreen() -> LaunchScreen {
        LaunchScreen(
            viewModel: LaunchViewModel(
                userSessionRepository: sharedUserSessionRepository, notSignedInResponder: sharedMainViewModel,
                signedInResponder: sharedMainViewModel))
    }
}

/// Owns the objects that live while the user is signed out. The onboarding screen retains it as the factory of its
/// three screens. It does not retain the onboarding screen, so both are deallocated together.
@MainActor
final class KooberOnboardingDependencyContainer {
    private let sharedUserSessionRepository: any UserSessionRepository
    private let sharedMainViewModel: MainViewModel
    private let sharedOnboardingViewModel = OnboardingViewModel()

    init(appDependencyContainer: KooberAppDependencyContainer) {
        sharedUserSessionRepository = appDependencyContainer.sharedUserSessionRepository
        sharedMainViewModel = appDependencyContainer.sharedMainViewModel
    }

    func makeOnboardingScreen() -> OnboardingScreen {
        OnboardingScreen(
            viewModel: sharedOnboardingViewModel, welcome: self.makeWelcomeScreen(), signIn: self.makeSignInScreen(),
            signUp: self.makeSignUpScreen())
    }

    private func makeWelcomeScreen() -> WelcomeScreen {
        WelcomeScreen(
            viewModel: WelcomeViewModel(
                goToSignUpNavigator: sharedOnboardingViewModel, goToSignInNavigator: sharedOnboardingViewModel))
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
}

/// Owns the objects that live as long as one session, which it captures as a constant. It cannot be created without
/// one, so nothing in it checks whether a user is signed in. The signed-in screen retains it as the factory of its
/// onboarding.
@MainActor
final class KooberSignedInDependencyContainer {
    private let appDependencyContainer: KooberAppDependencyContainer
    private let userSession: UserSession

    init(appDependencyContainer: KooberAppDependencyContainer, userSession: UserSession) {
        self.appDependencyContainer = appDependencyContainer
        self.userSession = userSession
    }

    func makeSignedInScreen() -> SignedInScreen {
        SignedInScreen(
            profile: makeProfileScreen(),
            makeOnboardingScreen: { self.appDependencyContainer.makeOnboardingScreen() })
    }

    private func makeProfileScreen() -> ProfileScreen {
        ProfileScreen(
            viewModel: ProfileViewModel(
                userSession: userSession, userSessionRepository: appDependencyContainer.sharedUserSessionRepository,
                notSignedInResponder: appDependencyContainer.sharedMainViewModel))
    }
}
