import Foundation
import KooberClient
import KooberKit
import KooberOnboarding
import class PouchClient.FileSessionStore
import class PouchClient.MemorySessionStore

/// Makes each object, and keeps none. Objects that outlive a call are passed in.
struct KooberObjectFactories {
    // MARK: The session

    func makeUserSessionRepository() -> any UserSessionRepository {
        KooberUserSessionRepository(dataStore: makeUserSessionDataStore(), remoteAPI: makeAuthRemoteAPI())
    }

    func makeUserSessionDataStore() -> any UserSessionDataStore {
        #if USER_SESSION_DATASTORE_FILEBASED
            let bytes = FileSessionStore(file: .temporaryDirectory.appending(component: "koober-factories"))
        #else
            let bytes = MemorySessionStore()
        #endif
        return CodedUserSessionDataStore(bytes: bytes, coder: makeUserSessionCoder())
    }

    func makeUserSessionCoder() -> any UserSessionCoding { UserSessionPropertyListCoder() }

    func makeAuthRemoteAPI() -> any AuthRemoteAPI { FakeAuthRemoteAPI() }
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
            })
    }

    func makeMainViewModel() -> MainViewModel { MainViewModel() }

    func makeLaunchScreen(
        userSessionRepository: any UserSessionRepository, notSignedInResponder: any NotSignedInResponder,
        signedInResponder: any SignedInResponder
    ) -> LaunchScreen {
        LaunchScreen(
            viewModel: makeLaunchViewModel(
                userSessionRepository: userSessionRepository, notSignedInResponder: notSignedInResponder,
                signedInResponder: signedInResponder))
    }

    func makeLaunchViewModel(
        userSessionRepository: any UserSessionRepository, notSignedInResponder: any NotSignedInResponder,
        signedInResponder: any SignedInResponder
    ) -> LaunchViewModel {
        LaunchViewModel(
            userSessionRepository: userSessionRepository, notSignedInResponder: notSignedInResponder,
            signedInResponder: signedInResponder)
    }

    // MARK: Onboarding

    func makeOnboardingScreen(
        userSessionRepository: any UserSessionRepository, signedInResponder: any SignedInResponder
    ) -> OnboardingScreen {
        let viewModel = makeOnboardingViewModel()
        return OnboardingScreen(
            viewModel: viewModel,
            welcome: makeWelcomeScreen(goToSignUpNavigator: viewModel, goToSignInNavigator: viewModel),
            signIn: makeSignInScreen(
                userSessionRepository: userSessionRepository, signedInResponder: signedInResponder),
            signUp: makeSignUpScreen(
                userSessionRepository: userSessionRepository, signedInResponder: signedInResponder))
    }

    func makeOnboardingViewModel() -> OnboardingViewModel { OnboardingViewModel() }

    func makeWelcomeScreen(
        goToSignUpNavigator: any GoToSignUpNavigator, goToSignInNavigator: any GoToSignInNavigator
    ) -> WelcomeScreen {
        WelcomeScreen(
            viewModel: makeWelcomeViewModel(
                goToSignUpNavigator: goToSignUpNavigator, goToSignInNavigator: goToSignInNavigator))
    }

    func makeWelcomeViewModel(
        goToSignUpNavigator: any GoToSignUpNavigator, goToSignInNavigator: any GoToSignInNavigator
    ) -> WelcomeViewModel {
        WelcomeViewModel(goToSignUpNavigator: goToSignUpNavigator, goToSignInNavigator: goToSignInNavigator)
    }

    func makeSignInScreen(
        userSessionRepository: any UserSessionRepository, signedInResponder: any SignedInResponder
    ) -> SignInScreen {
        SignInScreen(
            viewModel: makeSignInViewModel(
                userSessionRepository: userSessionRepository, signedInResponder: signedInResponder))
    }

    func makeSignInViewModel(
        userSessionRepository: any UserSessionRepository, signedInResponder: any SignedInResponder
    ) -> SignInViewModel {
        SignInViewModel(userSessionRepository: userSessionRepository, signedInResponder: signedInResponder)
    }

    func makeSignUpScreen(
        userSessionRepository: any UserSessionRepository, signedInResponder: any SignedInResponder
    ) -> SignUpScreen {
        SignUpScreen(
            viewModel: makeSignUpViewModel(
                userSessionRepository: userSessionRepository, signedInResponder: signedInResponder))
    }

    func makeSignUpViewModel(
        userSessionRepository: any UserSessionRepository, signedInResponder: any SignedInResponder
    ) -> SignUpViewModel {
        SignUpViewModel(userSessionRepository: userSessionRepository, signedInResponder: signedInResponder)
    }
}
