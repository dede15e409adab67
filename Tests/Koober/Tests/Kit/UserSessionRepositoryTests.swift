import ClientTesting
import Foundation
import KooberKit
import KooberScenarios
import KooberTexts
import KooberScreens
import PouchEntities
import PouchTesting
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(5)))
struct KooberUserSessionRepositoryTests {
    private let remoteAPI = FakeAuthRemoteAPI()
    private let dataStore = FakeUserSessionDataStore()
    private let repository: KooberUserSessionRepository
    private let ada: Credentials
    private let bea: Credentials

    init() throws {
        ada = try Credentials(email: "ada@example.org", password: Secret("correct"))
        bea = try Credentials(email: "bea@example.org", password: Secret("correct"))
        repository = KooberUserSessionRepository(dataStore: dataStore, remoteAPI: remoteAPI)
    }

    @Test func `the session is read once`() async throws {
        await dataStore.change { $0.session = Fixture.session() }
        #expect(try await repository.readUserSession() == Fixture.session())
        #expect(try await repository.readUserSession() == Fixture.session())
        #expect(await dataStore.reads == 1)
    }

    @Test func `a missing session is read again, because another program may have stored one`() async throws {
        #expect(try await repository.readUserSession() == nil)
        await dataStore.change { $0.session = Fixture.session() }
        #expect(try await repository.readUserSession() == Fixture.session())
    }

    @Test(arguments: [false, true])
    func `a session that is being read does not return after signing out`(_ isReplaced: Bool) async throws {
        let gate = Gate()
        await dataStore.change { ($0.session, $0.gate) = (Fixture.session(), gate) }
        let reading = Task { [repository] in try await repository.readUserSession() }
        await gate.held(1)
        await dataStore.change { $0.gate = nil }
        try await repository.signOut(Fixture.session())
        let next = isReplaced ? try await repository.signIn(bea) : nil
        gate.open()
        #expect(try await reading.value?.remoteSession == next?.remoteSession)
        #expect(try await repository.readUserSession()?.remoteSession == next?.remoteSession)
    }

    @Test func `a session that cannot be read is reported with the error of the store`() async throws {
        let failure = ErrorMessage(title: .sessionUnreadable, message: .sessionUnreadableAdvice)
        await dataStore.change { $0.error = failure }
        await #expect(throws: failure) { _ = try await repository.readUserSession() }
    }

    @Test func `a new session is stored, and kept in memory`() async throws {
        let session = try await repository.signIn(ada)
        #expect(await dataStore.session == session)
        #expect(try await repository.readUserSession() == session)
        #expect(await dataStore.reads == 0)
        let new = try await repository.signUp(
            NewAccount(name: "Bea", email: "bea@example.org", mobileNumber: "", password: Secret("secret")))
        #expect(await dataStore.session == new)
        #expect(try await repository.readUserSession() == new)
    }

    @Test func `a refusal is passed on, and stores nothing`() async throws {
        let refusal = ErrorMessage(title: .signInFailed, message: .wrongCredentials)
        await remoteAPI.fails(with: refusal)
        await #expect(throws: refusal) { _ = try await repository.signIn(ada) }
        await #expect(throws: refusal) {
            _ = try await repository.signUp(
                NewAccount(name: "A", email: "a@b.c", mobileNumber: "", password: Secret("wrong")))
        }
        #expect(await dataStore.session == nil)
        #expect(try await repository.readUserSession() == nil)
    }

    @Test func `a session that cannot be stored is ended, and the sign-in has failed`() async throws {
        await dataStore.change { $0.error = ErrorMessage(title: .sessionNotSaved, message: .deviceStorage) }
        await #expect {
            _ = try await repository.signIn(ada)
        } throws: {
            let error = $0 as? ErrorMessage
            return error?.title == .signInFailed && error?.message == .deviceStorage
        }
        #expect(await remoteAPI.signedOut == ["ses_1"])
    }

    @Test func `renewed tokens are stored before the call that renewed them goes on`() async throws {
        let session = try await repository.signIn(ada)
        let renewed = Fixture.session("access-9", refresh: "refresh-9", expiresIn: 9_000, id: session.id)
        try await remoteAPI.renew(renewed)
        #expect(await dataStore.session == renewed)
    }

    @Test func `signing out deletes the session here, even if the service cannot be reached`() async throws {
        for fails in [false, true] {
            let session = try await repository.signIn(ada)
            if fails { await remoteAPI.fails(with: ErrorMessage(title: .signedOutHereOnly, message: .unreachable)) }
            do {
                try await repository.signOut(session)
                #expect(!fails)
            } catch {
                #expect(fails && error.title == .signedOutHereOnly)
                #expect(error.message == .unreachable)
            }
            #expect(await dataStore.session == nil)
            #expect(try await repository.readUserSession() == nil)
        }
    }

    @Test func `signing out leaves a session that started since`() async throws {
        let first = try await repository.signIn(ada)
        let second = try await repository.signIn(bea)
        try await repository.signOut(first)
        #expect(try await repository.readUserSession() == second)
        #expect(await dataStore.session == second)
    }

    @Test func `the end of a session elsewhere is reported once and deletes it, unlike the end of another`()
        async throws
    {
        let first = try await repository.signIn(ada)
        let second = try await repository.signIn(bea)
        let ended = repository.end(of: first)
        await remoteAPI.end(first)
        #expect(await ended.reduce(0) { count, _ in count + 1 } == 1)
        #expect(try await repository.readUserSession() == second)
        let end = repository.end(of: second)
        await remoteAPI.end(second)
        #expect(await end.reduce(into: []) { $0.append($1.title) } == [.signedOut])
        #expect(try await repository.readUserSession() == nil)
        #expect(await dataStore.session == nil)
    }
}

