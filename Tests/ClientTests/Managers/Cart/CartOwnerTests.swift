import ClientTesting
import PouchData
import PouchEntities
import PouchManagers
import PouchService
import PouchTesting
import Testing

/// The owner of the cart, and changes of the owner.
@Suite(.timeLimit(.minutes(5)))
struct CartOwnerTests {
    private let shop = TestShop(sellsAnySKU: true)
    private let ada = Shopper.ada.owner
    private let store: MemoryStore

    init() async { store = await MemoryStore.holding("a", "b", "c") }

    @Test func `pending edits of an owner are neither shown to another owner nor sent in another name`() async throws {
        do {
            let managers = try await ManagersUnderTest.opened(over: shop, local: store)
            shop.connection = .down
            try await managers.cart.add(sku: "a")
        }
        shop.connection = .up
        let other = try ManagersUnderTest(over: shop, as: .bea, local: store, clock: ManualClock())
        #expect(try await other.cart.restore() == nil)
        try await other.cart.refresh()
        try await other.cart.sendPending()
        #expect(shop.effects.isEmpty)
        #expect(shop.items(of: Shopper.bea.owner).isEmpty)
        #expect(await store.pendingWrites(of: ada).count == 1)
    }

    @Test func `two processes that start without a session on one store use the session of the first`() async throws {
        let store = MemorySessionStore()
        let processes = try [ManagersUnderTest(over: shop, store: store), ManagersUnderTest(over: shop, store: store)]
        let gate = shop.hold(Contract.startGuestSession)
        async let first = processes[0].cart.add(sku: "a", quantity: 10)
        async let second = processes[1].cart.add(sku: "b")
        await gate.held(2)
        gate.open()
        _ = try await (first, second)
        #expect(Set(processes.map { $0.account.session?.owner }).count == 1)
        #expect(try await processes[1].cart.refresh().quantities.sorted() == ["a 10", "b 1"])
    }

    @Test func `a guest's edits are sent in the guest's name before signing in, and none twice`() async throws {
        let managers = try await ManagersUnderTest.opened(over: shop, as: .guest, local: store)
        shop.connection = .losesAnswers
        try await managers.cart.add(sku: "a")
        try await managers.cart.add(sku: "a")
        shop.connection = .up
        try await managers.data.healthReady()
        try await managers.account.signIn(email: "ada@example.org", password: "12345678")
        try await managers.cart.refresh()
        #expect(shop.effects == ["add a 1", "add a 1"])
        #expect(managers.cart.state?.cart.quantities == ["a 2"])
        #expect(shop.items(of: ada) == ["a 2"])
        #expect(await store.pendingWrites(of: Shopper.guest.owner).isEmpty)
    }

    @Test func `the account adopts a guest's unsent additions, and refuses those possibly executed`() async throws {
        // Edits find a busy shop until the account's session exists.
        shop.answer(Contract.addCartLine) { _ in .problem(.overloaded) }
        let managers = try await ManagersUnderTest.opened(over: shop, as: .guest, local: store)
        try await managers.cart.add(sku: "a")
        try await managers.cart.add(sku: "b", quantity: 2)
        #expect(managers.cart.state?.pendingCount == 2)
        try await managers.account.signIn(email: "ada@example.org", password: "12345678")
        shop.answerItself(Contract.addCartLine)
        try await managers.cart.sendPending()
        #expect(shop.effects == ["add b 2"])
        #expect(shop.items(of: ada) == ["b 2"])
        let refusal = await managers.cart.nextRefusal()
        #expect(refusal?.edit == .add(sku: "a", quantity: 1) && refusal?.reason == .outcomeUnknown)
    }

