import PouchApp
import PouchClient
import PouchCoordination
import PouchNetwork
import PouchScreens
import Testing

/// Notices about deliveries, on the screen that is on top.
@MainActor
@Suite(.timeLimit(.minutes(1)))
struct NotificationTests {
    private static let fetches = "Skippy fetches your order P-1."
    private static let isOnTheWay = "Skippy has your order P-1 and is on the way: 1 min."
    private static let delivered = "Order P-1 was delivered."
    private static let nobodyCame = "No kangaroo came for order P-1: choose another way of delivery in its page."
    private static let failure = DeliveryFailure(
        reason: .noKangaroo,
        methods: [ShippingMethod(id: "kangaroo", name: "Kangaroo", price: Fixture.euros(900), estimate: "today")])

    private func put(_ order: Order, _ ride: Ride? = nil, in test: ShopUnderTest, of shopper: Shopper = .ada) {
        test.shop.change { $0.orders[shopper.owner] = [order] }
        if let ride { test.rides.put(ride, of: shopper) }
    }

    /// Buys an order whose ride has just been requested.
    private func buy(in test: ShopUnderTest) async throws -> FakeConfirmation {
        test.shop.change { $0.rideId = "rid_1" }
        test.rides.put(Fixture.ride(.requested))
        try await test.goToPayment().pay(email: nil)
        return try await test.top(FakeConfirmation.self)
    }

    @Test func `each progress of a kangaroo's delivery is shown once, on the screen that is on top`() async throws {
        let test = try ShopUnderTest(.ada)
        let confirmation = try await buy(in: test)
        let connection = await test.rides.connection()
        connection.status(Fixture.ride(.accepted))
        try await test.watch.until { !confirmation.notices.isEmpty }
        try await confirmation.show(.listing(ProductQuery()))
        let listing = try await test.top(FakeListing.self) { $0.products.value != nil }
        // A restarted server may repeat known events.
        connection.status(Fixture.ride(.accepted))
        connection.position(Fixture.ride(.accepted).moved(to: -33.86, etaSeconds: 20))
        connection.status(Fixture.ride(.arriving))
        connection.status(Fixture.ride(.inProgress))
        try await test.watch.until { !listing.notices.isEmpty }
        put(Fixture.order(status: .delivered, rideId: "rid_1"), in: test)
        connection.status(Fixture.ride(.completed))
        try await test.watch.until { listing.notices.count == 2 }
        #expect(confirmation.notices.map(\.text) == [Self.fetches])
        #expect(listing.notices.map(\.text) == [Self.isOnTheWay, Self.delivered])
        await connection.end()
        #expect(test.rides.connections.count == 1)
    }

    @Test func `an earlier order shows notices of new events only`() async throws {
        let test = try ShopUnderTest(.ada, isReady: false)
        put(Fixture.order(rideId: "rid_1"), Fixture.ride(.accepted), in: test)
        test.app.dependency = AppDependency(test.client)
        let connection = await test.rides.connection()
        connection.status(Fixture.ride(.inProgress))
        let home = try await test.top(FakeHome.self) { !$0.notices.isEmpty }
        #expect(home.notices.map(\.text) == [Self.isOnTheWay])
        test.rides.put(Fixture.ride(.inProgress))
        test.app.stop()
        await connection.end()
        // The program restarts.
        let next = try ShopUnderTest(.ada, shop: test.shop, rides: test.rides)
        let again = await test.rides.connection(1)
        put(Fixture.order(status: .delivered, rideId: "rid_1"), in: next)
        again.status(Fixture.ride(.completed))
        let later = try await next.top(FakeHome.self) { !$0.notices.isEmpty }
        #expect(later.notices.map(\.text) == [Self.delivered])
        let last = try ShopUnderTest(.ada, shop: test.shop, rides: test.rides)
        try await eventually { last.shop.requests("GET /v1/orders") == 3 }
        let end = try await last.top(FakeHome.self) { $0.promotions.value != nil && $0.status.visitor != .signedOut }
        #expect(end.notices.isEmpty)
        #expect(test.rides.connections.count == 2)
    }

    @Test func `a delivery without a kangaroo shows a notice, and the next kangaroo is followed`() async throws {
        let test = try ShopUnderTest(.ada)
        let confirmation = try await buy(in: test)
        let connection = await test.rides.connection()
        put(Fixture.order(rideId: "rid_1", deliveryFailure: Self.failure), in: test)
        connection.status(Fixture.ride(.noDriversAvailable))
        try await test.watch.until { !confirmation.notices.isEmpty }
        try await confirmation.show(.order(id: "ord_1"))
        let page = try await test.top(FakeOrder.self) { $0.order.value?.deliveryFailure != nil }
        test.shop.change { $0.rideId = "rid_2" }
        test.rides.put(Fixture.ride(.requested, id: "rid_2"))
        try await page.send(to: (any OrderMessages).self) { try await $0.orderChangeDelivery(methodId: "kangaroo") }
        await test.rides.connection(1).status(Fixture.ride(.accepted, id: "rid_2"))
        try await test.watch.until { !page.notices.isEmpty }
        #expect(confirmation.notices.map(\.text) == [Self.nobodyCame])
        #expect(page.notices.map(\.text) == [Self.fetches])
    }

