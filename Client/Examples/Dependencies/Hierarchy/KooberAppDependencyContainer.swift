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

/// Owns the objects that live as long as the process.
@MainActor
final class KooberAppDependencyContainer {
    let sharedUserSessionRepository: any UserSessionRepository
    let sharedMainViewModel: MainViewModel

    init() {
        // Local functions, so that no other method can make a second one.
        func makeUserSessionRepository() -> any UserSessionRepository {
            KooberUserSessionRepository(dataStore: makeUserSessionDataStore(), remoteAPI: makeAuthRemoteAPI())
        }
        func makeUserSessionDataStore() -> any UserSessionDataStore {
            #if USER_SESSION_DATASTORE_FILEBASED
                let bytes = FileSessionStore(file: .temporaryDirectory.appending(component: "koober-hierarchy"))
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

    func makeMainScreen() -> MainScreen {
        MainScreen(
            viewModel: sharedMainViewModel, launch: makeLaunchScreen(),
            makeOnboardingScreen: {
                KooberOnboardingDependencyContainer(appDependencyContainer: self).makeOnboardingScreen()
            })
    }

    private func makeLaunchScreen() -> LaunchScreen { LaunchScreen(viewModel: makeLaunchViewModel()) }

    private func makeLaunchViewModel() -> LaunchViewModel {
        LaunchViewModel(
            userSessionRepository: sharedUserSessionRepository, notSignedInResponder: sharedMainViewModel,
            signedInResponder: sharedMainViewModel)
    }
}
