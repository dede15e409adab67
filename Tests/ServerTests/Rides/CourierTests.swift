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

@Suite("Orders with kangaroo delivery", .timeLimit(.minutes(5)))
struct CourierTests {
    // MARK: Delivery

    @Test func `The order is fulfilled at the pick-up and delivered at the drop-off, at the times of its ride`()
        async throws
    {
        try await TestShop.open(kangaroos: .calm(), .usual) { shop in
            let customer = try await shop.customer()
            let order = try await customer.orderByKangaroo()
            let id = try #require(order.rideId)
            let ride = try await customer.ride(id).good()
            #expect(ride.waypoints == RideWaypoints(pickupLocation: .shop, dropoffLocation: .bondi))
            #expect(ride.fare == order.shipping?.price && ride.rideOptionID == "wallaby")
            let etag = try await customer.call(Contract.order, path: ["id": order.id]).etag
            try await shop.go(id, to: .arriving)
            let before = try await customer.call(Contract.order, path: ["id": order.id])
            #expect(try before.good() == order && before.etag == etag)
            try await shop.go(id, to: .inProgress)
            #expect(try await customer.order(id: order.id).status == .fulfilled)
            try await shop.go(id, to: .completed)
            let delivered = try await customer.order(id: order.id)
            let history = try await customer.ride(id).good().history
            #expect(delivered.history.map(\.status) == [.pending, .paid, .fulfilled, .delivered])
            #expect(delivered.history.suffix(2).map(\.at) == history.suffix(2).map(\.at))
            #expect(delivered.rideId == id && delivered.deliveryFailure == nil)
            #expect(try await shop.busyKangaroos() == [])
            try await shop.reconcile(["cap": 10])
        }
    }

    @Test func `An order whose ride ended during a pause is fulfilled and delivered at the times of the ride`()
        async throws
    {
        try await TestShop.open(kangaroos: .calm(), .usual) { shop in
            let guest = try await shop.guest()
            let order = try await guest.orderByKangaroo()
            _ = try await City(shop.rideEnvironment).advance()
            shop.clock.advance(by: 600)
            try await eventually { try await guest.order(id: order.id).status == .delivered }
            let history = try await guest.order(id: order.id).history
            #expect(history.map(\.status) == [.pending, .paid, .fulfilled, .delivered])
            #expect(history.map(\.at) == history.map(\.at).sorted())
            #expect(history[3].at < shop.clock.now.addingTimeInterval(-300))
        }
    }

    @Test func `The customer can see the delivery ride but not cancel it, and can request a ride as well`()
        async throws
    {
        try await TestShop.open(kangaroos: .calm(2), .usual, setup: .live) { shop in
            let (customer, other) = (try await shop.customer(), try await shop.customer("bob@example.com"))
            let id = try #require(try await customer.orderByKangaroo().rideId)
            try await customer.cancelRide(id).problem(.notCancellable)
            #expect(try await customer.call(Contract.rides).good().items == [])
            try await other.ride(id).problem(.notFound)
            try await other.cancelRide(id).problem(.notFound)
            let own = try await customer.requestRide().good()
            #expect(try await customer.call(Contract.rides).good().items.map(\.id) == [own.id])
            let stream = try await RideEventStream(customer, "/v1/rides/\(id)/events", port: shop.client.port)
            #expect(try await stream.next()?.update?.status == .requested)
            try await shop.go(id, to: .completed)
            while let event = try await stream.nextUpdate("status") {
                if event.update?.status == .completed { break }
            }
            #expect(try await stream.next() == nil)
            #expect(try await customer.receipt(id).good().rideID == id)
        }
    }

    @Test func `A guest's order is delivered, though guests cannot see rides`() async throws {
        try await TestShop.open(kangaroos: .calm(), .usual) { shop in
            let guest = try await shop.guest()
            let order = try await guest.orderByKangaroo()
            let id = try #require(order.rideId)
            try await guest.ride(id).problem(.forbidden)
            try await shop.go(id, to: .completed)
            #expect(try await guest.order(id: order.id).status == .delivered)
        }
    }

    // MARK: Cancelling

    @Test(arguments: [RideStatus.requested, .accepted, .arriving])
    func `Cancelling the order cancels the ride and frees the kangaroo`(status: RideStatus) async throws {
        try await TestShop.open(kangaroos: .calm(), .usual) { shop in
            let customer = try await shop.customer()
            let order = try await customer.orderByKangaroo()
            let id = try #require(order.rideId)
            try await shop.go(id, to: status)
            let cancelled = try await customer.call(Contract.cancelOrder, path: ["id": order.id]).good()
            #expect(cancelled.status == .cancelled && cancelled.payment.refunded == order.totals.total)
            #expect(try await customer.ride(id).good().status == .cancelledByRider)
            #expect(try await shop.busyKangaroos() == [])
            shop.clock.advance(by: 600)
            _ = try await City(shop.rideEnvironment).advance()
            #expect(try await customer.order(id: order.id) == cancelled)
            try await shop.reconcile(["cap": 10])
        }
    }