    @Test func `a guest, who cannot follow rides, gets notices from the order, which is read at intervals`()
        async throws
    {
        let clock = ManualClock()
        let test = try ShopUnderTest(clock: clock)
        test.shop.change {
            $0.rideId = "rid_1"
            $0.orderStatus = .pending
        }
        try await test.goToPayment().pay()
        let confirmation = try await test.top(FakeConfirmation.self)
        for status in [OrderStatus.paid, .fulfilled, .delivered] {
            put(Fixture.order(status: status, rideId: "rid_1"), in: test, of: .guest)
            await clock.advance(by: .seconds(5))
            if status != .delivered { await clock.sleepers() }
        }
        try await test.watch.until { confirmation.notices.count == 2 }
        #expect(
            confirmation.notices.map(\.text)
                == ["A kangaroo has your order P-1 and is on the way.", Self.delivered])
        #expect(test.rides.requests.isEmpty)
        #expect(test.shop.requests("GET /v1/orders/ord_1") == 3)
        #expect(clock.sleeperCount == 0)
    }

    @Test func `after a change of session the earlier one's notices and connections end`() async throws {
        let test = try ShopUnderTest(.bea, isReady: false)
        put(Fixture.order(rideId: "rid_1"), Fixture.ride(.requested), in: test, of: .bea)
        test.app.dependency = AppDependency(test.client)
        let connection = await test.rides.connection()
        try await test.client.account.signIn(email: "ada@example.org", password: "12345678")
        await connection.end()
        connection.status(Fixture.ride(.accepted))
        let home = try await test.top(FakeHome.self) { $0.status.visitor != .signedOut }
        try await eventually { test.shop.requests("GET /v1/orders") == 2 }
        #expect(home.notices.isEmpty)
        #expect(test.rides.open == 0)
    }

    @Test func `a stopped or deallocated tree leaves no connection`() async throws {
        for stops in [true, false] {
            var test: ShopUnderTest? = try ShopUnderTest(.ada, isReady: false)
            let rides = try #require(test).rides
            if let shop = test {
                put(Fixture.order(rideId: "rid_1"), Fixture.ride(.requested), in: shop)
                shop.app.dependency = AppDependency(shop.client)
            }
            let connection = await rides.connection()
            if stops { test?.app.stop() }
            test = nil
            await connection.end()
        }
    }

    @Test func `notices of a screen that leaves move to the next`() async throws {
        let test = try ShopUnderTest(.ada)
        let payment = try await test.goToPayment()
        test.app.notify(Notice("The first."))
        test.app.notify(Notice("The second."))
        #expect(payment.notices.count == 2)
        try await payment.pay(email: nil)
        try await test.top(FakeConfirmation.self) { $0.notices.map(\.text) == ["The first.", "The second."] }
    }

    @Test func `orders that the shop fails to list are requested again after a pause`() async throws {
        let clock = ManualClock()
        let test = try ShopUnderTest(.ada, isReady: false)
        put(Fixture.order(rideId: "rid_1"), Fixture.ride(.requested), in: test)
        test.shop.change { $0.refusals["/v1/orders"] = .problem(.internalError) }
        var dependency = AppDependency(test.client)
        dependency.clock = clock
        test.app.dependency = dependency
        await clock.sleepers()
        test.shop.change { $0.refusals["/v1/orders"] = nil }
        await clock.advance(by: .seconds(5))
        await test.rides.connection().status(Fixture.ride(.accepted))
        try await test.top(FakeHome.self) { $0.notices.map(\.text) == [Self.fetches] }
        #expect(test.shop.requests("GET /v1/orders") == 2)
    }

    @Test func `an order under way during an outage is followed when the shop is back`() async throws {
        let test = try ShopUnderTest(.ada, isReady: false)
        put(Fixture.order(rideId: "rid_1"), Fixture.ride(.requested), in: test)
        test.shop.line = .down
        test.app.dependency = AppDependency(test.client)
        try await test.top(FakeHome.self) { $0.status.connectivity == .offline }
        test.shop.line = .up
        await test.rides.connection().status(Fixture.ride(.accepted))
        try await test.top(FakeHome.self) { $0.notices.map(\.text) == [Self.fetches] }
    }
}
