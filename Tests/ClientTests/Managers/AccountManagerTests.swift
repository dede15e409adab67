import ClientTesting
import Foundation
import PouchData
import PouchEntities
import PouchManagers
import PouchNetwork
import PouchService
import PouchTesting
import Testing

@Suite(.timeLimit(.minutes(5)))
struct AccountManagerTests {
    private let shop = TestShop(sellsAnySKU: true)
    private let stored = MemorySessionStore(Fixture.data(Fixture.session()))

    /// Ada's session, as an earlier run stored it.
    private func signedIn(over transport: any Transport) throws -> AccountManager {
        try ManagersUnderTest(over: transport, store: stored).account
    }

    /// The first session's token has expired, and a sign-in starts another session.
    private let signInOnly = StubTransport { request in
        request.url.path() == "/v1/sessions"
            ? .json(Fixture.session("access-9", refresh: "refresh-9", id: "ses_9"), status: 201)
            : .problem(.tokenExpired)
    }

    @Test func `the session of an earlier run is restored without a request`() async throws {
        let account = try signedIn(over: shop)
        #expect(account.session == nil)
        try await account.restore()
        #expect(account.session?.profile?.name == "Ada")
        #expect(shop.requests.isEmpty)
    }

    @Test func `subscribers get the current session, then each change`() async throws {
        let account = try ManagersUnderTest(over: shop).account
        var sessions = account.sessions().makeAsyncIterator()
        #expect(await sessions.next() == .some(nil))
        try await account.signIn(email: "ada@example.org", password: "12345678")
        #expect(await sessions.next()??.owner == Shopper.ada.owner)
        var late = account.sessions().makeAsyncIterator()
        #expect(await late.next()??.owner == Shopper.ada.owner)
        try await account.signOut()
        #expect(await sessions.next() == .some(nil))
    }

    @Test func `many calls that need a session start one guest session`() async throws {
        let gate = shop.hold(Contract.startGuestSession)
        let account = try ManagersUnderTest(over: shop).account
        async let sessions = withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<20 { group.addTask { try await account.sessionOrGuest().id } }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        await gate.held(1)
        gate.open()
        #expect(try await sessions == [Shopper.guest.owner])
        #expect(shop.requests(to: Contract.startGuestSession).count == 1)
    }

    @Test func `no guest session starts during a sign-in, whose session it would replace`() async throws {
        let gate = shop.hold(Contract.signIn)
        let account = try ManagersUnderTest(over: shop).account
        async let signedIn = account.signIn(email: "ada@example.org", password: "12345678")
        await gate.held(1)
        let executor = SteppedExecutor()
        let guest = Task(executorPreference: executor) { try await account.sessionOrGuest() }
        await executor.settle()
        gate.open()
        #expect(try await (signedIn.profile?.name, guest.value.profile?.name) == ("Ada", "Ada"))
        #expect(shop.requests(to: Contract.startGuestSession).isEmpty)
    }

    @Test func `a sign-in can be cancelled, and its waiting callers continue`() async throws {
        let gate = shop.hold(Contract.signIn)
        let account = try ManagersUnderTest(over: shop).account
        let signIn = Task { try await account.signIn(email: "ada@example.org", password: "12345678") }
        await gate.held(1)
        async let guest = account.sessionOrGuest()
        signIn.cancel()
        #expect(await thrownReason { try await signIn.value } == .cancelled)
        #expect(try await guest.kind == .guest)
    }

    @Test func `signing out removes the session even if the server is unreachable`() async throws {
        let transport = StubTransport { _ throws(NetworkError) in throw .unreachable("test") }
        let account = try signedIn(over: transport)
        #expect(await thrownReason { try await account.signOut() } == .unreachable)
        #expect(account.session == nil)
        #expect(await stored.load() == nil)
    }

    @Test func `a session that the server ended is reported as lost, one that was ended here is not`() async throws {
        let account = try signedIn(over: signInOnly)
        var lost = account.lostSessions().makeAsyncIterator()
        // The server reports that the session had ended already.
        try await account.signOut()
        try await account.signIn(email: "ada@example.org", password: "12345678")
        await #expect(throws: DataError.self) { try await account.profile() }
        #expect(await lost.next()?.id == "ses_9")
    }

    @Test func `a session that survived a refused deletion of the account can be lost`() async throws {
        let transport = StubTransport { request in
            request.method == "DELETE" ? .problem(.invalidCredentials) : .problem(.tokenExpired)
        }
        let account = try signedIn(over: transport)
        await #expect(throws: DataError.self) { try await account.deleteAccount(password: "wrong") }
        await #expect(throws: DataError.self) { try await account.profile() }
        var lost = account.lostSessions().makeAsyncIterator()
        #expect(await lost.next()?.id == "ses_1")
    }

