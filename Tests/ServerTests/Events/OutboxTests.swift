import ServerTesting
import Testing

@testable import PouchDomain

@Suite("The events of the shop", .timeLimit(.minutes(5)), .inShop([.stocked("cap", stock: 10)]))
struct OutboxTests {
    private let shop = TestShop.current
    private let admin: Caller
    private let customer: Caller

    init() async throws { (admin, customer) = (try await shop.admin(), try await shop.customer()) }

    @Test func `Each status of an order has its event once, in order, with the order as it was then`() async throws {
        let order = try await customer.order()
        try await admin.fulfil(order.id).good()
        try await admin.deliver(order.id).good()
        try await admin.refund(order.id, amount: 100).good()
        try await admin.refund(order.id).good()
        let events = try await shop.events(of: order.id)
        let types: [EventType] = [
            .orderPaid, .orderFulfilled, .orderDelivered, .refundCreated, .refundSucceeded, .orderPartiallyRefunded,
            .refundCreated, .refundSucceeded, .orderRefunded,
        ]
        #expect(events.map(\.type) == types)
        let orders = try events.compactMap { try $0.shopEvent.data.order }
        let statuses: [OrderStatus] = [
            .paid, .fulfilled, .delivered, .partiallyRefunded, .partiallyRefunded, .refunded, .refunded,
        ]
        #expect(orders.map(\.status) == statuses)
        #expect(orders.map(\.history.count) == [2, 3, 4, 5, 5, 6, 6])
        #expect(try await customer.order(id: order.id) == orders.last)
        #expect(try events.compactMap { try $0.shopEvent.data.refund?.amount.amount } == [100, 100, 1390, 1390])
    }

    @Test func `A cancelled order has the event of its cancellation and those of its refund`() async throws {
        let order = try await customer.order()
        try await customer.cancel(order.id).good()
        let types = try await shop.events(of: order.id).map(\.type)
        #expect(types == [.orderPaid, .orderCancelled, .refundCreated, .refundSucceeded])
    }

    @Test func `A repeated purchase has no second event`() async throws {
        let order = try await customer.buyNow(key: "k").good()
        try await customer.buyNow(key: "k").good()
        #expect(try await shop.events(of: order.id).map(\.type) == [.orderPaid])
    }

    @Test func `A declined checkout has the event of its payment, and no other`() async throws {
        try await customer.buyNow(card: "tok_declined").problem(.paymentDeclined)
        let events = try await shop.events().filter { $0.event.objectId.hasPrefix("ord_") }
        #expect(events.map(\.type) == [.paymentFailed])
        let orders = try events.compactMap { try $0.shopEvent.data.order }
        #expect(orders.map(\.payment.status) == [.failed] && orders.map(\.status) == [.cancelled])
    }

    @Test func `An order whose payment is open has two events: when it is placed and when it is paid`() async throws {
        let order = try await customer.buyNow(card: "tok_lost").good()
        #expect(order.status == .pending)
        #expect(try await shop.events(of: order.id).map(\.type) == [.orderPlaced])
        shop.clock.advance(by: OrderSettlement.gracePeriod)
        try await eventually { try await customer.order(id: order.id).status == .paid }
        #expect(try await shop.events(of: order.id).map(\.type) == [.orderPlaced, .orderPaid])
    }