private actor FakeAuthRemoteAPI: AuthRemoteAPI {
    private var error: ErrorMessage?
    private var count = 0
    private(set) var signedOut: [String] = []
    private var ends: [String: AsyncStream<ErrorMessage>.Continuation] = [:]
    private let writer = Mutex<SessionWriter?>(nil)
    private var ended: Set<String> = []

    func fails(with error: ErrorMessage) { self.error = error }

    /// Renews tokens, and waits for the app to store them, as a call of the SDK does.
    func renew(_ session: UserSession) async throws { try await writer.withLock { $0 }?(session) }
    nonisolated func onRenewal(_ store: @escaping SessionWriter) { writer.withLock { $0 = store } }
    func signIn(_ credentials: Credentials) throws(ErrorMessage) -> UserSession { try startSession() }
    func signUp(_ account: NewAccount) throws(ErrorMessage) -> UserSession { try startSession() }

    func signOut(_ userSession: UserSession) throws(ErrorMessage) {
        signedOut.append(userSession.id)
        if let error { throw error }
    }

    nonisolated func end(of userSession: UserSession) -> AsyncStream<ErrorMessage> {
        AsyncStream { continuation in Task { await watch(userSession, continuation) } }
    }

    func end(_ session: UserSession) {
        ended.insert(session.id)
        ends[session.id]?.yield(ErrorMessage(title: .signedOut, message: .sessionEndedAdvice))
        ends[session.id]?.finish()
    }

    private func watch(_ session: UserSession, _ continuation: AsyncStream<ErrorMessage>.Continuation) {
        ends[session.id] = continuation
        if ended.contains(session.id) { end(session) }
    }

    private func startSession() throws(ErrorMessage) -> UserSession {
        if let error { throw error }
        count += 1
        return Fixture.session("access-\(count)", id: "ses_\(count)")
    }
}

private actor FakeUserSessionDataStore: UserSessionDataStore {
    struct State {
        var session: UserSession?
        var error: ErrorMessage?
        /// Holds reads.
        var gate: Gate?
    }

    private var state = State()
    private(set) var reads = 0

    var session: UserSession? { state.session }
    func change(_ change: @Sendable (inout State) -> Void) { change(&state) }

    func readUserSession() async throws(ErrorMessage) -> UserSession? {
        reads += 1
        if let error = state.error { throw error }
        let session = state.session
        await state.gate?.pass()
        return session
    }

    func save(_ userSession: UserSession) throws(ErrorMessage) {
        if let error = state.error { throw error }
        state.session = userSession
    }

    func delete(_ userSession: UserSession) throws(ErrorMessage) {
        if state.session?.id == userSession.id { state.session = nil }
    }
}

struct SecretTests {
    private static let password = "correct horse"

    private static let holders: [any Sendable] = [
        Secret(password), try? Credentials(email: "a@b.c", password: Secret(password)),
        try? NewAccount(name: "Ada", email: "a@b.c", mobileNumber: "", password: Secret(password)),
        signIn, Intention.signUp(name: "Ada", email: "a@b.c", mobileNumber: "", password: Secret(password)),
        UnofferedIntention(signIn, on: KooberScreen(.welcome)), [signIn],
    ]
    private static let signIn = Intention.signIn(email: "a@b.c", password: Secret(password))

    @Test(arguments: holders.indices)
    func `a description of a password holder does not contain the password`(_ index: Int) {
        let holder = Self.holders[index]
        var dumped = ""
        dump(holder, to: &dumped)
        for text in ["\(holder)", String(reflecting: holder), dumped] {
            #expect(!text.isEmpty && !text.contains(Self.password))
        }
    }
}
