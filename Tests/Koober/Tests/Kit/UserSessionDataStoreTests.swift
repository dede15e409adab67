import ClientTesting
import Foundation
import KooberClient
import KooberKit
import KooberTexts
import PouchClient
import PouchEntities
import PouchTesting
import Testing

/// The rules of a data store, with any byte store and any coder.
@Suite(.timeLimit(.minutes(5)))
struct UserSessionDataStoreTests {
    enum Coder: CaseIterable {
        case propertyList, json

        var coder: any UserSessionCoding {
            switch self {
            case .propertyList: UserSessionPropertyListCoder()
            case .json: UserSessionJSONCoder()
            }
        }
    }

    private let later = Fixture.session("access-2", refresh: "refresh-2", expiresIn: 1800)
    private let folder: TemporaryFolder
    private let storage: DeviceStorage

    init() throws {
        folder = try TemporaryFolder()
        storage = DeviceStorage(
            server: URL(filePath: "/"), application: "koober", environment: ["XDG_STATE_HOME": folder.url.path])
    }

    private func file(_ coder: Coder = .json) -> any UserSessionDataStore {
        UserSessionDataStoreChoice.file.makeDataStore(in: storage, coder: coder.coder)
    }

    @Test(arguments: UserSessionDataStoreChoice.allCases, Coder.allCases)
    func `a store keeps one session until that session is deleted`(
        _ choice: UserSessionDataStoreChoice, _ coder: Coder
    ) async throws {
        let store = choice.makeDataStore(in: storage, coder: coder.coder)
        #expect(try await store.readUserSession() == nil)
        for session in [Fixture.session(), Fixture.session("access-2", id: "ses_2", account: "acc_2")] {
            try await store.save(session)
            #expect(try await store.readUserSession() == session)
        }
        try await store.delete(Fixture.session())
        #expect(try await store.readUserSession()?.id == "ses_2")
        // The tokens do not matter.
        try await store.delete(Fixture.session("access-1", expiresIn: 1, id: "ses_2"))
        #expect(try await store.readUserSession() == nil)
        try await store.delete(Fixture.session())
    }

    @Test(arguments: UserSessionDataStoreChoice.allCases, Coder.allCases)
    func `earlier tokens of a session never replace later ones, and another session does`(
        _ choice: UserSessionDataStoreChoice, _ coder: Coder
    ) async throws {
        let store = choice.makeDataStore(in: storage, coder: coder.coder)
        try await store.save(Fixture.session())
        try await store.save(later)
        try await store.save(Fixture.session())
        #expect(try await store.readUserSession() == later)
        let other = Fixture.session(expiresIn: 10, id: "ses_2")
        try await store.save(other)
        #expect(try await store.readUserSession() == other)
    }

    @Test func `refreshed tokens count as later even if the access token expires earlier`() async throws {
        let store = UserSessionDataStoreChoice.memory.makeDataStore(in: storage)
        let first = Fixture.session(expiresIn: 3600)
        let tokens = RemoteSession(
            accessToken: "access-2", accessTokenExpiresAt: Date.sample.addingTimeInterval(900),
            refreshToken: "refresh-2",
            refreshTokenExpiresAt: first.remoteSession.refreshTokenExpiresAt.addingTimeInterval(1))
        let renewed = UserSession(id: first.id, kind: first.kind, profile: first.profile, remoteSession: tokens)
        try await store.save(first)
        try await store.save(renewed)
        #expect(try await store.readUserSession() == renewed)
        try await store.save(first)
        #expect(try await store.readUserSession() == renewed)
    }

    @Test func `overlapping saves end with the later tokens`() async throws {
        let saving = Gate()
        let store = CodedUserSessionDataStore(
            bytes: GatedSessionStore(nil, saving: saving), coder: UserSessionJSONCoder())
        async let first: Void = store.save(later)
        await saving.held(1)
        let executor = SteppedExecutor()
        let second = Task(executorPreference: executor) { try await store.save(Fixture.session()) }
        await executor.settle()
        saving.open()
        _ = try await (first, second.value)
        #expect(try await store.readUserSession() == later)
    }

    @Test(arguments: Coder.allCases)
    func `a file outlives the process, and only its owner may read it`(_ coder: Coder) async throws {
        try await file(coder).save(Fixture.session())
        #expect(try await file(coder).readUserSession() == Fixture.session())
        let attributes = try FileManager.default.attributesOfItem(atPath: storage.sessionFile.path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        #expect(storage.sessionFile.path.hasPrefix(folder.url.path))
    }

    @Test func `a session in memory ends with the process`() async throws {
        try await UserSessionDataStoreChoice.memory.makeDataStore(in: storage).save(Fixture.session())
        #expect(try await UserSessionDataStoreChoice.memory.makeDataStore(in: storage).readUserSession() == nil)
    }

    @Test func `a crash during a save leaves the earlier session`() async throws {
        try await file().save(Fixture.session())
        let half = try Data(contentsOf: storage.sessionFile).prefix(20)
        try half.write(to: URL(filePath: storage.sessionFile.path + ".draft"))
        #expect(try await file().readUserSession() == Fixture.session())
    }

    @Test func `a failed save leaves the earlier session, and the next save works`() async throws {
        let bytes = CountingSessionStore()
        let store = CodedUserSessionDataStore(bytes: bytes, coder: UserSessionJSONCoder())
        try await store.save(Fixture.session())
        await bytes.fails(true)
        let error = await #expect(throws: ErrorMessage.self) { try await store.save(later) }
        #expect(error?.title == .sessionNotSaved)
        #expect(try await store.readUserSession() == Fixture.session())
        await bytes.fails(false)
        try await store.save(later)
        #expect(try await store.readUserSession() == later)
    }

    @Test func `a stored session is not written again, and another one is not deleted`() async throws {
        let bytes = CountingSessionStore()
        let store = CodedUserSessionDataStore(bytes: bytes, coder: UserSessionJSONCoder())
        for session in [Fixture.session(), Fixture.session(), later, later] { try await store.save(session) }
        #expect(await bytes.saves == 2)
        for _ in 1...2 { try await store.delete(later) }
        #expect(await bytes.clears == 1)
    }

    @Test func `a session of another coder cannot be read, and the next session replaces it`() async throws {
        try await file(.json).save(Fixture.session(expiresIn: 9_000))
        let store = file(.propertyList)
        let error = await #expect(throws: ErrorMessage.self) { try await store.readUserSession() }
        #expect(error?.title == .sessionUnreadable)
        #expect(error?.message == .sessionUnreadableAdvice)
        try await store.save(Fixture.session())
        #expect(try await store.readUserSession() == Fixture.session())
    }

    @Test func `an unreadable session can be deleted`() async throws {
        try await file(.json).save(Fixture.session())
        try await file(.propertyList).delete(Fixture.session())
        #expect(try await file(.json).readUserSession() == nil)
    }

    @Test func `each build has one standard store`() {
        #if canImport(Security) && !USER_SESSION_DATASTORE_FILEBASED
            #expect(UserSessionDataStoreChoice.standard == .keychain)
        #else
            #expect(UserSessionDataStoreChoice.standard == .file)
        #endif
    }
}
