import Foundation
import HummingbirdTesting
import PouchContract
import PouchDomain
import PouchEntities
import PouchHTTP
import PouchServer
import PouchStorage
import PouchWire
import Testing

@Suite("Orders that a kangaroo brings", .timeLimit(.minutes(2)))
struct CourierTests {
    // MARK: The choice

    @Test(
        arguments: [
            ("latitude=-33.8915&longitude=151.2767", true), ("country=AU&postalCode=2026", false),
            ("latitude=-33.8861&longitude=151.2111", true), ("latitude=-33.7117&longitude=150.3109", false),
        ])
    func `It is offered last, and only for a place that is known and in reach`(query: String, isOffered: Bool)
        async throws
    {
        try await TestShop.open { shop in
            let methods = try await shop.guest().call(Contract.shippingMethods, query: query).good().items
            #expect(methods.map(\.id) == ["standard", "express"] + (isOffered ? ["kangaroo"] : []))
        }
    }

    @Test(
        arguments: [
            (0, 1, "wallaby"), (20_000, 1, "wallaby"), (10_000, 2, "wallaby"), (20_001, 1, "wallaroo"),
            (30_000, 2, "wallaroo"), (60_001, 1, "kangaroo"), (150_000, 1, "kangaroo"), (150_001, 1, nil),
            (75_001, 2, nil),
        ] as [(Int, Int, String?)])
    func `The price is the fare of the species that carries the weight, and what none carries is not offered`(
        grams: Int, quantity: Int, species: String?
    ) async throws {
        try await TestShop.open([.weighing(grams)]) { shop in
            let customer = try await shop.customer()
            try await customer.add("anvil", quantity).good()
            let query = "latitude=\(GeoPoint.bondi.latitude)&longitude=\(GeoPoint.bondi.longitude)"
            let offered = try await customer.call(Contract.shippingMethods, query: query).good().items
                .first { $0.id == "kangaroo" }
            let trip = RideWaypoints(pickupLocation: .shop, dropoffLocation: .bondi)
            let fare = try await customer.quotes(trip).first { $0.rideOptionID == species }?.fare
            #expect(offered?.price == fare)
            let chosen = try await customer.ship("kangaroo", to: .atBondi)
            if let fare {
                #expect(try chosen.good().totals.shipping == fare)
            } else {
                try chosen.problem(.unknownShippingMethod)
            }
        }
    }

    @Test func `An address that says not where it is, or lies too far, cannot be chosen`() async throws {
        try await TestShop.open { shop in
            let guest = try await shop.guest()
            try await guest.add("cap").good()
            try await guest.ship("kangaroo").problem(.locationRequired)
            try await guest.ship("kangaroo", to: .at(GeoPoint.shop.north(20_100))).problem(.unknownShippingMethod)
            try await guest.ship("kangaroo", to: .at(GeoPoint.shop.north(19_900))).good()
            let purchase = BuyNowRequest(
                lines: [LineRequest(sku: "cap", quantity: 1)], address: AddressInput(.sample), methodId: "kangaroo",
                paymentMethod: .card(token: "tok_ok"), expectedTotal: Money(1_000, .eur), email: "guest@example.com")
            try await guest.call(Contract.buyNow, purchase, headers: [HeaderName.idempotencyKey: "k"])
                .problem(.locationRequired)
        }
    }

    // MARK: The course

