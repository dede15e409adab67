import ClientTesting
import Foundation
import PouchEntities
import PouchNetwork
import PouchService
import PouchTesting
import PouchWire
import Testing

@Suite(.timeLimit(.minutes(5)))
struct SessionRefreshTests {
    private let refreshPath = "/v1/sessions/refresh"
    private let cart = Contract.cart.call()
    private let signIn = Contract.signIn.call(body: Data("{}".utf8))

    private func service(
        over transport: any Transport, _ session: UserSession = Fixture.session()
    ) throws -> (service: APIWrapper, store: MemorySessionStore) {
        let store = MemorySessionStore(Fixture.data(session))
        return (try makeService(over: transport, store: store), store)
    }

    /// Accepts only the token `access-2`, and answers every refresh with it.
    private func answer(_ request: NetworkRequest) -> NetworkResponse {
        if request.url.path() == refreshPath { return .json(Fixture.session("access-2", refresh: "refresh-2")) }
        return request.headers["Authorization"] == "Bearer access-2" ? .text("{}") : .problem(.tokenExpired)
    }

    @Test func `a hundred calls with a refused token wait for one refresh and then succeed`() async throws {
        let refused = Gate()
        let transport = RecordingTransport { [answer] request in
            // All calls are refused at once, so each of them would start a refresh.
            if request.headers["Authorization"] == "Bearer access-1" { await refused.pass() }
            return answer(request)
        }
        let (service, _) = try service(over: transport)
        async let statuses = withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<100 { group.addTask { [cart] in try await service.call(cart).status } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        await refused.held(100)
        refused.open()
        #expect(try await statuses == Array(repeating: 200, count: 100))
        #expect(transport.requests(to: refreshPath).count == 1)
    }

    @Test func `a token that is about to expire is refreshed once, before the calls are sent`() async throws {
        let refresh = Gate()
        let transport = RecordingTransport { [answer, refreshPath] request in
            if request.url.path() == refreshPath { await refresh.pass() }
            return answer(request)
        }
        let (service, store) = try service(over: transport, Fixture.session(expiresIn: 29))
        async let calls: Void = withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<100 { group.addTask { [cart] in _ = try await service.call(cart) } }
            try await group.waitForAll()
        }
        await refresh.held(1)
        refresh.open()
        try await calls
        #expect(transport.requests(to: refreshPath).count == 1)
        #expect(transport.requests(to: "/v1/cart").allSatisfy { $0.headers["Authorization"] == "Bearer access-2" })
        #expect(await store.load() == Fixture.data(Fixture.session("access-2", refresh: "refresh-2")))
    }

    @Test func `a clock that is far ahead does not cause a refresh before every call`() async throws {
        let transport = RecordingTransport { request in
            request.url.path() == "/v1/cart" ? .text("{}") : .json(Fixture.session("access-2", expiresIn: -3600))
        }
        let (service, _) = try service(over: transport, Fixture.session(expiresIn: -3600))
        for _ in 0..<3 { _ = try await service.call(cart) }
        #expect(transport.requests(to: refreshPath).count == 1)
    }