    @Test func `the end of another session does not end the known one`() async throws {
        let service = try makeService(over: signInOnly, store: stored)
        let account = AccountManager(data: DataManager(service: service))
        try await account.restore()
        // Ends a session that the manager does not know.
        _ = try await service.call(Contract.signIn.call(body: Data("{}".utf8)))
        await #expect(throws: ServiceError.self) { _ = try await service.call(Contract.cart.call()) }
        #expect(account.session?.id == "ses_1")
    }

    @Test func `a session that another process stored replaces the guest's`() async throws {
        let store = MemorySessionStore(Fixture.data(Fixture.session(account: nil)))
        let other = Fixture.session("access-9", refresh: "refresh-9", id: "ses_9", account: "acc_9")
        let transport = StubTransport { request in
            if request.headers["Authorization"] == "Bearer access-9" { return .json(Fixture.cart()) }
            await store.save(Fixture.data(other))
            return .problem(.unauthenticated)
        }
        let managers = try ManagersUnderTest(over: transport, store: store)
        // A request of the guest does not get the account's cart.
        #expect(await thrownReason { try await managers.cart.refresh() } == .sessionEnded)
        #expect(try await managers.account.restore()?.id == "ses_9")
        try await managers.cart.refresh()
        #expect(managers.cart.state != nil)
    }

    @Test func `the server's profile becomes the session's`() async throws {
        let transport = StubTransport { _ in .json(Profile(id: "acc_1", name: "Ada L.", email: "ada@example.org")) }
        let account = try signedIn(over: transport)
        #expect(try await account.profile().name == "Ada L.")
        #expect(account.session?.profile?.name == "Ada L.")
    }

    @Test func `a profile that arrives after another sign-in does not change the new session`() async throws {
        let slow = shop.hold(Contract.profile)
        let account = try ManagersUnderTest(over: shop, as: .ada).account
        async let profile = account.profile()
        await slow.held(1)
        try await account.signIn(email: "bea@example.org", password: "12345678")
        slow.open()
        #expect(try await profile.id == Shopper.ada.owner)
        #expect(account.session?.owner == Shopper.bea.owner)
    }

    @Test func `a changed profile is in the session at once, and changing it without a session fails`() async throws {
        let changed = Profile(id: "acc_1", name: "Ada L.", email: "ada@example.org")
        let transport = RecordingTransport { _ in .json(changed) }
        let account = try signedIn(over: transport)
        try await account.updateProfile(name: "Ada L.", mobileNumber: "")
        #expect(account.session?.profile == changed)
        #expect(transport.requests.first?.bodyText == #"{"mobileNumber":null,"name":"Ada L."}"#)
        let signedOut = try ManagersUnderTest(over: transport).account
        #expect(await thrownReason { try await signedOut.updateProfile(name: "x") } == .notSignedIn)
    }