    @Test func `The order is sent when it is fetched and delivered when it arrives, at the times of its ride`()
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
            try await shop.books(["cap": 10])
        }
    }

    @Test func `After a pause in which all of it happened the order was sent and delivered`() async throws {
        try await TestShop.open(kangaroos: .calm(), .usual) { shop in
            let guest = try await shop.guest()
            let order = try await guest.orderByKangaroo()
            _ = try await City(shop.environment).advance()
            shop.clock.advance(by: 600)
            try await eventually { try await guest.order(id: order.id).status == .delivered }
            let history = try await guest.order(id: order.id).history
            #expect(history.map(\.status) == [.pending, .paid, .fulfilled, .delivered])
            #expect(history.map(\.at) == history.map(\.at).sorted())
            #expect(history[3].at < shop.clock.now.addingTimeInterval(-300))
        }
    }

    @Test func `The ride is the shop's: its customer may look and not call it off, and may ride beside it`()
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
            let stream = try await RideEventStream(customer, id, port: shop.client.port)
            #expect(try await stream.next()?.update?.status == .requested)
            try await shop.go(id, to: .completed)
            while let event = try await stream.nextUpdate("status") {
                if event.update?.status == .completed { break }
            }
            #expect(try await stream.next() == nil)
            #expect(try await customer.receipt(id).good().rideID == id)
        }
    }

    @Test func `A guest's order is brought too, though guests see no rides`() async throws {
        try await TestShop.open(kangaroos: .calm(), .usual) { shop in
            let guest = try await shop.guest()
            let order = try await guest.orderByKangaroo()
            let id = try #require(order.rideId)
            try await guest.ride(id).problem(.forbidden)
            try await shop.go(id, to: .completed)
            #expect(try await guest.order(id: order.id).status == .delivered)
        }
    }

    // MARK: Once

    @Test func `The same checkout many times asks for one ride`() async throws {
        try await TestShop.open(kangaroos: .calm(3), .usual) { shop in
            let guest = try await shop.guest()
            try await guest.add("cap").good()
            let total = try await guest.ship("kangaroo", to: .atBondi).good().totals.total.amount
            let answers = try await parallel(5) { _ in
                try await patiently { try await guest.checkout(total: total, key: "k") }
            }
            #expect(Set(answers.map(\.body)).count == 1)
            #expect(try await shop.rows("SELECT 1 FROM rides").count == 1)
            #expect(try answers[0].good().rideId != nil)
        }
    }

    @Test func `An order whose payment was settled later is sent then, once`() async throws {
        try await TestShop.open(
            kangaroos: .calm(3), .usual, configure: { $0.settlementInterval = .seconds(3_600) }
        ) { shop in
            let guest = try await shop.guest()
            let order = try await guest.orderByKangaroo(card: "tok_lost")
            #expect(order.status == .pending && order.rideId == nil)
            #expect(try await shop.rows("SELECT 1 FROM rides").isEmpty)
            shop.clock.advance(by: OrderSettlement.patience)
            let settlement = shop.services.checkout.settlement
            _ = try await parallel(6) { _ in try await settlement.settleAll() }
            let paid = try await guest.order(id: order.id)
            #expect(paid.status == .paid)
            let rides = try await shop.rows("SELECT id FROM rides WHERE order_id = ?", [.text(order.id)])
            #expect(try rides.map { try $0.text(0) } == [paid.rideId])
        }
    }

    @Test func `What is not paid asks for no ride`() async throws {
        try await TestShop.open(kangaroos: .calm(), .usual) { shop in
            let guest = try await shop.guest()
            try await guest.add("cap").good()
            try await guest.ship("kangaroo", to: .atBondi).good()
            try await guest.checkout("tok_declined").problem(.paymentDeclined)
            #expect(try await shop.rows("SELECT 1 FROM rides").isEmpty)
        }
    }

    // MARK: Cancelling

    @Test(arguments: [RideStatus.requested, .accepted, .arriving])
    func `Cancelling the order calls the ride off, and frees the kangaroo`(status: RideStatus) async throws {
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
            _ = try await City(shop.environment).advance()
            #expect(try await customer.order(id: order.id) == cancelled)
            try await shop.books(["cap": 10])
        }
    }

    @Test func `Once it was fetched it cannot be cancelled`() async throws {
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
    func `Given back in full before it was fetched, it is not sent; given back in part it is`(isWhole: Bool)
        async throws
    {
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

    // MARK: Nobody comes

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
            try await shop.environment.store.write { try $0.drivers.insert(.calm()) }
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
        try await TestShop.open(kangaroos: [], .usual) { shop in
            if discount != nil {
                try await shop.admin().addDiscount(DiscountTerms(code: "SHIP", kind: .freeShipping)).good()
            }
            let customer = try await shop.customer()
            let order = try await customer.orderByKangaroo(to: address, discount: discount)
            _ = try await City(shop.environment).advance()
            try await body(shop, customer, try await customer.order(id: order.id))
        }
    }
}

extension Caller {
    /// Buys a cap that a kangaroo is to bring.
    func orderByKangaroo(
        to address: Address = .atBondi, card: String = "tok_ok", discount: String? = nil
    ) async throws -> Order {
        try await add("cap").good()
        if let discount { try await self.discount(discount).good() }
        try await ship("kangaroo", to: address).good()
        return try await checkout(card).good()
    }

    /// Chooses another way of delivery.
    func deliver(_ order: Order, by method: String, ifMatch: String? = nil) async throws -> Answered<Order> {
        try await call(
            Contract.changeDelivery, DeliveryRequest(methodId: method), path: ["id": order.id],
            headers: ifMatch.map { [HeaderName.ifMatch: $0] } ?? [:])
    }
}

extension GeoPoint {
    /// Where the standard shop is.
    static let shop = GeoPoint(latitude: -33.8861, longitude: 151.2111)
}

extension Address {
    static let atBondi = at(.bondi)

    static func at(_ location: GeoPoint) -> Address {
        Address(
            name: "Ada", line1: "Campbell Parade 1", city: "Bondi Beach", region: "NSW", postalCode: "2026",
            country: "AU", location: location)
    }
}

extension FeedProduct {
    /// An anvil of so many grams.
    fileprivate static func weighing(_ grams: Int) -> FeedProduct {
        FeedProduct(
            line: 1, handle: "anvil", name: "Anvil", categoryName: "Things",
            variants: [
                FeedVariant(sku: "anvil", options: [:], price: Money(1_000, .eur), stock: 10, weightGrams: grams)
            ])
    }
}
