import Foundation
import KooberClient
import KooberKit
import KooberOnboarding
import class PouchClient.FileSessionStore
import class PouchClient.MemorySessionStore

/// Everybody who builds something that needs it takes it from here.
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
