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
    public let mainScreen: MainScreen

    public init() {
        mainScreen = KooberObjectFactories().makeMainScreen(
            viewModel: globalMainViewModel, userSessionRepository: globalUserSessionRepository)
    }
}

// Factories store no objects, so objects that outlive one call have to be globals.

let globalUserSessionRepository: any UserSessionRepository = KooberObjectFactories().makeUserSessionRepository()

@MainActor
let globalMainViewModel = MainViewModel()

/// Creates each object, and stores none. Objects that outlive a call are passed in.
struct KooberObjectFactories {
    func makeUserSessionRepository() -> any UserSessionRepository {
        KooberUserSessionRepository(dataStore: makeUserSessionDataStore(), remoteAPI: FakeAuthRemoteAPI())
    }

    func makeUserSessionDataStore() -> any UserSessionDataStore {
        #if USER_SESSION_DATASTORE_FILEBASED
            let bytes = FileSessionStore(file: .temporaryDirectory.appending(component: "koober-factories"))
        #else
            let bytes = MemorySessionStore()
        #endif
        return CodedUserSessionDataStore(bytes: bytes, coder: UserSessionPropertyListCoder())
    }
}

@MainActor
extension KooberObjectFactories {
    // MARK: Main

    func makeMainScreen(
        viewModel: MainViewModel, userSessionRepository: any UserSessionRepository
    ) -> MainScreen {
        MainScreen(
            viewModel: viewModel,
            launch: makeLaunchScreen(
                userSessionRepository: userSessionRepository, notSignedInResponder: viewModel,
                signedInResponder: viewModel),
            makeOnboardingScreen: {
                makeOnboardingScreen(userSessionRepository: userSessionRepository, signedInResponder: viewModel)
            },
            makeSignedInScreen: { userSession in
                makeSignedInScreen(
                    userSession: userSession, userSessionRepository: userSessionRepository,
                    notSignedInResponder: viewModel, signedInResponder: viewModel)
            })
    }

    func makeLaunchScreen(
        userSessionRepository: any UserSessionRepository, notSignedInResponder: any NotSignedInResponder,
        signedInResponder: any SignedInResponder
    ) -> LaunchScreen {
        LaunchScreen(
            viewModel: LaunchViewModel(
                userSessionRepository: userSessionRepository, notSignedInResponder: notSignedInResponder,
                signedInResponder: signedInResponder))
    }

    // MARK: Onboarding

    func makeOnboardingScreen(
        userSessionRepository: any UserSessionRepository, signedInResponder: any SignedInResponder
    ) -> OnboardingScreen {
        let viewModel = OnboardingViewModel()
        return OnboardingScreen(
            viewModel: viewModel,
            welcome: makeWelcomeScreen(goToSignUpNavigator: viewModel, goToSignInNavigator: viewModel),
            signIn: makeSignInScreen(
                userSessionRepository: userSessionRepository, signedInResponder: signedInResponder),
            signUp: makeSignUpScreen(
                userSessionRepository: userSessionRepository, signedInResponder: signedInResponder))
    }

    func makeWelcomeScreen(
        goToSignUpNavigator: any GoToSignUpNavigator, goToSignInNavigator: any GoToSignInNavigator
    ) -> WelcomeScreen {
        WelcomeScreen(
            viewModel: WelcomeViewModel(
                goToSignUpNavigator: goToSignUpNavigator, goToSignInNavigator: goToSignInNavigator))
    }

    func makeSignInScreen(
        userSessionRepository: any UserSessionRepository, signedInResponder: any SignedInResponder
    ) -> SignInScreen {
        SignInScreen(
            viewModel: SignInViewModel(
                userSessionRepository: userSessionRepository, signedInResponder: signedInResponder))
    }

    func makeSignUpScreen(
        userSessionRepository: any UserSessionRepository, signedInResponder: any SignedInResponder
    ) -> SignUpScreen {
        SignUpScreen(
            viewModel: SignUpViewModel(
                userSessionRepository: userSessionRepository, signedInResponder: signedInResponder))
    }

    // MARK: Signed in

    /// The session is known only at run time, and is a parameter of each method on the way to the object that needs it.
    func makeSignedInScreen(
        userSession: UserSession, userSessionRepository: any UserSessionRepository,
        notSignedInResponder: any NotSignedInResponder, signedInResponder: any SignedInResponder
    ) -> SignedInScreen {
        SignedInScreen(
            profile: makeProfileScreen(
                userSession: userSession, userSessionRepository: userSessionRepository,
                notSignedInResponder: notSignedInResponder),
            makeOnboardingScreen: {
                makeOnboardingScreen(userSessionRepository: userSessionRepository, signedInResponder: signedInResponder)
            })
    }

    func makeProfileScreen(
        userSession: UserSession, userSessionRepository: any UserSessionRepository,
        notSignedInResponder: any NotSignedInResponder
    ) -> ProfileScreen {
        ProfileScreen(
            viewModel: ProfileViewModel(
                userSession: userSession, userSessionRepository: userSessionRepository,
                notSignedInResponder: notSignedInResponder))
    }
}
