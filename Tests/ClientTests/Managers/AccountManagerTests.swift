import Foundation
import PouchData
import PouchEntities
import PouchManagers
import PouchNetwork
import PouchService
import PouchWire
import Testing

@Suite(.timeLimit(.minutes(1)))
struct AccountManagerTests {
    @Test func `the session of an earlier run is restored without a request`() async throws {
        let transport = RecordingTransport { _ in .text("{}") }
        let store = MemorySessionStore(Fixture.data(Fixture.session()))
        let managers = try ManagersUnderTest(over: transport, store: store)
        #expect(managers.account.session == nil)
        try await managers.account.restore()
        #expect(managers.account.session?.profile?.name == "Ada")
        #expect(transport.requests.isEmpty)
    }

    @Test func `observers first hear who is signed in, then each change`() async throws {
        let transport = StubTransport { request in
            request.method == "DELETE" ? NetworkResponse(status: 204) : .json(Fixture.session(), status: 201)
        }
        let account = try ManagersUnderTest(over: transport).account
        var sessions = account.sessions().makeAsyncIterator()
        #expect(await sessions.next() == .some(nil))
        try await account.signIn(email: "ada@example.org", password: "12345678")
        #expect(await sessions.next()??.id == "ses_1")
        var late = account.sessions().makeAsyncIterator()
        #expect(await late.next()??.id == "ses_1")
        try await account.signOut()
        #expect(await sessions.next() == .some(nil))
    }

    @Test func `many calls that need somebody start one guest session`() async throws {
        let gate = Gate()
        let transport = RecordingTransport { _ in
            await gate.pass()
            return .json(Fixture.session(account: nil), status: 201)
        }
        let account = try ManagersUnderTest(over: transport).account
        async let sessions = withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<20 { group.addTask { try await account.sessionOrGuest().id } }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        await gate.held(1)
        gate.open()
        #expect(try await sessions == ["ses_1"])
        #expect(transport.requests(to: "/v1/sessions/guest").count == 1)
    }

    @Test func `signing out forgets the session even when the server cannot be told`() async throws {
        let transport = StubTransport { _ throws(NetworkError) in throw .unreachable("test") }
        let store = MemorySessionStore(Fixture.data(Fixture.session()))
        let account = try ManagersUnderTest(over: transport, store: store).account
        await #expect {
            try await account.signOut()
        } throws: {
            ($0 as? DataError)?.reason == .unreachable
        }
        #expect(account.session == nil)
        #expect(await store.load() == nil)
    }

    @Test func `once a call has thrown that the session ended, nobody is signed in`() async throws {
        let transport = StubTransport { _ in .problem(.tokenExpired) }
        let store = MemorySessionStore(Fixture.data(Fixture.session()))
        let account = try ManagersUnderTest(over: transport, store: store).account
        try await account.restore()
        await #expect {
            _ = try await account.profile()
        } throws: {
            ($0 as? DataError)?.reason == .sessionEnded
        }
        #expect(account.session == nil)
    }
}