    @Test func `A transaction that is rolled back leaves no event`() async throws {
        struct Failure: Error {}
        let before = try await shop.events().count
        await #expect(throws: Failure.self) {
            try await shop.store.write { repositories in
                try shop.environment.events.append(.orderPaid, of: "ord_1", EventData(), in: repositories)
                throw Failure()
            }
        }
        #expect(try await shop.events().count == before)
    }

    @Test func `Low stock has an event each time that it falls to the threshold, and only then`() async throws {
        try await admin.change("cap", available: 4).good()
        #expect(try await shop.events(of: "cap").isEmpty)
        for _ in 0..<2 { try await customer.buyNow().good() }
        try await admin.change("cap", available: 1).good()
        #expect(try await shop.events(of: "cap").map(\.type) == [.stockLow])
        try await admin.change("cap", available: 9).good()
        try await admin.change("cap", adjust: -7).good()
        let events = try await shop.events(of: "cap")
        #expect(try events.map { try $0.shopEvent.data.stock?.available } == [3, 2])
    }

    @Test(.enabled(if: TestDatabase.isPostgres))
    func `The events of an object keep the order of its changes while transactions wait for each other`() async throws {
        let order = try await customer.order()
        let first = HeldTransaction(shop.store) { repositories in
            guard let record = try repositories.orders.order(id: order.id, locking: true) else { return }
            try shop.environment.events.append(.orderDeliveryChanged, record.order, in: repositories)
        }
        await first.waitForStart()
        async let second = admin.fulfil(order.id)
        try await first.during { try await eventually { try await shop.waitingSessions() > 0 } }
        try await first.commit()
        try await second.good()
        let types = try await shop.events(of: order.id).map(\.type)
        #expect(types == [.orderPaid, .orderDeliveryChanged, .orderFulfilled])
    }

    // MARK: Other objects, and the end of events

    @Test(.inCity(.usual)) func `An import and a rider's ride have events`() async throws {
        try await shop.add(.calm(3))
        // An import ends once what it staged is deleted.
        try await eventually { try await shop.events().contains { $0.type == .importEnded } }
        let imported = try await shop.events().filter { $0.type == .importEnded }
        #expect(try imported.map { try $0.shopEvent.data.catalogImport?.status } == [.published])
        let completed = try await customer.requestRide().good()
        try await shop.go(completed.id, to: .completed)
        let cancelled = try await customer.requestRide().good()
        try await customer.cancelRide(cancelled.id).good()
        #expect(try await shop.events(of: completed.id).map(\.type) == [.rideRequested, .rideCompleted])
        let events = try await shop.events(of: cancelled.id)
        #expect(events.map(\.type) == [.rideRequested, .rideCancelled])
        #expect(try events.map { try $0.shopEvent.data.ride?.status } == [.requested, .cancelledByRider])
    }

    @Test(.inShop([])) func `Events are deleted after 30 days, once all consumers have passed them`() async throws {
        let consumer = EventConsumer("slow", shop.store) { _, _ in }
        try await shop.append("first")
        _ = try await shop.events()
        try await consumer.run()
        try await shop.append("second")
        for other in ["webhooks", "mail"] { try await shop.waitForEvents(takenBy: other) }
        shop.clock.advance(by: EventLog.lifetime + 1)
        let before = shop.clock.now.addingTimeInterval(-EventLog.lifetime)
        for left in [["second"], []] {
            _ = try await shop.store.write { try $0.events.purge(before: before, limit: 100) }
            #expect(try await shop.events().map(\.event.objectId) == left)
            try await consumer.run()
        }
    }
}

extension EventRecord {
    var type: EventType { event.type }
}

extension TestShop {
    /// The events so far, of one object or of all, in the order in which consumers get them.
    func events(of objectId: String? = nil) async throws -> [EventRecord] {
        while try await store.write(.readCommitted, { try $0.events.number(limit: 1_000) }) {}
        return try await store.read { try $0.events.events(types: nil, after: 0, through: nil, limit: 10_000) }
            .filter { objectId == nil || $0.event.objectId == objectId }
    }

    /// Waits until a consumer has taken all events so far.
    func waitForEvents(takenBy consumer: String) async throws {
        let last = try await events().last?.position ?? 0
        try await eventually { try await store.read { try $0.events.positions()[consumer] } ?? 0 >= last }
    }

    /// Stores an event about any object.
    func append(_ objectId: String, _ type: EventType = .orderPaid) async throws {
        try await store.write { [environment] repositories in
            try environment.events.append(type, of: objectId, EventData(), in: repositories)
        }
    }
}
