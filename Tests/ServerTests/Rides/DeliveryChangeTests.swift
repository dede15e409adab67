import Foundation
import HummingbirdTesting
import PouchContract
import PouchDomain
import PouchEntities
import PouchHTTP
import PouchRides
import PouchServer
import PouchStorage
import PouchWire
import Testing

@Suite("Choosing another way for an order that no kangaroo fetched", .timeLimit(.minutes(2)))
struct DeliveryChangeTests {
    @Test func `When nobody comes the order says so and what else there is, and stays paid`() async throws {
        try await unfetched { shop, customer, order in
            #expect(order.status == .paid && order.history.map(\.status) == [.pending, .paid])
            let failure = try #require(order.deliveryFailure)
            #expect(failure.reason == .noKangaroo)
            #expect(failure.methods.map(\.id) == ["standard", "express", "kangaroo"])
            let price = try #require(order.shipping?.price)
            #expect(failure.methods.map(\.price) == [Money(490, .eur), Money(990, .eur), price])
            #expect(try await customer.ride(#require(order.rideId)).good().status == .noDriversAvailable)
        }
    }

    @Test(arguments: ["standard", "express"])
    func `A cheaper way gives the difference back, once, however often it is chosen`(method: String) async throws {
        try await unfetched { shop, customer, order in
            let paid = try #require(order.shipping?.price.amount)
            let price: Int64 = method == "standard" ? 490 : 990
            let changed = try await customer.deliver(order, by: method).good()
            #expect(changed.payment.refunded.amount == paid - price && changed.status == .partiallyRefunded)
            #expect(changed.shipping == Shipping(methodId: method, address: .atBondi, price: Money(price, .eur)))
            #expect(changed.deliveryFailure == nil && changed.rideId == nil)
            #expect(try await customer.deliver(order, by: method).good() == changed)
            try await customer.deliver(order, by: "kangaroo").problem(.deliverySettled)
            #expect(try await customer.order(id: order.id) == changed)
            try await shop.books(["cap": 10])
            let admin = try await shop.admin()
            #expect(try await admin.fulfil(order.id).good().status == .fulfilled)
        }
    }

    @Test func `An order that came cheaper in another way is cancelled all the same, and given back in full`()
        async throws
    {
        try await unfetched { shop, customer, order in
            let changed = try await customer.deliver(order, by: "standard").good()
            try #require(changed.status == .partiallyRefunded)
            let cancelled = try await customer.call(Contract.cancelOrder, path: ["id": order.id]).good()
            #expect(cancelled.status == .cancelled && cancelled.payment.refunded == order.totals.total)
            try await shop.books(["cap": 10])
        }
    }

    @Test(arguments: [0, 50] as [Int64])
    func `Of what is owed already nothing is given back twice`(left: Int64) async throws {
        try await unfetched { shop, customer, order in
            // Written, and not yet made by the provider.
            try await shop.store.write { [now = shop.clock.now, total = order.totals.total] repositories in
                try repositories.refunds.insert(
                    RefundRecord(
                        id: "ref_owed", orderId: order.id, amount: Money(total.amount - left, .eur),
                        tax: .zero(.eur), lines: [], reason: "late", createdAt: now))
            }
            let changed = try await customer.deliver(order, by: "standard").good()
            #expect(changed.shipping?.methodId == "standard" && changed.deliveryFailure == nil)
            let amounts = try await shop.store.read { try $0.refunds.refunds(orderId: order.id) }
                .map(\.refund.amount.amount)
            #expect(amounts.sorted() == (left > 0 ? [left] : []) + [order.totals.total.amount - left])
        }
    }

    @Test func `A dearer way costs nothing more`() async throws {
        try await unfetched(to: .at(GeoPoint.shop.north(500))) { shop, customer, order in
            #expect(try #require(order.shipping?.price.amount) < 490)
            let changed = try await customer.deliver(order, by: "standard").good()
            #expect(changed.payment == order.payment && changed.status == .paid)
            #expect(changed.shipping?.methodId == "standard" && changed.shipping?.price == order.shipping?.price)
            try await shop.books(["cap": 10])
        }
    }

