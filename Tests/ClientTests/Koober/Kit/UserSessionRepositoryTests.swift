import Foundation
import KooberKit
import KooberScenarios
import KooberScreens
import PouchEntities
import PouchTesting
import Testing

@Suite(.timeLimit(.minutes(1)))
struct KooberUserSessionRepositoryTests {
    private let remoteAPI = FakeAuthRemoteAPI()
    private let dataStore = FakeUserSessionDataStore()
    private let repository: KooberUserSessionRepository

    init() {
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
        await dataStore.change { $0.session = Fixture.session() }
        let gate = Gate()
        await dataStore.change { $0.gate = gate }
        let reading = Task { [repository] in try await repository.readUserSession() }
        await gate.held(1)
        await dataStore.change { $0.gate = nil }
        try await repository.signOut(userSession: Fixture.session())
        let next =
            isReplaced ? try await repository.signIn(email: "bea@example.org", password: Secret("correct")) : nil
        gate.open()
        #expect(try await reading.value?.remoteSession == next?.remoteSession)
        #expect(try await repository.readUserSession()?.remoteSession == next?.remoteSession)
    }

    @Test func `an unreadable session is reported without its content`() async throws {
        await dataStore.change { $0.error = FakeError(errorDescription: "access-1") }
        await #expect {
            _ = try await repository.readUserSession()
        } throws: { error in
            (error as? ErrorMessage)?.title == "Your session cannot be read" && !"\(error)".contains("access-1")
        }
    }

    @Test func `a new session is stored, and kept in memory`() async throws {
        let session = try await repository.signIn(email: "ada@example.org", password: Secret("correct"))
        #expect(await dataStore.session == session)
        #expect(try await repository.readUserSession() == session)
        #expect(await dataStore.reads == 0)
        let new = try await repository.signUp(
            newAccount: NewAccount(name: "Bea", email: "bea@example.org", mobileNumber: "", password: Secret("secret")))
        #expect(await dataStore.session == new)
        #expect(try await repository.readUserSession() == new)
    }

    @Test func `a refusal says what failed and why, and stores nothing`() async throws {
        await remoteAPI.change {
            $0.error = FakeError(errorDescription: "It is wrong.", recoverySuggestion: "Try again.")
        }
        await #expect {
            _ = try await repository.signIn(email: "ada@example.org", password: Secret("wrong"))
        } throws: {
            let error = $0 as? ErrorMessage
            return error?.title == "Sign-in failed" && error?.message == "It is wrong. Try again."
        }
        await #expect {
            _ = try await repository.signUp(
                newAccount: NewAccount(name: "A", email: "a@b.c", mobileNumber: "", password: Secret("wrong")))
        } throws: {
            ($0 as? ErrorMessage)?.title == "Sign-up failed"
        }
        #expect(await dataStore.session == nil)
        #expect(try await repository.readUserSession() == nil)
    }

    @Test func `a session that cannot be stored is ended`() async throws {
        await dataStore.change { $0.error = FakeError(errorDescription: "The disk is full.") }
        await #expect {
            _ = try await repository.signIn(email: "ada@example.org", password: Secret("correct"))
        } throws: {
            ($0 as? ErrorMessage)?.message == "The disk is full."
        }
        #expect(await remoteAPI.signedOut == ["ses_1"])
    }

    @Test func `signing out deletes the session here, even if the service cannot be reached`() async throws {
        for fails in [false, true] {
            let session = try await repository.signIn(email: "ada@example.org", password: Secret("correct"))
            if fails { await remoteAPI.change { $0.error = FakeError(errorDescription: "No connection.") } }
            do {
                try await repository.signOut(userSession: session)
                #expect(!fails)
            } catch {
                #expect(fails)
                #expect(error.title == "Signed out on this device only")
                #expect(error.message == "No connection.")
            }
            #expect(await dataStore.session == nil)
            #expect(try await repository.readUserSession() == nil)
        }
    }

    @Test func `signing out leaves a session that started since`() async throws {
        let first = try await repository.signIn(email: "ada@example.org", password: Secret("correct"))
        let second = try await repository.signIn(email: "bea@example.org", password: Secret("correct"))
        try await repository.signOut(userSession: first)
        #expect(try await repository.readUserSession() == second)
        #expect(await dataStore.session == second)
    }

    @Test func `the end of a session elsewhere is reported once and deletes it, unlike the end of another`()
        async throws
    {
        let first = try await repository.signIn(email: "ada@example.org", password: Secret("correct"))
        let second = try await repository.signIn(email: "bea@example.org", password: Secret("correct"))
        let ended = repository.end(of: first)
        await remoteAPI.end(first)
        #expect(await ended.reduce(0) { count, _ in count + 1 } == 1)
        #expect(try await repository.readUserSession() == second)
        let end = repository.end(of: second)
        await remoteAPI.end(second)
        #expect(await end.reduce(into: []) { $0.append($1.title) } == ["You were signed out"])
        #expect(try await repository.readUserSession() == nil)
        #expect(await dataStore.session == nil)
    }
}

struct FakeError: LocalizedError {
    var errorDescription: String?
    var recoverySuggestion: String?
}

private actor FakeAuthRemoteAPI: AuthRemoteAPI {
    struct State {
        var error: FakeError?
    }

    private var state = State()
    private var count = 0
    private(set) var signedOut: [String] = []
    private var ends: [String: AsyncStream<Void>.Continuation] = [:]
    private var ended: Set<String> = []

    func change(_ change: @Sendable (inout State) -> Void) { change(&state) }

    func signIn(email: String, password: Secret) throws -> UserSession { try startSession() }
    func signUp(account: NewAccount) throws -> UserSession { try startSession() }

    func signOut(userSession: UserSession) throws {
        signedOut.append(userSession.id)
        if let error = state.error { throw error }
    }

    nonisolated func end(of userSession: UserSession) -> AsyncStream<Void> {
        AsyncStream { continuation in Task { await watch(userSession, continuation) } }
    }

    func end(_ session: UserSession) {
        ended.insert(session.id)
        ends[session.id]?.yield()
        ends[session.id]?.finish()
    }

    private func watch(_ session: UserSession, _ continuation: AsyncStream<Void>.Continuation) {
        ends[session.id] = continuation
        if ended.contains(session.id) { end(session) }
    }

    private func startSession() throws -> UserSession {
        if let error = state.error { throw error }
        count += 1
        return Fixture.session("access-\(count)", id: "ses_\(count)")
    }
}

private actor FakeUserSessionDataStore: UserSessionDataStore {
    struct State {
        var session: UserSession?
        var error: FakeError?
        /// Holds reads.
        var gate: Gate?
    }

    private var state = State()
    private(set) var reads = 0

    var session: UserSession? { state.session }

    func change(_ change: @Sendable (inout State) -> Void) { change(&state) }

    func readUserSession() async throws -> UserSession? {
        reads += 1
        if let error = state.error { throw error }
        let session = state.session
        await state.gate?.pass()
        return session
    }

    func save(userSession: UserSession) throws {
        if let error = state.error { throw error }
        state.session = userSession
    }

    func delete(userSession: UserSession) throws {
        if state.session?.id == userSession.id { state.session = nil }
    }
}

struct SecretTests {
    private static let password = "correct horse"

    private static let holders: [any Sendable] = [
        Secret(password), NewAccount(name: "Ada", email: "a@b.c", mobileNumber: "", password: Secret(password)),
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
            #expect(!text.isEmpty)
            #expect(!text.contains(Self.password))
        }
    }
}
