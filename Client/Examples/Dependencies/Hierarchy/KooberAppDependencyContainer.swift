import Foundation
import KooberClient
import KooberKit
import KooberOnboarding
import class PouchClient.FileSessionStore
import class PouchClient.MemorySessionStore

/// What lives as long as the process.
@MainActor
final class KooberAppDependencyContainer {
    let sharedUserSessionRepository: any UserSessionRepository
    let sharedMainViewModel: MainViewModel

    init() {
        // Functions here, so that nobody makes a second one by mistake.
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