    @Test func `An order cannot be cancelled after the pick-up`() async throws {
        try await TestShop.open(kangaroos: .calm(), .usual) { shop in
            let customer = try await shop.customer()
            let order = try await customer.orderByKangaroo()
            try await shop.go(#require(order.rideId), to: .inProgress)
            try await customer.call(Contract.cancelOrder, path: ["id": order.id]).problem(.notCancellable)
            try await shop.go(#require(order.rideId), to: .completed)
            #expect(try await customer.order(id: order.id).status == .delivered)
        }
    }

    @Test(arguments: [false, true])
    func `A full refund before the pick-up cancels the ride; a partial refund does not`(isWhole: Bool) async throws {
        try await TestShop.open(kangaroos: .calm(), .usual) { shop in
            let (admin, customer) = (try await shop.admin(), try await shop.customer())
            let order = try await customer.orderByKangaroo()
            let id = try #require(order.rideId)
            try await shop.go(id, to: .accepted)
            try await admin.refund(order.id, amount: isWhole ? order.totals.total.amount : 100).good()
            if isWhole {
                #expect(try await customer.ride(id).good().status == .cancelledByRider)
                #expect(try await customer.order(id: order.id).status == .refunded)
                #expect(try await shop.busyKangaroos() == [])
            } else {
                try await shop.go(id, to: .completed)
                #expect(try await customer.order(id: order.id).status == .delivered)
            }
        }
    }

    @Test(arguments: [RideStatus.requested, .accepted, .arriving])
    func `Fulfilling the order by hand cancels the ride, which changes the order no more`(
        status: RideStatus
    ) async throws {
        try await TestShop.open(kangaroos: .calm(), .usual) { shop in
            let (admin, customer) = (try await shop.admin(), try await shop.customer())
            let order = try await customer.orderByKangaroo()
            let id = try #require(order.rideId)
            try await shop.go(id, to: status)
            let sent = try await admin.fulfil(order.id).good()
            #expect(sent.status == .fulfilled)
            #expect(try await customer.ride(id).good().status == .cancelledByRider)
            #expect(try await shop.busyKangaroos() == [])
            shop.clock.advance(by: 600)
            _ = try await City(shop.rideEnvironment).advance()
            #expect(try await customer.order(id: order.id) == sent)
            #expect(try await admin.deliver(order.id).good().status == .delivered)
        }
    }
}

@Suite("Another delivery after a failed kangaroo delivery", .timeLimit(.minutes(5)))
struct DeliveryChangeTests {
    @Test func `An order without a kangaroo stays paid and reports the failure with the other methods`() async throws {
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
    func `A cheaper method refunds the difference once, however often it is chosen`(method: String) async throws {
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
            try await shop.reconcile(["cap": 10])
            let admin = try await shop.admin()
            #expect(try await admin.fulfil(order.id).good().status == .fulfilled)
        }
    }

    @Test func `An order with a refunded difference can be cancelled with a full refund`() async throws {
        try await unfetched { shop, customer, order in
            let changed = try await customer.deliver(order, by: "standard").good()
            try #require(changed.status == .partiallyRefunded)
            let cancelled = try await customer.call(Contract.cancelOrder, path: ["id": order.id]).good()
            #expect(cancelled.status == .cancelled && cancelled.payment.refunded == order.totals.total)
            try await shop.reconcile(["cap": 10])
        }
    }

    @Test(arguments: [0, 50] as [Int64])
    func `The refunded difference is limited by a refund that is already pending`(left: Int64) async throws {
        try await unfetched { shop, customer, order in
            // A pending refund, not yet sent to the provider.
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

    @Test func `A more expensive method costs nothing more`() async throws {
        try await unfetched(to: .at(GeoPoint.shop.north(500))) { shop, customer, order in
            #expect(try #require(order.shipping?.price.amount) < 490)
            let changed = try await customer.deliver(order, by: "standard").good()
            #expect(changed.payment == order.payment && changed.status == .paid)
            #expect(changed.shipping?.methodId == "standard" && changed.shipping?.price == order.shipping?.price)
            try await shop.reconcile(["cap": 10])
        }
    }

    @Test func `Free shipping is not refunded`() async throws {
        try await unfetched(discount: "SHIP") { shop, customer, order in
            #expect(order.totals.total == Money(1_000, .eur))
            #expect(order.deliveryFailure?.methods.map(\.price.amount).prefix(2) == [490, 990])
            let changed = try await customer.deliver(order, by: "standard").good()
            #expect(changed.payment == order.payment && changed.deliveryFailure == nil)
            try await shop.reconcile(["cap": 10])
        }
    }

    @Test func `A kangaroo can be requested again with a new ride`() async throws {
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

    @Test func `An unknown method, an outdated version and another buyer's order are refused`() async throws {
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

    @Test func `An order without a delivery failure is not changed`() async throws {
        try await TestShop.open(kangaroos: .calm(), .usual) { shop in
            let customer = try await shop.customer()
            let order = try await customer.orderByKangaroo()
            try await customer.deliver(order, by: "standard").problem(.deliverySettled)
            #expect(try await customer.deliver(order, by: "kangaroo").good().rideId == order.rideId)
            #expect(try await shop.rows("SELECT 1 FROM rides").count == 1)
        }
    }

    @Test func `Cancelling refunds the order in full and clears the delivery failure`() async throws {
        try await unfetched { shop, customer, order in
            let cancelled = try await customer.call(Contract.cancelOrder, path: ["id": order.id]).good()
            #expect(cancelled.status == .cancelled && cancelled.deliveryFailure == nil)
            #expect(cancelled.payment.refunded == order.totals.total)
            try await customer.deliver(order, by: "standard").problem(.deliverySettled)
            try await shop.reconcile(["cap": 10])
        }
    }

    @Test func `The merchant can fulfil an order by hand after a failed kangaroo delivery`() async throws {
        try await unfetched { shop, customer, order in
            let sent = try await shop.admin().fulfil(order.id).good()
            #expect(sent.status == .fulfilled && sent.deliveryFailure == nil)
            try await customer.deliver(order, by: "standard").problem(.deliverySettled)
        }
    }

    /// Opens a shop with a customer's order that found no kangaroo.
    private func unfetched(
        to address: Address = .atBondi, discount: String? = nil,
        _ body: @escaping @Sendable (TestShop, Caller, Order) async throws -> Void
    ) async throws {
        // Pending refunds stay pending, since the shop does not settle by itself.
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