    @Test(arguments: [ProblemCode.tokenReused, .tokenExpired, .unauthenticated])
    func `a refresh that fails permanently ends the session for all, with one notice`(code: ProblemCode) async throws {
        let refused = Gate()
        let transport = StubTransport { [refreshPath] request in
            if request.url.path() == refreshPath { return .problem(code) }
            await refused.pass()
            return .problem(.tokenExpired)
        }
        let (service, store) = try service(over: transport)
        let notifications = Counter()
        service.onSessionEnd { _ in notifications.increment() }
        async let reasons = withTaskGroup(of: ServiceError.Reason?.self) { group in
            for _ in 0..<20 { group.addTask { [cart] in await failureReason { try await service.call(cart) } } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        await refused.held(20)
        refused.open()
        #expect(await reasons == Array(repeating: .sessionEnded, count: 20))
        #expect(notifications.value == 1)
        #expect(await store.load() == nil)
    }

    @Test func `a refresh that fails temporarily keeps the session`() async throws {
        let transport = StubTransport { [refreshPath] request throws(NetworkError) in
            if request.url.path() == refreshPath { throw .unreachable("test") }
            return .problem(.tokenExpired)
        }
        let (service, store) = try service(over: transport)
        let notifications = Counter()
        service.onSessionEnd { _ in notifications.increment() }
        #expect(await failureReason { try await service.call(cart) } == .network(.unreachable("test")))
        #expect(notifications.value == 0)
        #expect(await store.load() != nil)
    }

    @Test func `a token that another process has refreshed is used without another refresh`() async throws {
        let store = MemorySessionStore(Fixture.data(Fixture.session()))
        let transport = RecordingTransport { [answer] request in
            if request.headers["Authorization"] == "Bearer access-1" {
                await store.save(Fixture.data(Fixture.session("access-2", refresh: "refresh-2")))
            }
            return answer(request)
        }
        let service = try makeService(over: transport, store: store)
        #expect(try await service.call(cart).status == 200)
        #expect(transport.requests(to: refreshPath).isEmpty)
    }

    @Test func `a call of one account is not repeated for another`() async throws {
        let held = Gate()
        let transport = RecordingTransport { request in
            if request.url.path() == "/v1/sessions" {
                return .json(Fixture.session("access-9", refresh: "refresh-9", id: "ses_9", account: "acc_9"))
            }
            await held.pass()
            return .problem(.unauthenticated)
        }
        let (service, _) = try service(over: transport)
        let call = Task { try await service.call(Contract.checkout.call(body: Data("{}".utf8))) }
        await held.held(1)
        _ = try await service.call(signIn)
        held.open()
        #expect(await failureReason { try await call.value } == .sessionEnded)
        #expect(transport.requests(to: "/v1/cart/checkout").count == 1)
    }

    @Test func `a wrong password causes no refresh`() async throws {
        let transport = RecordingTransport { _ in .problem(.invalidCredentials) }
        let (service, store) = try service(over: transport, Fixture.session(account: nil))
        let error = await #expect(throws: ServiceError.self) { try await service.call(signIn) }
        #expect(error?.problem?.code == .invalidCredentials)
        #expect(transport.requests.count == 1)
        #expect(await store.load() != nil)
    }

    @Test func `a sign-in sends a guest's token but not a customer's`() async throws {
        for (account, header) in [(nil, "Bearer access-1"), ("acc_1", nil)] as [(String?, String?)] {
            let transport = RecordingTransport { _ in .json(Fixture.session("access-5"), status: 201) }
            let (service, store) = try service(over: transport, Fixture.session(account: account))
            _ = try await service.call(signIn)
            #expect(transport.requests.map { $0.headers["Authorization"] } == [header])
            #expect(await store.load() == Fixture.data(Fixture.session("access-5")))
        }
    }

    @Test func `a sign-in works after the guest's session has ended on the server`() async throws {
        let transport = RecordingTransport { [refreshPath] request in
            if request.url.path() == refreshPath { return .problem(.tokenExpired) }
            return request.headers["Authorization"] == nil
                ? .json(Fixture.session("access-5"), status: 201) : .problem(.unauthenticated)
        }
        let (service, _) = try service(over: transport, Fixture.session(account: nil))
        #expect(try await service.call(signIn).status == 201)
    }

    @Test func `signing out clears the store, and the next call needs a new session`() async throws {
        let (service, store) = try service(over: StubTransport { _ in NetworkResponse(status: 204) })
        _ = try await service.call(Contract.signOut.call())
        #expect(await store.load() == nil)
        #expect(await failureReason { try await service.call(cart) } == .notSignedIn)
    }

    @Test func `a call cancelled while it waits for a refresh ends at once, and the refresh goes on`() async throws {
        let refresh = Gate()
        let transport = RecordingTransport { [answer, refreshPath] request in
            if request.url.path() == refreshPath { await refresh.pass() }
            return answer(request)
        }
        let (service, _) = try service(over: transport)
        let call = Task { [cart] in try await service.call(cart).status }
        await refresh.held(1)
        call.cancel()
        await #expect(throws: ServiceError(.network(.cancelled))) { try await call.value }
        refresh.open()
        #expect(try await service.call(cart).status == 200)
        #expect(transport.requests(to: refreshPath).count == 1)
    }

    @Test func `dumping an answer that is a session does not show its tokens`() async throws {
        let transport = StubTransport { _ in .json(Fixture.session("sssss-token")) }
        let service = try makeService(over: transport, store: MemorySessionStore())
        let text = dumped(try await service.call(Contract.startGuestSession.call()))
        #expect(!text.contains("token"))
        #expect(!text.contains("115\n"), "the letter s as a number")
    }
}
