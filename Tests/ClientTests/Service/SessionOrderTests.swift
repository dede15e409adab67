import ClientTesting
import Foundation
import PouchData
import PouchEntities
import PouchManagers
import PouchNetwork
import PouchService
import PouchTesting
import PouchWire
import Synchronization
import Testing

/// Refreshing, signing in and signing out at the same time: the last action counts, in memory and in the store.
@Suite(.timeLimit(.minutes(5)))
struct SessionOrderTests {
    private let cart = Contract.cart.call()
    private let signIn = Contract.signIn.call(body: Data("{}".utf8))
    private let ada = Fixture.session()
    private let bea = Fixture.session("access-9", refresh: "refresh-9", id: "ses_9", account: "acc_9")

    /// The answer to Bea's sign-in, to her refresh and to a call, which needs her refreshed token; nil for the refresh of
    /// another session.
    private func answer(_ request: NetworkRequest) -> NetworkResponse? {
        switch (request.url.path(), request.body) {
        case ("/v1/sessions", _): .json(bea, status: 201)
        case ("/v1/sessions/refresh", Data(#"{"refreshToken":"refresh-9"}"#.utf8)):
            .json(Fixture.session("access-10", refresh: "refresh-10", id: "ses_9", account: "acc_9"))
        case ("/v1/sessions/refresh", _): nil
        default: request.headers["Authorization"] == "Bearer access-10" ? .text("{}") : .problem(.tokenExpired)
        }
    }

    /// Waits until the service has the session, and has started the store operation that follows from it.
    private func wait(until session: Data?, isKnownTo service: APIWrapper, with store: GatedSessionStore) async throws {
        var looks = Looks()
        while try await service.storedSession() != session { try await looks.pause() }
        _ = await store.load()
    }

    @Test func `a session that is forgotten while its refresh is being saved does not return`() async throws {
        let saving = Gate()
        let store = GatedSessionStore(Fixture.data(Fixture.session(expiresIn: 29)), saving: saving)
        let transport = RecordingTransport { request throws(NetworkError) in
            guard request.url.path() == "/v1/sessions/refresh" else { throw .unreachable("test") }
            return .json(Fixture.session("access-2", refresh: "refresh-2"))
        }
        let managers = try ManagersUnderTest(over: transport, store: store)
        try await managers.account.restore()
        let call = Task { [cart] in try await managers.service.call(cart) }
        await saving.held(1)
        let signOut = Task { try await managers.account.signOut() }
        try await wait(until: nil, isKnownTo: managers.service, with: store)
        saving.open()
        await #expect(throws: DataError.self) { try await signOut.value }
        #expect(await failureReason { try await call.value } == .sessionEnded)
        #expect(transport.requests(to: "/v1/cart").isEmpty)
        #expect(await store.load() == nil)
    }

    @Test func `the end of a session leaves the one that started while the store was cleared`() async throws {
        let clearing = Gate()
        let store = GatedSessionStore(Fixture.data(Fixture.session(expiresIn: 29)), clearing: clearing)
        let transport = StubTransport { [bea] request in
            request.url.path() == "/v1/sessions" ? .json(bea, status: 201) : .problem(.tokenReused)
        }
        let managers = try ManagersUnderTest(over: transport, store: store)
        try await managers.account.restore()
        let call = Task { [cart] in try await managers.service.call(cart) }
        await clearing.held(1)
        let signIn = Task { try await managers.account.signIn(email: "bea@example.org", password: "12345678") }
        try await wait(until: Fixture.data(bea), isKnownTo: managers.service, with: store)
        clearing.open()
        _ = try await signIn.value
        #expect(await failureReason { try await call.value } == .sessionEnded)
        #expect(await store.load() == Fixture.data(bea))
        #expect(managers.account.session?.id == "ses_9")
    }

    @Test func `a guest's session that is still being saved does not replace that of a sign-in`() async throws {
        let saving = Gate()
        let store = GatedSessionStore(nil, saving: saving)
        let guest = Fixture.session("access-2", refresh: "refresh-2", id: "ses_2", account: nil)
        let transport = StubTransport { [bea] request in
            .json(request.url.path() == "/v1/sessions/guest" ? guest : bea, status: 201)
        }
        let service = try makeService(over: transport, store: store)
        let start = Task { _ = try await service.call(Contract.startGuestSession.call()) }
        await saving.held(1)
        let entry = Task { [signIn] in _ = try await service.call(signIn) }
        try await wait(until: Fixture.data(bea), isKnownTo: service, with: store)
        saving.open()
        try await start.value
        try await entry.value
        #expect(try await service.storedSession() == Fixture.data(bea))
        #expect(await store.load() == Fixture.data(bea))
    }

    @Test(arguments: [nil, NetworkError.unreachable("test")])
    func `a sign-out that is answered or fails late ends only its own session`(failure: NetworkError?) async throws {
        let slow = Gate()
        let transport = StubTransport { [bea] request throws(NetworkError) in
            guard request.method == "DELETE" else { return .json(bea, status: 201) }
            await slow.pass()
            if let failure { throw failure }
            return NetworkResponse(status: 204)
        }
        let store = MemorySessionStore(Fixture.data(ada))
        let account = try ManagersUnderTest(over: transport, store: store).account
        let signOut = Task { try await account.signOut() }
        await slow.held(1)
        try await account.signIn(email: "bea@example.org", password: "12345678")
        slow.open()
        if failure == nil {
            try await signOut.value
        } else {
            await #expect(throws: DataError.self) { try await signOut.value }
        }
        #expect(account.session?.id == "ses_9")
        #expect(await store.load() == Fixture.data(bea))
    }

    @Test func `a new session is refreshed while the refresh of the earlier one is still running`() async throws {
        let slow = Gate()
        let transport = StubTransport { [answer] request in
            if let known = answer(request) { return known }
            await slow.pass()
            return .problem(.unauthenticated)
        }
        let service = try makeService(over: transport, store: MemorySessionStore(Fixture.data(ada)))
        let call = Task { [cart] in try await service.call(cart) }
        await slow.held(1)
        _ = try await service.call(signIn)
        #expect(try await service.call(cart).status == 200)
        slow.open()
        #expect(await failureReason { try await call.value } != nil)
        #expect(try await service.call(cart).status == 200)
    }

    @Test func `a refresh that is answered after another customer signed in changes nothing`() async throws {
        let slow = Gate()
        let transport = StubTransport { [bea] request in
            guard request.url.path() == "/v1/sessions/refresh" else { return .json(bea, status: 201) }
            await slow.pass()
            return .json(Fixture.session("access-2", refresh: "refresh-2"))
        }
        let store = MemorySessionStore(Fixture.data(Fixture.session(expiresIn: 29)))
        let service = try makeService(over: transport, store: store)
        let call = Task { [cart] in try await service.call(cart) }
        await slow.held(1)
        _ = try await service.call(signIn)
        slow.open()
        #expect(await failureReason { try await call.value } == .sessionEnded)
        #expect(try await service.storedSession() == Fixture.data(bea))
        #expect(await store.load() == Fixture.data(bea))
    }

    @Test func `an unsaved session is replaced by its own refresh, not by the store's older one`() async throws {
        let isFull = Mutex(true)
        let transport = StubTransport { [answer] request in answer(request) ?? .problem(.tokenReused) }
        let store = FullSessionStore(Fixture.data(ada)) { isFull.withLock { $0 } }
        let service = try makeService(over: transport, store: store)
        #expect(try await service.storedSession() == Fixture.data(ada))
        let error = await #expect(throws: ServiceError.self) { try await service.call(signIn) }
        if case .storage = error?.reason {} else { Issue.record("\(String(describing: error))") }
        isFull.withLock { $0 = false }
        #expect(try await service.call(cart).status == 200)
        #expect(try await service.owner() == "acc_9")
        #expect(try await service.storedSession() == store.load())
    }
}

/// A session store on a disk that may be full.
actor FullSessionStore: SessionStore {
    private var session: Data?
    private let isFull: @Sendable () -> Bool

    init(_ session: Data? = nil, isFull: @escaping @Sendable () -> Bool = { true }) {
        self.session = session
        self.isFull = isFull
    }

    func load() -> Data? { session }

    func save(_ session: Data) throws {
        guard !isFull() else { throw POSIXError(.ENOSPC) }
        self.session = session
    }

    func clear() { session = nil }
}

/// A session store that cannot be read until it is repaired.
actor BrokenSessionStore: SessionStore {
    private var isBroken = true

    func load() throws -> Data? {
        if isBroken { throw CocoaError(.fileReadNoPermission) }
        return nil
    }
    func save(_ session: Data) {}
    func clear() {}
    func repair() { isBroken = false }
}
