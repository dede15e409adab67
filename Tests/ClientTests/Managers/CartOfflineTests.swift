import Foundation
import PouchData
import PouchEntities
import PouchManagers
import PouchNetwork
import PouchPersistence
import PouchWire
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(1)))
struct CartOfflineTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private let shop = StubShop()
    private let ada = Shopper.ada.owner

    private func store(_ products: [Product] = []) async throws -> MemoryStore {
        let store = MemoryStore()
        await store.merge(products)
        return store
    }

    /// The first state that the condition holds for.
    private func state(of cart: CartManager, where condition: (CartState) -> Bool) async -> CartState? {
        for await state in cart.states() {
            if let state, condition(state) { return state }
        }
        return nil
    }

    private func quantities(_ cart: Cart?) -> [String] {
        (cart?.lines ?? []).map { "\($0.sku) \($0.quantity)" }
    }

    // MARK: Without the server

    @Test func `an edit that cannot reach the server is shown at once as not confirmed, with estimated totals`()
        async throws
    {
        let managers = try ManagersUnderTest(
            over: shop, as: .ada, local: try await store([Fixture.product(sku: "b", price: 250)]), clock: ManualClock()
        )
        try await managers.cart.add(sku: "a", quantity: 2)
        #expect(managers.cart.state?.isConfirmed == true)
        shop.line = .down
        let shown = try await managers.cart.add(sku: "b", quantity: 3)
        #expect(quantities(shown) == ["a 2", "b 3"])
        #expect(shown.totals.total == Fixture.euros(2750))
        #expect(shown == managers.cart.cart)
        let state = try #require(managers.cart.state)
        #expect(state.pendingCount == 1 && !state.isConfirmed)
        _ = try await managers.cart.set(sku: "a", quantity: 1)
        let left = try await managers.cart.remove(sku: "b")
        #expect(quantities(left) == ["a 1"])
        #expect(left.totals.total == Fixture.euros(1000))
        #expect(managers.cart.state?.pendingCount == 3)
        #expect(shop.effects == ["add a 2"])
    }

    @Test func `what cannot be shown without the server fails, and is not sent later`() async throws {
        let store = try await store()
        let managers = try ManagersUnderTest(over: shop, as: .ada, local: store, clock: ManualClock())
        try await managers.cart.refresh()
        shop.line = .down
        // Now it is known that the server is away, so that nothing is sent.
        _ = try? await managers.cart.refresh()
        for edit in 0..<3 {
            let error = await #expect(throws: DataError.self) {
                switch edit {
                case 0: try await managers.cart.add(sku: "unknown")
                case 1: try await managers.cart.set(sku: "unknown", quantity: 2)
                default: try await managers.cart.setDiscount(code: "SPRING")
                }
            }
            #expect(error?.reason == .unreachable)
        }
        #expect(await store.pendingWrites(of: ada).isEmpty)
        #expect(managers.cart.state?.isConfirmed == true)
    }

    @Test func `what was sent stays pending although it cannot be shown, and is done once`() async throws {
        let managers = try ManagersUnderTest(over: shop, as: .ada, local: try await store(), clock: ManualClock())
        shop.line = .losesAnswers
        await #expect(throws: DataError.self) { try await managers.cart.add(sku: "unknown") }
        #expect(shop.effects.isEmpty)
        shop.line = .up
        try await managers.cart.refresh()
        shop.line = .losesAnswers
        #expect(try await managers.cart.add(sku: "unknown", quantity: 2).lines.isEmpty)
        #expect(managers.cart.state?.pendingCount == 1)
        shop.line = .up
        #expect(quantities(try await managers.cart.refresh()) == ["unknown 2"])
        #expect(shop.effects == ["add unknown 2"])
        #expect(managers.cart.state?.isConfirmed == true)
    }

    @Test(arguments: [0, -1, 1000, Int.max])
    func `a quantity that no cart can have is refused without the server as with it`(_ quantity: Int) async throws {
        let managers = try ManagersUnderTest(
            over: shop, as: .ada, local: try await store([Fixture.product(sku: "a")]), clock: ManualClock())
        try await managers.cart.add(sku: "a")
        shop.line = .down
        let error = await #expect(throws: DataError.self) { try await managers.cart.add(sku: "a", quantity: quantity) }
        guard case .validation(let fields)? = error?.reason else { throw CocoaError(.coderInvalidValue) }
        #expect(fields.map(\.field) == ["quantity"])
        #expect(quantities(managers.cart.cart) == ["a 1"])
    }

    @Test func `totals that do not fit are an error, not a wrong sum`() async throws {
        let dear = Fixture.product(sku: "dear", price: Int64.max / 2)
        let managers = try ManagersUnderTest(
            over: shop, as: .ada, local: try await store([dear]), clock: ManualClock())
        try await managers.cart.refresh()
        shop.line = .down
        try await managers.cart.add(sku: "dear", quantity: 2)
        await #expect(throws: DataError.self) { try await managers.cart.add(sku: "dear") }
        #expect(quantities(managers.cart.cart) == ["dear 2"])
    }

    /// A defect of the system that this one comes from: removing ignored the size and took the first match, and adding twice
    /// made two lines.
    @Test func `removing takes the line of that very SKU, and adding twice makes one line`() async throws {
        let shirt = Product(
            id: "prd_s", handle: "s", name: "S", category: "c", tags: [], price: Fixture.euros(1), options: [],
            images: [],
            updatedAt: Fixture.now,
            variants: ["s-S", "s-M"].map { Variant(sku: $0, options: [:], price: Fixture.euros(1), available: 1) })
        let managers = try ManagersUnderTest(
            over: shop, as: .ada, local: try await store([shirt]), clock: ManualClock())
        try await managers.cart.refresh()
        shop.line = .down
        try await managers.cart.add(sku: "s-S")
        try await managers.cart.add(sku: "s-M")
        #expect(quantities(try await managers.cart.add(sku: "s-S")) == ["s-S 2", "s-M 1"])
        #expect(quantities(try await managers.cart.remove(sku: "s-M")) == ["s-S 2"])
    }

    // MARK: When it is back

    @Test func `what was done offline is sent once and in its order when the server answers again`() async throws {
        let clock = ManualClock()
        let managers = try ManagersUnderTest(
            over: shop, as: .ada, local: try await store(["a", "b", "c"].map { Fixture.product(sku: $0) }), clock: clock
        )
        try await managers.cart.refresh()
        shop.line = .down
        for sku in ["a", "b", "c"] { try await managers.cart.add(sku: sku, quantity: 2) }
        try await managers.cart.set(sku: "b", quantity: 5)
        try await managers.cart.remove(sku: "c")
        shop.line = .up
        await clock.tick()
        let state = await state(of: managers.cart) { $0.isConfirmed }
        #expect(quantities(state?.cart) == ["a 2", "b 5"])
        #expect(shop.effects == ["add a 2", "add b 2", "add c 2", "set b 5", "remove c"])
        #expect(shop.mostUnderWay == 1)
        #expect(managers.connection.connection == .online)
    }

    @Test func `an answer that is lost again and again leaves one effect`() async throws {
        let managers = try ManagersUnderTest(
            over: shop, as: .ada, local: try await store([Fixture.product(sku: "a")]), clock: ManualClock())
        try await managers.cart.refresh()
        shop.line = .losesAnswers
        try await managers.cart.add(sku: "a", quantity: 2)
        for _ in 0..<3 { await #expect(throws: DataError.self) { try await managers.cart.sendPending() } }
        #expect(managers.cart.state?.pendingCount == 1)
        shop.line = .up
        try await managers.cart.sendPending()
        #expect(managers.cart.state?.isConfirmed == true)
        #expect(quantities(managers.cart.cart) == ["a 2"])
        #expect(shop.effects == ["add a 2"])
    }

    @Test func `a process that ends between effect and answer doubles nothing, and loses nothing`() async throws {
        let file = folder.file("store.sqlite")
        do {
            let store = try await SQLiteStore.open(at: file)
            try await store.merge([Fixture.product(sku: "b")])
            let managers = try ManagersUnderTest(over: shop, as: .ada, local: store, clock: ManualClock())
            try await managers.cart.add(sku: "a")
            shop.line = .losesAnswers
            try await managers.cart.add(sku: "a")
            shop.line = .down
            try await managers.cart.add(sku: "b", quantity: 3)
            try await store.close()
        }
        #expect(shop.effects == ["add a 1", "add a 1"])
        let store = try await SQLiteStore.open(at: file)
        let managers = try ManagersUnderTest(over: shop, as: .ada, local: store, clock: ManualClock())
        let restored = try #require(try await managers.cart.restore())
        #expect(quantities(restored.cart) == ["a 2", "b 3"])
        #expect(restored.pendingCount == 2)
        shop.line = .up
        try await managers.cart.sendPending()
        #expect(shop.effects == ["add a 1", "add a 1", "add b 3"])
        #expect(quantities(managers.cart.cart) == ["a 2", "b 3"])
        #expect(managers.cart.state?.isConfirmed == true)
        #expect(try await store.pendingWrites(of: ada).isEmpty)
        try await store.close()
    }

    @Test func `a refusal of one edit is told, and the others go on`() async throws {
        let managers = try ManagersUnderTest(
            over: shop, as: .ada, local: try await store(["a", "b"].map { Fixture.product(sku: $0) }),
            clock: ManualClock())
        try await managers.cart.refresh()
        shop.line = .down
        try await managers.cart.add(sku: "a", quantity: 5)
        try await managers.cart.add(sku: "b")
        shop.setStock("a", 2)
        shop.line = .up
        try await managers.cart.sendPending()
        #expect(quantities(managers.cart.cart) == ["b 1"])
        var updates = managers.cart.updates().makeAsyncIterator()
        guard case .refused(let edit, let error)? = await updates.next() else { throw CocoaError(.coderInvalidValue) }
        #expect(edit == .add(sku: "a", quantity: 5))
        #expect(error.reason == .outOfStock([StockShortfall(sku: "a", available: 2)]))
    }

    @Test func `what the server changed meanwhile is told as typed changes`() async throws {
        let managers = try ManagersUnderTest(
            over: shop, as: .ada, local: try await store([Fixture.product(sku: "d")]), clock: ManualClock())
        for sku in ["a", "b", "c"] { try await managers.cart.add(sku: sku, quantity: 3) }
        shop.line = .down
        try await managers.cart.set(sku: "a", quantity: 4)
        try await managers.cart.add(sku: "d")
        shop.setPrice("b", 1200)
        shop.setPrice("d", 900)
        shop.put([.init(sku: "a", quantity: 3), .init(sku: "b", quantity: 1)], into: ada)
        shop.line = .up
        try await managers.cart.sendPending()
        var updates = managers.cart.updates().makeAsyncIterator()
        #expect(
            await updates.next()
                == .changed([
                    .priceChanged(sku: "b", from: Fixture.euros(1000), to: Fixture.euros(1200)),
                    .quantity(sku: "b", .quantityReduced, from: 3, to: 1),
                    .quantity(sku: "c", .removed, from: 3, to: 0),
                    .priceChanged(sku: "d", from: Fixture.euros(1000), to: Fixture.euros(900)),
                ]))
    }

    @Test func `a server that has too much to do is tried again after a while, without calling it away`() async throws {
        let clock = ManualClock()
        let managers = try ManagersUnderTest(
            over: shop, as: .ada, local: try await store([Fixture.product(sku: "a")]), clock: clock)
        try await managers.cart.refresh()
        shop.line = .busy
        try await managers.cart.add(sku: "a")
        #expect(managers.connection.connection == .online)
        #expect(managers.cart.state?.pendingCount == 1)
        await clock.tick()
        await clock.sleepers()
        shop.line = .up
        await clock.tick()
        #expect(await state(of: managers.cart) { $0.isConfirmed } != nil)
        #expect(clock.slept == [.seconds(2), .seconds(4)])
        #expect(shop.effects == ["add a 1"])
    }

    @Test func `an addition whose key the server may have forgotten is never sent again, and that is told`()
        async throws
    {
        let today = Mutex(Fixture.now)
        let managers = try ManagersUnderTest(
            over: shop, as: .ada, local: try await store([Fixture.product(sku: "a"), Fixture.product(sku: "b")]),
            clock: ManualClock(), now: { today.withLock { $0 } })
        try await managers.cart.refresh()
        shop.line = .losesAnswers
        try await managers.cart.add(sku: "a")
        // Never sent, since it is known that nobody answers: this one has no age.
        try await managers.cart.add(sku: "b")
        today.withLock { $0 += 23 * 3600 }
        shop.line = .up
        let sent = shop.requests.count
        try await managers.cart.sendPending()
        #expect(shop.effects == ["add a 1", "add b 1"])
        #expect(shop.requests.dropFirst(sent).filter { $0.method == "POST" }.count == 1)
        var updates = managers.cart.updates().makeAsyncIterator()
        guard case .refused(let edit, let error)? = await updates.next() else { throw CocoaError(.coderInvalidValue) }
        #expect(edit == .add(sku: "a", quantity: 1))
        #expect(error.reason == .outcomeUnknown)
    }

    @Test func `an edit that is told as refused is not done by a later process`() async throws {
        let store = try await store([Fixture.product(sku: "a")])
        let isForbidden = Mutex(false)
        let shop = shop
        let transport = StubTransport { request throws(NetworkError) in
            if request.method == "POST", isForbidden.withLock({ $0 }) { return .problem(.forbidden) }
            return try await shop.response(to: request)
        }
        let managers = try ManagersUnderTest(over: transport, as: .ada, local: store, clock: ManualClock())
        try await managers.cart.refresh()
        shop.line = .losesAnswers
        try await managers.cart.add(sku: "a")
        shop.line = .up
        isForbidden.withLock { $0 = true }
        _ = try? await managers.cart.sendPending()
        var updates = managers.cart.updates().makeAsyncIterator()
        guard case .refused(_, let error)? = await updates.next() else { throw CocoaError(.coderInvalidValue) }
        #expect(error.reason == .forbidden)
        #expect(await store.pendingWrites(of: ada).isEmpty)
    }

    @Test func `a server that asks for years of patience is asked again after five minutes`() async throws {
        let clock = ManualClock()
        let shop = shop
        let transport = StubTransport { request throws(NetworkError) in
            guard request.method == "POST" else { return try await shop.response(to: request) }
            let busy = NetworkResponse.problem(.overloaded)
            var headers = busy.headers
            headers["Retry-After"] = "1000000000"
            return NetworkResponse(status: busy.status, headers: headers, data: busy.data)
        }
        let managers = try ManagersUnderTest(
            over: transport, as: .ada, local: try await store([Fixture.product(sku: "a")]), clock: clock)
        try await managers.cart.refresh()
        try await managers.cart.add(sku: "a")
        await clock.sleepers()
        #expect(clock.slept == [.seconds(300)])
    }

    // MARK: Many at once

    @Test func `edits of many tasks at once reach the server one at a time, none lost, none doubled`() async throws {
        let managers = try ManagersUnderTest(over: shop, as: .ada, local: MemoryStore(), clock: ManualClock())
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<100 {
                group.addTask { try await managers.cart.add(sku: "s\(number % 5)") }
                group.addTask { _ = managers.cart.state }
            }
            try await group.waitForAll()
        }
        #expect(shop.effects.count == 100)
        #expect(shop.mostUnderWay == 1)
        #expect(managers.cart.cart?.unitCount == 100)
    }

    @Test func `an edit that is given up before its turn is not done`() async throws {
        let gate = Gate()
        let shop = StubShop { request in if request.method == "POST" { await gate.pass() } }
        let managers = try ManagersUnderTest(over: shop, as: .ada, local: MemoryStore(), clock: ManualClock())
        try await managers.cart.refresh()
        async let first = managers.cart.add(sku: "a")
        await gate.held(1)
        let second = Task { try await managers.cart.add(sku: "b") }
        await Task.yield()
        second.cancel()
        let error = await #expect(throws: DataError.self) { try await second.value }
        #expect(error?.reason == .cancelled)
        gate.open()
        _ = try await first
        try await managers.cart.refresh()
        #expect(shop.effects == ["add a 1"])
    }

    // MARK: Whose it is

    @Test func `what one owner has pending is neither shown to another nor sent in their name`() async throws {
        let store = try await store([Fixture.product(sku: "a")])
        do {
            let managers = try ManagersUnderTest(over: shop, as: .ada, local: store, clock: ManualClock())
            try await managers.cart.refresh()
            shop.line = .down
            try await managers.cart.add(sku: "a")
        }
        shop.line = .up
        let other = try ManagersUnderTest(over: shop, as: .bea, local: store, clock: ManualClock())
        #expect(try await other.cart.restore() == nil)
        try await other.cart.refresh()
        try await other.cart.sendPending()
        #expect(shop.effects.isEmpty)
        #expect(shop.items(of: Shopper.bea.owner).isEmpty)
        #expect(await store.pendingWrites(of: ada).count == 1)
    }

    @Test func `a guest's edits are sent in the guest's name before signing in, and none twice`() async throws {
        let store = try await store([Fixture.product(sku: "a")])
        let managers = try ManagersUnderTest(over: shop, as: .guest, local: store, clock: ManualClock())
        try await managers.cart.refresh()
        shop.line = .losesAnswers
        try await managers.cart.add(sku: "a")
        try await managers.cart.add(sku: "a")
        shop.line = .up
        try await managers.connectionIsBack()
        try await managers.account.signIn(email: "ada@example.org", password: "12345678")
        try await managers.cart.refresh()
        #expect(shop.effects == ["add a 1", "add a 1"])
        #expect(quantities(managers.cart.cart) == ["a 2"])
        #expect(shop.items(of: ada) == ["a 2"])
        #expect(await store.pendingWrites(of: Shopper.guest.owner).isEmpty)
    }

    @Test func `of a guest's edits that could not be sent, additions go over and what may have been done is told`()
        async throws
    {
        // Only the account's session is to be had: the line stays busy for carts until then.
        let isBusy = Mutex(true)
        let store = try await store([Fixture.product(sku: "a"), Fixture.product(sku: "b")])
        let shop = shop
        let transport = StubTransport { request throws(NetworkError) in
            if request.url.path().hasPrefix("/v1/cart/lines"), isBusy.withLock({ $0 }) { return .problem(.overloaded) }
            return try await shop.response(to: request)
        }
        let managers = try ManagersUnderTest(over: transport, as: .guest, local: store, clock: ManualClock())
        try await managers.cart.refresh()
        try await managers.cart.add(sku: "a")
        try await managers.cart.add(sku: "b", quantity: 2)
        #expect(managers.cart.state?.pendingCount == 2)
        try await managers.account.signIn(email: "ada@example.org", password: "12345678")
        isBusy.withLock { $0 = false }
        try await managers.cart.sendPending()
        #expect(shop.effects == ["add b 2"])
        #expect(shop.items(of: ada) == ["b 2"])
        var updates = managers.cart.updates().makeAsyncIterator()
        guard case .refused(let edit, let error)? = await updates.next() else { throw CocoaError(.coderInvalidValue) }
        #expect(edit == .add(sku: "a", quantity: 1))
        #expect(error.reason == .outcomeUnknown)
    }

    @Test func `what a guest had pending when the session ended is told as not done`() async throws {
        let store = try await store([Fixture.product(sku: "a")])
        let hasEnded = Mutex(false)
        let shop = shop
        let transport = StubTransport { request throws(NetworkError) in
            if hasEnded.withLock({ $0 }) { return .problem(.tokenExpired) }
            return try await shop.response(to: request)
        }
        let managers = try ManagersUnderTest(over: transport, as: .guest, local: store, clock: ManualClock())
        try await managers.cart.refresh()
        shop.line = .down
        _ = try? await managers.cart.refresh()
        try await managers.cart.add(sku: "a")
        #expect(managers.cart.state?.pendingCount == 1)
        hasEnded.withLock { $0 = true }
        await #expect(throws: DataError.self) { try await managers.orders.orders() }
        var updates = managers.cart.updates().makeAsyncIterator()
        guard case .refused(let edit, let error)? = await updates.next() else { throw CocoaError(.coderInvalidValue) }
        #expect(edit == .add(sku: "a", quantity: 1))
        #expect(error.reason == .sessionEnded)
    }

    @Test func `signing out removes what was kept for the owner`() async throws {
        let store = try await store([Fixture.product(sku: "a")])
        let managers = try ManagersUnderTest(over: shop, as: .ada, local: store, clock: ManualClock())
        try await managers.cart.add(sku: "a")
        #expect(await store.cart(of: ada) != nil)
        shop.line = .down
        try await managers.cart.add(sku: "a")
        await #expect(throws: DataError.self) { try await managers.account.signOut() }
        #expect(await store.cart(of: ada) == nil)
        #expect(await store.pendingWrites(of: ada).isEmpty)
        #expect(managers.cart.state == nil)
    }

    // MARK: Without a store

    @Test func `without a store an edit that cannot reach the server fails, and nothing of it is kept`() async throws {
        let managers = try ManagersUnderTest(over: shop, as: .ada)
        try await managers.cart.add(sku: "a")
        shop.line = .down
        let error = await #expect(throws: DataError.self) { try await managers.cart.add(sku: "a") }
        #expect(error?.reason == .unreachable)
        shop.line = .up
        try await managers.cart.refresh()
        #expect(shop.effects == ["add a 1"])
        #expect(managers.cart.state?.isConfirmed == true)
    }

    // MARK: While it is shown

    /// A defect of the system that this one comes from: a refresh that failed counted as one, and the next was far away.
    @Test func `a cart that is shown is refreshed at intervals, also after a refresh that failed`() async throws {
        let clock = ManualClock()
        let managers = try ManagersUnderTest(over: shop, as: .ada, local: MemoryStore(), clock: clock)
        try await managers.cart.add(sku: "a")
        let shown = Task { await managers.cart.keepFresh(every: .seconds(7)) }
        await clock.tick()
        shop.line = .down
        await clock.tick()
        shop.line = .up
        shop.setPrice("a", 1500)
        await clock.tick()
        #expect(await state(of: managers.cart) { $0.cart.totals.total == Fixture.euros(1500) } != nil)
        var updates = managers.cart.updates().makeAsyncIterator()
        #expect(
            await updates.next()
                == .changed([.priceChanged(sku: "a", from: Fixture.euros(1000), to: Fixture.euros(1500))]))
        shown.cancel()
        await shown.value
        #expect(Set(clock.slept) == [.seconds(7)])
    }

    @Test func `a manager that nobody holds ends, also while edits are pending`() async throws {
        let clock = ManualClock()
        let store = try await store([Fixture.product(sku: "a")])
        weak var cart: CartManager?
        do {
            let managers = try ManagersUnderTest(over: shop, as: .ada, local: store, clock: clock)
            cart = managers.cart
            try await managers.cart.refresh()
            shop.line = .down
            try await managers.cart.add(sku: "a")
            #expect(cart != nil)
        }
        for _ in 0..<1000 where cart != nil { await Task.yield() }
        #expect(cart == nil)
    }
}

extension ManagersUnderTest {
    /// Lets the connection know that the server answers.
    fileprivate func connectionIsBack() async throws {
        try await data.healthReady()
    }
}
