import PouchApp
import PouchClient
import PouchCoordination
import PouchNetwork
import PouchScreens
import Testing

/// What happens meanwhile is told over whatever screen is shown.
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

    /// An order of a ride that has just been asked for is bought.
    private func buy(in test: ShopUnderTest) async throws -> FakeConfirmation {
        test.shop.change { $0.rideId = "rid_1" }
        test.rides.put(Fixture.ride(.requested))
        try await test.goToPayment().pay(email: nil)
        return try await test.top(FakeConfirmation.self)
    }

    @Test func `what becomes of an order that a kangaroo brings is told once each, on the screen that is shown then`()
        async throws
    {
        let test = try ShopUnderTest(.ada)
        let confirmation = try await buy(in: test)
        let connection = await test.rides.connection()
        connection.status(Fixture.ride(.accepted))
        try await test.watch.until { !confirmation.notices.isEmpty }
        try await confirmation.show(.listing(ProductQuery()))
        let listing = try await test.top(FakeListing.self) { $0.products.value != nil }
        // A server that has begun anew may tell again what is known.
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

    @Test func `of an order from before only that is told which happens now`() async throws {
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
        // The program is started again.
        let next = try ShopUnderTest(.ada, shop: test.shop, rides: test.rides)
        let again = await test.rides.connection(1)
        put(Fixture.order(status: .delivered, rideId: "rid_1"), in: next)
        again.status(Fixture.ride(.completed))
        let later = try await next.top(FakeHome.self) { !$0.notices.isEmpty }
        #expect(later.notices.map(\.text) == [Self.delivered])
        let last = try ShopUnderTest(.ada, shop: test.shop, rides: test.rides)
        try await eventually { last.shop.requests("GET /v1/orders") == 3 }
        let end = try await last.top(FakeHome.self) { $0.promotions.value != nil && $0.status.visitor != .nobody }
        #expect(end.notices.isEmpty)
        #expect(test.rides.connections.count == 2)
    }

    @Test func `where no kangaroo comes that is told, and another one that is sent for is followed as well`()
        async throws
    {
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

    @Test func `a guest, who cannot see rides, is told what the order says, by looking again from time to time`()
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

    @Test func `after a change of hands nothing more is told of whoever was here, and their connection ends`()
        async throws
    {
        let test = try ShopUnderTest(.bea, isReady: false)
        put(Fixture.order(rideId: "rid_1"), Fixture.ride(.requested), in: test, of: .bea)
        test.app.dependency = AppDependency(test.client)
        let connection = await test.rides.connection()
        try await test.client.account.signIn(email: "ada@example.org", password: "12345678")
        await connection.end()
        connection.status(Fixture.ride(.accepted))
        let home = try await test.top(FakeHome.self) { $0.status.visitor != .nobody }
        try await eventually { test.shop.requests("GET /v1/orders") == 2 }
        #expect(home.notices.isEmpty)
        #expect(test.rides.open == 0)
    }

    @Test func `a tree that stops or is dropped leaves no connection`() async throws {
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

    @Test func `what was told on a screen that goes before anybody could read it is told on the next`() async throws {
        let test = try ShopUnderTest(.ada)
        let payment = try await test.goToPayment()
        test.app.tell(Notice("The first."))
        test.app.tell(Notice("The second."))
        #expect(payment.notices.count == 2)
        try await payment.pay(email: nil)
        try await test.top(FakeConfirmation.self) { $0.notices.map(\.text) == ["The first.", "The second."] }
    }

    @Test func `orders that the shop fails to list are asked for again after a while`() async throws {
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

    @Test func `an order that was under way while the shop was away is followed when it is back`() async throws {
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