    @Test func `Nothing is given back of shipping that was free`() async throws {
        try await unfetched(discount: "SHIP") { shop, customer, order in
            #expect(order.totals.total == Money(1_000, .eur))
            #expect(order.deliveryFailure?.methods.map(\.price.amount).prefix(2) == [490, 990])
            let changed = try await customer.deliver(order, by: "standard").good()
            #expect(changed.payment == order.payment && changed.deliveryFailure == nil)
            try await shop.books(["cap": 10])
        }
    }

    @Test func `A kangaroo may be asked for again, by another ride`() async throws {
        try await unfetched { shop, customer, order in
            try await shop.store.write { try $0.drivers.insert(.calm()) }
            let changed = try await customer.deliver(order, by: "kangaroo").good()
            let id = try #require(changed.rideId)
            #expect(id != order.rideId && changed.deliveryFailure == nil && changed.payment == order.payment)
            #expect(try await customer.deliver(order, by: "kangaroo").good().rideId == id)
            #expect(try await shop.rows("SELECT 1 FROM rides").count == 2)
            try await shop.go(id, to: .completed)
            #expect(try await customer.order(id: order.id).status == .delivered)
        }
    }

    @Test func `A way that is not offered, another version and somebody else's order are refused`() async throws {
        try await unfetched { shop, customer, order in
            try await customer.deliver(order, by: "teleport").problem(.unknownShippingMethod)
            try await customer.deliver(order, by: "standard", ifMatch: "\"77\"").problem(.versionConflict)
            try await shop.customer("bob@example.com").deliver(order, by: "standard").problem(.notFound)
            #expect(try await customer.order(id: order.id) == order)
            let etag = try await customer.call(Contract.order, path: ["id": order.id]).etag
            let changed = try await customer.deliver(order, by: "standard", ifMatch: etag)
            try changed.good()
            #expect(changed.etag != etag)
        }
    }

    @Test func `An order with which nothing is wrong is not changed`() async throws {
        try await TestShop.open(kangaroos: .calm(), .usual) { shop in
            let customer = try await shop.customer()
            let order = try await customer.orderByKangaroo()
            try await customer.deliver(order, by: "standard").problem(.deliverySettled)
            #expect(try await customer.deliver(order, by: "kangaroo").good().rideId == order.rideId)
            #expect(try await shop.rows("SELECT 1 FROM rides").count == 1)
        }
    }

    @Test func `An order that is cancelled after all is given back in full, and nothing is wrong with it any more`()
        async throws
    {
        try await unfetched { shop, customer, order in
            let cancelled = try await customer.call(Contract.cancelOrder, path: ["id": order.id]).good()
            #expect(cancelled.status == .cancelled && cancelled.deliveryFailure == nil)
            #expect(cancelled.payment.refunded == order.totals.total)
            try await customer.deliver(order, by: "standard").problem(.deliverySettled)
            try await shop.books(["cap": 10])
        }
    }

    @Test func `The merchant may send an order by hand that no kangaroo fetched`() async throws {
        try await unfetched { shop, customer, order in
            let sent = try await shop.admin().fulfil(order.id).good()
            #expect(sent.status == .fulfilled && sent.deliveryFailure == nil)
            try await customer.deliver(order, by: "standard").problem(.deliverySettled)
        }
    }

    /// A customer's order that no kangaroo came for.
    private func unfetched(
        to address: Address = .atBondi, discount: String? = nil,
        _ body: @escaping @Sendable (TestShop, Caller, Order) async throws -> Void
    ) async throws {
        // What is owed is made here by nobody else.
        try await TestShop.open(
            kangaroos: [], .usual, configure: { $0.settlementInterval = .seconds(3_600) }
        ) { shop in
            if discount != nil {
                try await shop.admin().addDiscount(DiscountTerms(code: "SHIP", kind: .freeShipping)).good()
            }
            let customer = try await shop.customer()
            let order = try await customer.orderByKangaroo(to: address, discount: discount)
            _ = try await City(shop.rideEnvironment).advance()
            try await body(shop, customer, try await customer.order(id: order.id))
        }
    }
}
