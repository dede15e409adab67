import HummingbirdTesting
import PouchRides
import ServerTesting
import Testing

@Suite("Orders with kangaroo delivery", .inCity(.usual, setup: .live), .timeLimit(.minutes(5)))
struct CourierTests {
    private let shop = TestShop.current
    private let customer: Caller
    private let order: Order
    /// The id of the order's ride.
    private let id: String

    init() async throws {
        try await shop.add(.calm(2))
        customer = try await shop.customer()
        order = try await customer.orderByKangaroo()
        id = try #require(order.rideId)
    }

    @Test func `An order is fulfilled at pick-up and delivered at drop-off, at the ride's times`() async throws {
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

    @Test func `A guest's order whose ride ended during a pause is delivered at the times of the ride`() async throws {
        let guest = try await shop.guest()
        let order = try await guest.orderByKangaroo()
        try await guest.ride(#require(order.rideId)).problem(.forbidden)
        try await shop.advanceCity()
        shop.clock.advance(by: 600)
        try await eventually { try await guest.order(id: order.id).status == .delivered }
        let history = try await guest.order(id: order.id).history
        #expect(history.map(\.status) == [.pending, .paid, .fulfilled, .delivered])
        #expect(history.map(\.at) == history.map(\.at).sorted())
        #expect(history[3].at < shop.clock.now.addingTimeInterval(-300))
        // Each event has the order as it was then, though both steps are made at once.
        let told = try await shop.events(of: order.id).map { try $0.shopEvent.data.order?.status }
        #expect(told == [.paid, .fulfilled, .delivered])
        // Other than that of a deleted account, its ride stays stored.
        _ = try await shop.record(ofRide: #require(order.rideId))
    }

    @Test func `The customer can see the delivery ride, not cancel it, and can request a ride as well`() async throws {
        try await customer.cancelRide(id).problem(.notCancellable)
        #expect(try await customer.rides() == [])
        let other = try await shop.customer("bob@example.com")
        try await other.ride(id).problem(.notFound)
        try await other.cancelRide(id).problem(.notFound)
        let own = try await customer.requestRide().good()
        #expect(try await customer.rides().map(\.id) == [own.id])
        let stream = try await RideEventStream(customer, "/v1/rides/\(id)/events", port: shop.client.port)
        #expect(try await stream.next()?.update?.status == .requested)
        try await shop.go(id, to: .completed)
        while let event = try await stream.nextUpdate("status"), event.update?.status != .completed {}
        #expect(try await stream.next() == nil)
        #expect(try await customer.receipt(id).good().rideID == id)
    }

    @Test(arguments: [OrderStatus.cancelled, .refunded, .fulfilled], [RideStatus.requested, .accepted, .arriving])
    func `Cancelling, refunding in full or fulfilling by hand before the pick-up cancels the ride permanently`(
        end: OrderStatus, status: RideStatus
    ) async throws {
        let admin = try await shop.admin()
        try await shop.go(id, to: status)
        switch end {
        case .cancelled: try await customer.cancel(order.id).good()
        case .refunded: try await admin.refund(order.id, amount: order.totals.total.amount).good()
        default: try await admin.fulfil(order.id).good()
        }
        let ended = try await customer.order(id: order.id)
        let refunded = end == .fulfilled ? Money(0, .eur) : order.totals.total
        #expect(ended.status == end && ended.payment.refunded == refunded)
        #expect(try await customer.ride(id).good().status == .cancelledByRider)
        #expect(try await shop.busyKangaroos() == [])
        try await shop.advanceCity(by: 600)
        #expect(try await customer.order(id: order.id) == ended)
        if end == .cancelled { try await shop.reconcile(["cap": 10]) }
        if end == .fulfilled { #expect(try await admin.deliver(order.id).good().status == .delivered) }
    }

    @Test(arguments: [RideStatus.requested, .accepted, .inProgress])
    func `A parcel of a deleted account is delivered, and then its ride is deleted`(status: RideStatus) async throws {
        try await shop.go(id, to: status)
        try await customer.deleteAccount().good()
        _ = try await shop.record(ofRide: id)
        try await shop.expectNoRides()
        let statuses = try await shop.rows("SELECT status FROM orders").map { try $0.text(0) }
        #expect(statuses == [OrderStatus.delivered.rawValue])
    }

    @Test func `A partial refund does not cancel the ride`() async throws {
        try await shop.go(id, to: .accepted)
        try await shop.admin().refund(order.id, amount: 100).good()
        try await shop.go(id, to: .completed)
        #expect(try await customer.order(id: order.id).status == .delivered)
    }
}

// Pending refunds stay pending, since the shop does not settle by itself.
@Suite(
    "Another delivery after a failed kangaroo delivery",
    .inCity(.usual, configure: { $0.settlementInterval = .seconds(3_600) }), .timeLimit(.minutes(5)))
struct DeliveryChangeTests {
    private let shop = TestShop.current
    private let customer: Caller

    init() async throws { customer = try await shop.customer() }

    /// The customer's order, for which no kangaroo was found.
    private func unfetched(to address: Address = .atBondi, discount: String? = nil) async throws -> Order {
        let order = try await customer.orderByKangaroo(to: address, discount: discount)
        try await shop.advanceCity()
        return try await customer.order(id: order.id)
    }

    @Test func `An order without a kangaroo stays paid and reports the failure with the other methods`() async throws {
        let order = try await unfetched()
        #expect(order.status == .paid && order.history.map(\.status) == [.pending, .paid])
        let failure = try #require(order.deliveryFailure)
        #expect(failure.reason == .noKangaroo)
        #expect(failure.methods.map(\.id) == ["standard", "express", "kangaroo"])
        let price = try #require(order.shipping?.price)
        #expect(failure.methods.map(\.price) == [Money(490, .eur), Money(990, .eur), price])
        #expect(try await customer.ride(#require(order.rideId)).good().status == .noDriversAvailable)
    }

    @Test(arguments: ["standard", "express"])
    func `A cheaper method refunds the difference once, however often it is chosen`(method: String) async throws {
        let order = try await unfetched()
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
        #expect(try await shop.admin().fulfil(order.id).good().status == .fulfilled)
    }

    @Test(arguments: [false, true])
    func `Cancelling refunds the rest and clears the delivery failure, also after a refunded difference`(
        hasCheaperMethod: Bool
    ) async throws {
        let order = try await unfetched()
        if hasCheaperMethod {
            let changed = try await customer.deliver(order, by: "standard").good()
            try #require(changed.status == .partiallyRefunded)
        }
        let cancelled = try await customer.cancel(order.id).good()
        #expect(cancelled.status == .cancelled && cancelled.deliveryFailure == nil)
        #expect(cancelled.payment.refunded == order.totals.total)
        if !hasCheaperMethod { try await customer.deliver(order, by: "standard").problem(.deliverySettled) }
        try await shop.reconcile(["cap": 10])
    }

    @Test(arguments: [0, 50] as [Int64])
    func `The refunded difference is limited by a refund that is already pending`(left: Int64) async throws {
        let order = try await unfetched()
        // A pending refund, not yet sent to the provider.
        let owed = RefundRecord(
            id: "ref_owed", orderId: order.id, amount: Money(order.totals.total.amount - left, .eur),
            tax: .zero(.eur), lines: [], reason: "late", createdAt: shop.clock.now)
        try await shop.store.write { try $0.refunds.insert(owed) }
        let changed = try await customer.deliver(order, by: "standard").good()
        #expect(changed.shipping?.methodId == "standard" && changed.deliveryFailure == nil)
        let amounts = try await shop.store.read { try $0.refunds.refunds(orderId: order.id) }
            .map(\.refund.amount.amount)
        #expect(amounts.sorted() == (left > 0 ? [left] : []) + [owed.amount.amount])
    }

    @Test func `A more expensive method costs nothing more`() async throws {
        let order = try await unfetched(to: .at(GeoPoint.shop.north(500)))
        #expect(try #require(order.shipping?.price.amount) < 490)
        let changed = try await customer.deliver(order, by: "standard").good()
        #expect(changed.payment == order.payment && changed.status == .paid)
        #expect(changed.shipping?.methodId == "standard" && changed.shipping?.price == order.shipping?.price)
        try await shop.reconcile(["cap": 10])
    }

    @Test func `Free shipping is not refunded`() async throws {
        try await shop.admin().addDiscount(DiscountTerms(code: "SHIP", kind: .freeShipping)).good()
        let order = try await unfetched(discount: "SHIP")
        #expect(order.totals.total == Money(1_000, .eur))
        #expect(order.deliveryFailure?.methods.map(\.price.amount).prefix(2) == [490, 990])
        let changed = try await customer.deliver(order, by: "standard").good()
        #expect(changed.payment == order.payment && changed.deliveryFailure == nil)
        try await shop.reconcile(["cap": 10])
    }

    @Test func `A kangaroo can be requested again with a new ride`() async throws {
        let order = try await unfetched()
        try await shop.add(.calm())
        let changed = try await customer.deliver(order, by: "kangaroo").good()
        let id = try #require(changed.rideId)
        #expect(id != order.rideId && changed.deliveryFailure == nil && changed.payment == order.payment)
        #expect(try await customer.deliver(order, by: "kangaroo").good().rideId == id)
        #expect(try await shop.rows("SELECT 1 FROM rides").count == 2)
        try await shop.go(id, to: .completed)
        #expect(try await customer.order(id: order.id).status == .delivered)
    }

    @Test func `An unknown method, an outdated version and another buyer's order are refused`() async throws {
        let order = try await unfetched()
        try await customer.deliver(order, by: "teleport").problem(.unknownShippingMethod)
        try await customer.deliver(order, by: "standard", ifMatch: "\"77\"").problem(.versionConflict)
        try await shop.customer("bob@example.com").deliver(order, by: "standard").problem(.notFound)
        #expect(try await customer.order(id: order.id) == order)
        let etag = try await customer.call(Contract.order, path: ["id": order.id]).etag
        let changed = try await customer.deliver(order, by: "standard", ifMatch: etag)
        try changed.good()
        #expect(changed.etag != etag)
    }

    @Test func `An order without a delivery failure is not changed`() async throws {
        try await shop.add(.calm())
        let order = try await customer.orderByKangaroo()
        try await customer.deliver(order, by: "standard").problem(.deliverySettled)
        #expect(try await customer.deliver(order, by: "kangaroo").good().rideId == order.rideId)
        #expect(try await shop.rows("SELECT 1 FROM rides").count == 1)
    }

    @Test func `The merchant can fulfil an order by hand after a failed kangaroo delivery`() async throws {
        let order = try await unfetched()
        let sent = try await shop.admin().fulfil(order.id).good()
        #expect(sent.status == .fulfilled && sent.deliveryFailure == nil)
        try await customer.deliver(order, by: "standard").problem(.deliverySettled)
    }
}