    @Test func `a guest's pending edits are refused when the session ends`() async throws {
        let managers = try await ManagersUnderTest.opened(over: shop, as: .guest, local: store)
        shop.connection = .down
        _ = try? await managers.cart.refresh()
        try await managers.cart.add(sku: "a")
        #expect(managers.cart.state?.pendingCount == 1)
        shop.failNext(Contract.orders, with: .problem(.tokenExpired))
        shop.failNext(Contract.refreshSession, with: .problem(.tokenExpired))
        await #expect(throws: DataError.self) { try await managers.orders.orders() }
        let refusal = await managers.cart.nextRefusal()
        #expect(refusal?.edit == .add(sku: "a", quantity: 1) && refusal?.reason == .sessionEnded)
    }

    @Test func `signing out removes the stored data of the owner`() async throws {
        let managers = try ManagersUnderTest(over: shop, as: .ada, local: store, clock: ManualClock())
        try await managers.cart.add(sku: "a")
        #expect(await store.cart(of: ada) != nil)
        shop.connection = .down
        try await managers.cart.add(sku: "a")
        await #expect(throws: DataError.self) { try await managers.account.signOut() }
        #expect(await store.cart(of: ada) == nil)
        #expect(await store.pendingWrites(of: ada).isEmpty)
        #expect(managers.cart.state == nil)
    }

    @Test func `undelivered updates about an account's cart are dropped at the next session`() async throws {
        let managers = try ManagersUnderTest(over: shop, as: .ada, local: store, clock: ManualClock())
        for sku in ["a", "b"] {
            try await managers.cart.refresh()
            shop.connection = .down
            try await managers.cart.add(sku: sku, quantity: 5)
            shop.setStock(sku, 2)
            shop.connection = .up
            try await managers.cart.sendPending()
            if sku == "a" { try await managers.account.signOut() }
        }
        #expect(await managers.cart.nextRefusal()?.edit == .add(sku: "b", quantity: 5))
    }

    @Test func `a cart that is read during a sign-in is not stored as the guest's`() async throws {
        let saving = Gate()
        let store = MemoryStore()
        let managers = try ManagersUnderTest(
            over: shop, store: GatedSessionStore(Fixture.data(Shopper.guest.session), saving: saving), local: store,
            clock: ManualClock())
        try await managers.cart.refresh()
        async let session = managers.account.signIn(email: "ada@example.org", password: "12345678")
        await saving.held(1)
        // Requests have the account's token already.
        _ = try? await managers.cart.refresh()
        #expect(managers.cart.state?.cart.id == "crt_" + Shopper.guest.owner)
        #expect(await store.cart(of: Shopper.guest.owner) == nil)
        saving.open()
        _ = try await session
        #expect(try await managers.cart.refresh().id == "crt_" + ada)
    }

    // MARK: Without a session

    @Test func `a cart filled offline without a session becomes a guest's when the server is back`() async throws {
        let clock = ManualClock()
        let managers = try ManagersUnderTest(over: shop, local: store, clock: clock)
        shop.connection = .down
        try await managers.cart.add(sku: "a", quantity: 2)
        try await managers.cart.add(sku: "b")
        try await managers.cart.set(sku: "a", quantity: 3)
        #expect(try await managers.cart.remove(sku: "b").quantities == ["a 3"])
        #expect(managers.cart.state?.pendingCount == 1)
        #expect(managers.account.session == nil)
        shop.connection = .up
        clock.run()
        #expect(await managers.cart.state { $0.cart.id != "" && $0.isConfirmed }?.cart.quantities == ["a 3"])
        #expect(shop.effects == ["add a 3"])
        #expect(shop.items(of: Shopper.guest.owner) == ["a 3"])
        #expect(managers.account.session?.kind == .guest)
        #expect(await store.pendingWrites(of: UserSession.signedOutOwner).isEmpty)
    }