    @Test func `the address book is read, extended, changed and cleared`() async throws {
        let address = Address.sample(id: "adr_1")
        shop.change { $0.addresses[Shopper.ada.owner] = [address] }
        let account = try ManagersUnderTest(over: shop, as: .ada).account
        #expect(try await account.addresses() == [address])
        #expect(try await account.addAddress(address).id == "adr_2")
        #expect(try await account.updateAddress(id: "adr_1", to: address) == address)
        try await account.removeAddress(id: "adr_1")
        try await account.changePassword(from: "12345678", to: "87654321")
        #expect(
            shop.requests.map { "\($0.method) \($0.url.path())" } == [
                "GET /v1/account/addresses", "POST /v1/account/addresses", "PATCH /v1/account/addresses/adr_1",
                "DELETE /v1/account/addresses/adr_1", "PUT /v1/account/password",
            ])
    }

    @Test func `a known address is not added again, but gets a new location`() async throws {
        let known = Address.sample(id: "adr_1")
        let located = Address(
            name: "Ada", line1: "1 Main Rd", city: "Perth", postalCode: "6000", country: "AU",
            location: RideWaypoints.sample().pickupLocation)
        let transport = RecordingTransport { $0.method == "GET" ? .json(Page(items: [known])) : .json(known) }
        let account = try signedIn(over: transport)
        try await account.rememberAddress(known)
        #expect(transport.requests.map(\.method) == ["GET"])
        try await account.rememberAddress(located)
        #expect(transport.requests.map(\.method) == ["GET", "GET", "PATCH"])
        #expect(transport.requests.last?.url.path() == "/v1/account/addresses/adr_1")
        #expect(transport.requests.last?.bodyText.contains("-33.861") == true)
    }

    @Test func `an account is deleted with its session and all data; a wrong password does nothing`() async throws {
        let transport = StubTransport { request in
            request.body == Data(#"{"password":"12345678"}"#.utf8)
                ? NetworkResponse(status: 204) : .problem(.invalidCredentials)
        }
        let store = MemoryStore()
        await store.save([Fixture.order()], of: "acc_1")
        let account = try ManagersUnderTest(over: transport, store: stored, local: store).account
        let error = await #expect(throws: DataError.self) { try await account.deleteAccount(password: "wrong") }
        #expect(error?.reason == .wrongPassword && error?.errorDescription == "The current password is wrong.")
        #expect(account.session != nil)
        #expect(await store.order(id: "ord_1", of: "acc_1") != nil)
        try await account.deleteAccount(password: "12345678")
        #expect(account.session == nil)
        #expect(await stored.load() == nil)
        #expect(await store.order(id: "ord_1", of: "acc_1") == nil)
    }

    @Test func `a session that ends during many calls is reported once, and its data is kept`() async throws {
        let transport = StubTransport { _ in .problem(.tokenExpired) }
        let store = MemoryStore()
        await store.save([Fixture.order()], of: "acc_1")
        let managers = try ManagersUnderTest(over: transport, store: stored, local: store)
        try await managers.account.restore()
        let reported = Counter()
        managers.data.onSessionEnd { [account = managers.account] id in
            reported.increment()
            #expect(account.session?.id == id)
        }
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<50 { group.addTask { _ = try? await managers.orders.orders() } }
        }
        #expect(reported.value == 1)
        #expect(await store.order(id: "ord_1", of: "acc_1") != nil)
    }

    @Test func `the data of a guest whose session has ended is removed`() async throws {
        let transport = StubTransport { _ in .problem(.tokenExpired) }
        let store = MemoryStore()
        await store.save([Fixture.order()], of: Shopper.guest.owner)
        let managers = try ManagersUnderTest(over: transport, as: .guest, local: store)
        try await managers.account.restore()
        await #expect(throws: DataError.self) { try await managers.orders.orders() }
        #expect(managers.account.session == nil)
        #expect(await store.order(id: "ord_1", of: Shopper.guest.owner) == nil)
    }

    @Test func `a cancelled caller stops waiting for a guest session, and leaves it to the others`() async throws {
        let gate = shop.hold(Contract.startGuestSession)
        let account = try ManagersUnderTest(over: shop).account
        async let session = account.sessionOrGuest()
        await gate.held(1)
        let executor = SteppedExecutor()
        let other = Task(executorPreference: executor) { try await account.sessionOrGuest() }
        await executor.settle()
        other.cancel()
        #expect(await thrownReason { try await other.value } == .cancelled)
        gate.open()
        #expect(try await session.kind == .guest)
        #expect(shop.requests.count == 1)
    }

    @Test func `a session that cannot be stored is an error, and stays in use until the process ends`() async throws {
        let managers = try ManagersUnderTest(over: shop, store: FullSessionStore())
        let account = managers.account
        let reason = await thrownReason { try await account.signIn(email: "ada@example.org", password: "12345678") }
        #expect(reason == .sessionStorage && account.session?.owner == Shopper.ada.owner)
        try await managers.cart.add(sku: "a")
        #expect(shop.items(of: Shopper.ada.owner) == ["a 1"])
    }

    @Test func `on a device that cannot store a session, a guest stays the same guest`() async throws {
        let managers = try ManagersUnderTest(over: shop, store: FullSessionStore())
        for _ in 0..<2 { try await managers.cart.add(sku: "a") }
        #expect(shop.requests.count { $0.url.path() == "/v1/sessions/guest" } == 1)
        #expect(shop.items(of: Shopper.guest.owner) == ["a 2"])
    }

    @Test func `an unreadable stored session is reported once to one subscriber, and read later`() async throws {
        let store = BrokenSessionStore()
        let account = try ManagersUnderTest(over: TestShop(), store: store).account
        for _ in 0..<2 { await #expect(throws: DataError.self) { try await account.restore() } }
        let subscribers = (0..<2).map { _ in
            Task { [errors = account.unreadableSessions()] in await errors.reduce(into: []) { $0.append($1.reason) } }
        }
        await #expect(throws: DataError.self) { try await account.restore() }
        await store.repair()
        #expect(try await account.restore() == nil)
        for subscriber in subscribers { subscriber.cancel() }
        #expect(await subscribers[0].value + subscribers[1].value == [.sessionStorage])
    }
}
