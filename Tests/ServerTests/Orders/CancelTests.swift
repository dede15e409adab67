import ServerTesting
import Synchronization
import Testing

@Suite("Cancelling orders", .inShop())
struct CancelTests {
    private let shop = TestShop.current
    private let guest: Caller

    init() async throws { guest = try await shop.guest() }

    private func cancel(_ order: Order) async throws -> Answered<Order> {
        try await guest.call(Contract.cancelOrder, path: ["id": order.id])
    }

    @Test func `Cancelling refunds the charge and returns the units; a second cancellation is refused`() async throws {
        let order = try await guest.order("cap", 3)
        #expect(try await shop.available("cap") == 7)
        let cancelled = try await cancel(order).good()
        #expect(cancelled.status == .cancelled && cancelled.payment.status == .refunded)
        #expect(cancelled.payment.refunded == order.totals.total)
        #expect(cancelled.history.map(\.status) == [.pending, .paid, .cancelled])
        #expect(try await shop.available("cap") == 10)
        #expect(try await guest.order(id: order.id) == cancelled)
        try await cancel(order).problem(.notCancellable)
        #expect(try await shop.available("cap") == 10)
    }

    @Test func `Of concurrent cancellations one succeeds`() async throws {
        let order = try await guest.order("cap", 2)
        let statuses = try await parallel(10) { _ in try await cancel(order).status }
        #expect(statuses.sorted() == [200] + Array(repeating: 409, count: 9))
        #expect(try await shop.available("cap") == 10)
    }

    @Test func `A cancellation repeated with its key is replayed, and refused with another body`() async throws {
        let order = try await guest.order()
        let path = "/v1/orders/\(order.id)/cancel"
        let first = try await guest.send("POST", path, "{}", headers: .key("cancel"))
        #expect(first.status == 200)
        for body in [nil, "{ }", #"{"reason": "late"}"#] {
            try await guest.send("POST", path, body, headers: .key("cancel")).problem(.idempotencyKeyReused)
        }
        let again = try await guest.send("POST", path, "{}", headers: .key("cancel"))
        #expect(again.status == 200 && again.body == first.body && again.replayed == "true")
    }

    /// Numbers can be guessed, so they must give no more access than ids.
    @Test(arguments: [false, true])
    func `Another buyer's order is not found, by id or number, and stays unchanged`(byNumber: Bool) async throws {
        let owner = try await shop.customer()
        let order = try await owner.order()
        let path = ["id": byNumber ? order.number : order.id]
        for stranger in [guest, try await shop.customer("bob@example.com")] {
            try await stranger.call(Contract.order, path: path).problem(.notFound)
            try await stranger.call(Contract.cancelOrder, path: path).problem(.notFound)
            let change = DeliveryRequest(methodId: "express")
            try await stranger.call(Contract.changeDelivery, change, path: path).problem(.notFound)
            try await stranger.call(Contract.managedOrder, path: path).problem(.forbidden)
            #expect(try await stranger.orders() == [])
        }
        #expect(try await owner.order(id: order.id) == order)
    }
}

/// The first number of a shop is 10001, and servers reserve numbers in blocks of 32.
@Suite("Order numbers", .timeLimit(.minutes(5)), .inShop([.stocked("cap", stock: 50)]))
struct OrderNumberTests {
    private let shop = TestShop.current

    private func expect(
        _ number: String, from server: TestShop, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        #expect(try await server.guest().buyNow().good().number == number, sourceLocation: sourceLocation)
    }

    @Test func `A server that starts again continues with the next number`() async throws {
        for expected in ["P-10001", "P-10002", "P-10003"] {
            try await shop.another { try await expect(expected, from: $0) }
        }
    }

    @Test func `A refused checkout leaves no gap, also across a restart`() async throws {
        try await shop.another { server in
            try await server.guest().buyNow(total: 1).problem(.priceChanged)
            try await expect("P-10001", from: server)
            try await server.guest().buyNow(total: 1).problem(.priceChanged)
        }
        try await expect("P-10002", from: shop)
    }

    /// Giving a block back under a later one would let a third server reserve the numbers of the later one again.
    @Test func `Numbers are not given back once another server has reserved later ones`() async throws {
        try await shop.another { server in
            try await expect("P-10001", from: server)
            try await expect("P-10033", from: shop)
            try await expect("P-10002", from: server)
        }
        try await expect("P-10034", from: shop)
        try await shop.another { try await expect("P-10065", from: $0) }
        try await shop.another { try await expect("P-10066", from: $0) }
        try await expect("P-10035", from: shop)
    }

    @Test func `The numbers of a server that ended without a stop are skipped`() async throws {
        // A server that is killed after it has reserved a block.
        #expect(try await shop.store.write { try $0.orders.reserveNumbers(32) } == 10_001)
        try await expect("P-10033", from: shop)
    }

    @Test func `Concurrent orders get unique numbers without gaps`() async throws {
        let guest = try await shop.guest()
        let numbers = try await parallel(20) { _ in try await guest.buyNow().good().number }
        #expect(Set(numbers) == Set((10_001...10_020).map { "P-\($0)" }))
    }

    @Test(.atDesk()) func `A number whose commit is uncertain is not used again`() async throws {
        let desk = try await SettlementDesk(shop)
        let store = UncertainStore(shop.store)
        let checkout = CheckoutService(
            shop.environment.over(store), carts: shop.services.carts, payments: desk.provider,
            encode: StoredAnswer.init(outcome:))
        let first = try await desk.buy("cap", total: 1490, key: "1", with: checkout)
        store.failNext()
        await #expect(throws: CommitUnknownError.self) {
            try await desk.buy("cap", total: 1490, key: "2", with: checkout)
        }
        let third = try await desk.buy("cap", total: 1490, key: "3", with: checkout)
        #expect(third.status == .paid && third.number != first.number)
        #expect(try await desk.stock("cap") == [8, 1])
    }

    /// Commits, and reports the outcome of one commit as unknown.
    private final class UncertainStore: StoreWrapper {
        let store: ShopDatabase
        private let fails = Mutex(false)

        init(_ store: ShopDatabase) { self.store = store }
        func failNext() { fails.withLock { $0 = true } }

        func write<Value: Sendable>(_ isolation: Isolation, _ body: @escaping Body<Value>) async throws -> Value {
            let value = try await store.write(isolation, body)
            let isUncertain = fails.withLock { fails in
                defer { fails = false }
                return fails
            }
            if isUncertain { throw CommitUnknownError() }
            return value
        }
    }
}