    @Test func `signed-out edits outlive the process, and the account that signs in adopts them`() async throws {
        shop.change { $0.carts[ada] = [.init(sku: "b", quantity: 4)] }
        shop.connection = .down
        do {
            let managers = try ManagersUnderTest(over: shop, local: store, clock: ManualClock())
            try await managers.cart.add(sku: "a", quantity: 2)
            try await managers.cart.add(sku: "b", quantity: 3)
            try await managers.cart.add(sku: "c")
            try await managers.cart.set(sku: "b", quantity: 1)
            try await managers.cart.remove(sku: "c")
        }
        let managers = try ManagersUnderTest(over: shop, local: store, clock: ManualClock())
        let restored = try await managers.cart.restore()
        #expect(restored?.cart.quantities == ["a 2", "b 1"] && restored?.pendingCount == 2)
        // Otherwise a guest would get the edits, and the account the guest's cart.
        shop.answer(Contract.startGuestSession) { _ in .problem(.internalError) }
        shop.connection = .up
        try await managers.account.signIn(email: "ada@example.org", password: "12345678")
        try await managers.cart.sendPending()
        #expect(shop.effects == ["add a 2", "add b 1"])
        #expect(shop.items(of: ada) == ["b 5", "a 2"])
        #expect(await store.pendingWrites(of: UserSession.signedOutOwner).isEmpty)
    }

    @Test func `a process that ends before it stores its session leaves signed-out edits to the next`() async throws {
        shop.connection = .down
        do {
            try await ManagersUnderTest(over: shop, local: store, clock: ManualClock()).cart.add(sku: "a", quantity: 2)
        }
        shop.connection = .up
        let saving = Gate()
        let ending = try ManagersUnderTest(
            over: shop, store: GatedSessionStore(nil, saving: saving), local: store, clock: ManualClock())
        async let session = ending.account.sessionOrGuest()
        await saving.held(1)
        #expect(await store.pendingWrites(of: UserSession.signedOutOwner).count == 1)
        // The session was stored, and the edits were not handed over.
        let next = try ManagersUnderTest(over: shop, as: .guest, local: store)
        try await next.cart.sendPending()
        #expect(shop.items(of: Shopper.guest.owner) == ["a 2"])
        #expect(await store.pendingWrites(of: UserSession.signedOutOwner).isEmpty)
        saving.open()
        _ = try await session
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `an edit during a sign-in is executed once, or fails`(_ kind: StoreUnderTest) async throws {
        for round in 0..<60 {
            let shop = TestShop(sellsAnySKU: true)
            let folder = try TemporaryFolder()
            defer { withExtendedLifetime(folder) {} }
            let store = try await kind.make(in: folder)
            try await store.merge([Fixture.product(sku: "a")])
            let managers = try ManagersUnderTest(over: shop, local: store, clock: ManualClock())
            shop.connection = .down
            try await managers.cart.add(sku: "a", quantity: 2)
            shop.answer(Contract.startGuestSession) { _ in .problem(.internalError) }
            shop.connection = .up
            async let session = managers.account.signIn(email: "ada@example.org", password: "12345678")
            for _ in 0..<round { await Task.yield() }
            let isDone = (try? await managers.cart.set(sku: "a", quantity: 3)) != nil
            _ = try await session
            try await managers.cart.refresh()
            #expect(shop.items(of: ada) == [isDone ? "a 3" : "a 2"])
            #expect(managers.cart.state?.pendingCount == 0)
            #expect(try await store.pendingWrites(of: UserSession.signedOutOwner).isEmpty)
        }
    }

    @Test func `a guest's refused edits are published after a sign-in, even before the cart was read`() async throws {
        shop.change { $0.carts[Shopper.guest.owner] = [.init(sku: "a", quantity: 2)] }
        do {
            let managers = try ManagersUnderTest(over: shop, as: .guest, local: store)
            try await managers.cart.refresh()
            shop.connection = .down
            try await managers.cart.set(sku: "a", quantity: 1)
        }
        let managers = try ManagersUnderTest(over: shop, as: .guest, local: store)
        shop.answer(Contract.setCartLine) { _ in .problem(.internalError) }
        shop.connection = .up
        try await managers.account.signIn(email: "ada@example.org", password: "12345678")
        #expect(await managers.cart.nextRefusal()?.edit == .set(sku: "a", quantity: 1))
    }
}
