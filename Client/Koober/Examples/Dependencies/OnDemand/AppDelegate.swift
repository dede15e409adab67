import Foundation
import KooberClient
import KooberKit
import KooberOnboarding
import struct PouchClient.FileSessionStore
import class PouchClient.MemorySessionStore

/// The root of the process.
@MainActor
public final class AppDelegate {
    public let mainScreen: MainScreen

    public init() {
        let mainViewModel = MainViewModel()
        let launchViewModel = LaunchViewModel(
            userSessionRepository: globalUserSessionRepository, notSignedInResponder: mainViewModel,
            signedInResponder: mainViewModel)
        mainScreen = MainScreen(viewModel: mainViewModel, launch: LaunchScreen(viewModel: launchViewModel))
    }
}

/// The repository for every object that is built with one.
let globalUserSessionRepository: any UserSessionRepository = {
    let coder = UserSessionPropertyListCoder()
    #if USER_SESSION_DATASTORE_FILEBASED
        let bytes = FileSessionStore(file: .temporaryDirectory.appending(component: "koober-on-demand"))
    #else
        let bytes = MemorySessionStore()
    #endif
    let dataStore = CodedUserSessionDataStore(bytes: bytes, coder: coder)
    return KooberUserSessionRepository(dataStore: dataStore, remoteAPI: FakeAuthRemoteAPI())
}()
