import ClientTesting
import Foundation
import PouchApp
import PouchClient
import PouchTesting
import Testing

/// Delivery by kangaroo: where to, how it stands, and what to do when none came.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct DeliveryTests {
    private let test: ShopUnderTest

    init() throws { test = try ShopUnderTest(.ada) }

    private func openOrder(_ order: Order, _ ride: Ride? = nil) async throws -> RecordingOrderScreen {
        test.shop.change { $0.orders[Shopper.ada.owner] = [order] }
        if let ride { test.shop.put(ride) }
        return try await test.open(.order(id: order.id)) { $0.order.value != nil }
    }

    @Test func `an order's page shows its ride's progress, and reads the order at each status`() async throws {
        let page = try await openOrder(Fixture.order(rideId: "rid_1"), Ride.sample(.requested))
        try await test.record.until { page.ride?.status == .requested }
        let connection = try await test.shop.rideStream()
        connection.send(status: Ride.sample(.accepted))
        try await test.record.until { page.ride?.status == .accepted }
        let near = Ride.sample(.accepted).moved(to: -33.86, etaSeconds: 20)
        connection.send(position: near)
        try await test.record.until { page.ride == near }
        test.shop.change { $0.orders[Shopper.ada.owner] = [Fixture.order(status: .fulfilled, rideId: "rid_1")] }
        connection.send(status: Ride.sample(.inProgress))
        try await test.record.until { page.order.value?.status == .fulfilled && !page.order.isLoading }
        // Leaving the screen ends the last subscription to the ride.
        test.surface.presented?.goBack()
        try await test.top(RecordingHomeScreen.self)
        test.app.child(NotificationCoordinator.self)?.stop()
        await connection.waitForEnd()
        #expect(test.shop.rideStreams.count == 1)
    }

    @Test func `an order that is delivered before the ride's last event no longer shows the ride`() async throws {
        let page = try await openOrder(Fixture.order(rideId: "rid_1"), Ride.sample(.inProgress))
        try await test.record.until { page.ride?.status == .inProgress }
        test.shop.change { $0.orders[Shopper.ada.owner] = [Fixture.order(status: .delivered, rideId: "rid_1")] }
        try await page.send(Refresh())
        #expect(page.order.value?.status == .delivered && page.ride == nil)
    }

    @Test func `a ride whose events fail is no longer shown`() async throws {
        let page = try await openOrder(Fixture.order(rideId: "rid_1"), Ride.sample(.accepted))
        try await test.record.until { page.ride?.status == .accepted }
        let connection = try await test.shop.rideStream()
        test.shop.failNext(Contract.rideEvents, with: .problem(.notFound))
        connection.send("retry: 1\n\n")
        connection.cut()
        try await test.record.until { page.ride == nil }
        #expect(page.order.value?.status == .paid)
    }

    @Test func `the order's page changes the delivery method, and reads a settled order again`() async throws {
        let failure = DeliveryFailure(reason: .noKangaroo, methods: [ShippingMethod.sample()])
        let page = try await openOrder(Fixture.order(rideId: "rid_1", deliveryFailure: failure))
        try await page.send(ChangeDelivery(methodId: "standard"))
        #expect(page.order.value?.deliveryFailure == nil && page.order.failure == nil)
        test.shop.change { $0.orders[Shopper.ada.owner] = [Fixture.order(status: .fulfilled)] }
        let refusal = await thrownFailure { try await page.send(ChangeDelivery(methodId: "express")) }
        #expect(refusal?.text == "The shipping method can no longer be changed.")
        try await test.record.until { page.order.value?.status == .fulfilled }
    }

    @Test func `places are found by name, and delivery methods need the location`() async throws {
        let test = try ShopUnderTest()
        try await test.fillCart().send(BeginCheckout())
        let screen = try await test.top(RecordingShippingScreen.self) { $0.methods.value != nil }
        try await screen.send(FindPlaces(matching: "opera"))
        let place = try #require(screen.places.value?.first)
        #expect(place == NamedLocation.sample())
        try await screen.send(FindShippingMethods(country: "AU", postalCode: "2000", location: place.location))
        let asked = try #require(test.shop.requests(to: Contract.shippingMethods).last)
        #expect(asked.url.query()?.contains("latitude=-33.857") == true)
        test.shop.failNext(Contract.setCartShipping, with: .problem(.locationRequired))
        #expect(await thrownFailure { try await test.deliver(screen) }?.fields.map(\.name) == ["address.location"])
        let reads = test.shop.requests(to: Contract.shippingMethods).count
        test.shop.failNext(Contract.setCartShipping, with: .problem(.unknownShippingMethod))
        #expect(await thrownFailure { try await test.deliver(screen) }?.remedy == .review)
        #expect(test.shop.requests(to: Contract.shippingMethods).count == reads + 1)
    }
}

/// Notices about deliveries, on the screen that is on top.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct NotificationTests {
    private let test: ShopUnderTest

    init() throws { test = try ShopUnderTest(.ada) }

    private static let fetches = "Skippy is picking up your order P-1."
    private static let isOnTheWay = "Skippy has picked up your order P-1 and is on the way: 1 min."
    private static let delivered = "Order P-1 was delivered."
    private static let nobodyCame =
        "No kangaroo was available for order P-1. Choose another delivery method on the order's page."
    private static let failure = DeliveryFailure(reason: .noKangaroo, methods: [.sample(id: "kangaroo", price: 9_00)])

    private func put(_ order: Order, _ ride: Ride? = nil, in test: ShopUnderTest, of shopper: Shopper = .ada) {
        test.shop.change { $0.orders[shopper.owner] = [order] }
        if let ride { test.shop.put(ride, of: shopper.owner) }
    }

    /// A tree without managers, in a shop whose ride for an order has just been requested.
    private func waiting(_ shopper: Shopper = .ada) throws -> ShopUnderTest {
        let test = try ShopUnderTest(shopper, isReady: false)
        put(Fixture.order(rideId: "rid_1"), Ride.sample(.requested), in: test, of: shopper)
        return test
    }

    /// Buys an order whose ride has just been requested.
    private func buy() async throws -> RecordingConfirmationScreen {
        test.shop.change { $0.rideId = "rid_1" }
        test.shop.put(Ride.sample(.requested))
        return try await test.buy(test.goToPayment(), email: nil)
    }

    @Test func `each progress of a kangaroo's delivery is shown once, on the screen that is on top`() async throws {
        let confirmation = try await buy()
        let connection = try await test.shop.rideStream()
        connection.send(status: Ride.sample(.accepted))
        try await test.record.until { !confirmation.notices.isEmpty }
        let listing: RecordingListingScreen = try await test.open(.listing(ProductQuery())) { $0.products.value != nil }
        // A restarted server may repeat known events.
        connection.send(status: Ride.sample(.accepted))
        connection.send(position: Ride.sample(.accepted).moved(to: -33.86, etaSeconds: 20))
        connection.send(status: Ride.sample(.arriving))
        connection.send(status: Ride.sample(.inProgress))
        try await test.record.until { !listing.notices.isEmpty }
        put(Fixture.order(status: .delivered, rideId: "rid_1"), in: test)
        connection.send(status: Ride.sample(.completed))
        try await test.record.until { listing.notices.count == 2 }
        #expect(confirmation.notices.map(\.text) == [Self.fetches])
        #expect(listing.notices.map(\.text) == [Self.isOnTheWay, Self.delivered])
        #expect(listing.notices.allSatisfy { $0.page == .order(id: "ord_1") })
        await connection.waitForEnd()
        #expect(test.shop.rideStreams.count == 1)
    }

    @Test func `an earlier order shows notices of new events only`() async throws {
        let test = try ShopUnderTest(.ada, isReady: false)
        put(Fixture.order(rideId: "rid_1"), Ride.sample(.accepted), in: test)
        test.app.dependency = AppDependency(test.client)
        let connection = try await test.shop.rideStream()
        connection.send(status: Ride.sample(.inProgress))
        let home = try await test.top(RecordingHomeScreen.self) { !$0.notices.isEmpty }
        #expect(home.notices.map(\.text) == [Self.isOnTheWay])
        test.shop.put(Ride.sample(.inProgress))
        test.app.stop()
        await connection.waitForEnd()
        // The program restarts.
        let next = try ShopUnderTest(.ada, shop: test.shop)
        let again = try await test.shop.rideStream(1)
        put(Fixture.order(status: .delivered, rideId: "rid_1"), in: next)
        again.send(status: Ride.sample(.completed))
        let later = try await next.top(RecordingHomeScreen.self) { !$0.notices.isEmpty }
        #expect(later.notices.map(\.text) == [Self.delivered])
        let last = try ShopUnderTest(.ada, shop: test.shop)
        try await eventually { last.shop.requests(to: Contract.orders).count == 3 }
        let end = try await last.top(RecordingHomeScreen.self) { $0.promotions.value != nil }
        try await last.record.until { end.status.visitor != .signedOut }
        #expect(end.notices.isEmpty)
        #expect(test.shop.rideStreams.count == 2)
    }

    @Test func `a delivery without a kangaroo shows a notice, and the next kangaroo is followed`() async throws {
        let confirmation = try await buy()
        let connection = try await test.shop.rideStream()
        put(Fixture.order(rideId: "rid_1", deliveryFailure: Self.failure), in: test)
        connection.send(status: Ride.sample(.noDriversAvailable))
        try await test.record.until { !confirmation.notices.isEmpty }
        try await confirmation.send(ShopPage.order(id: "ord_1"))
        let page = try await test.top(RecordingOrderScreen.self) { $0.order.value?.deliveryFailure != nil }
        test.shop.change { $0.rideId = "rid_2" }
        test.shop.put(Ride.sample(.requested, id: "rid_2"))
        try await page.send(ChangeDelivery(methodId: "kangaroo"))
        try await test.shop.rideStream(1).send(status: Ride.sample(.accepted, id: "rid_2"))
        try await test.record.until { !page.notices.isEmpty }
        #expect(confirmation.notices.map(\.text) == [Self.nobodyCame])
        #expect(page.notices.map(\.text) == [Self.fetches])
    }

    @Test func `a guest, who cannot follow rides, gets notices from the order, read at intervals`() async throws {
        let clock = ManualClock()
        let test = try ShopUnderTest(clock: clock)
        test.shop.change {
            $0.rideId = "rid_1"
            $0.orderStatus = .pending
        }
        let confirmation = try await test.buy(test.goToPayment())
        for status in [OrderStatus.paid, .fulfilled, .delivered] {
            put(Fixture.order(status: status, rideId: "rid_1"), in: test, of: .guest)
            await clock.advance(by: .seconds(5))
            if status != .delivered { await clock.sleepers() }
        }
        try await test.record.until { confirmation.notices.count == 2 }
        let pickedUp = "A kangaroo has picked up your order P-1 and is on its way."
        #expect(confirmation.notices.map(\.text) == [pickedUp, Self.delivered])
        #expect(test.shop.requests(to: Contract.ride).isEmpty && test.shop.rideStreams.isEmpty)
        #expect(test.shop.requests(to: Contract.order).count == 3)
        #expect(clock.sleeperCount == 0)
    }

    @Test func `after a change of session the earlier one's notices and connections end`() async throws {
        let test = try waiting(.bea)
        test.app.dependency = AppDependency(test.client)
        let connection = try await test.shop.rideStream()
        try await test.client.account.signIn(email: "ada@example.org", password: "12345678")
        await connection.waitForEnd()
        connection.send(status: Ride.sample(.accepted))
        let home = try await test.top(RecordingHomeScreen.self) { $0.status.visitor != .signedOut }
        try await eventually { test.shop.requests(to: Contract.orders).count == 2 }
        #expect(home.notices.isEmpty)
        #expect(test.shop.rideStreams.allSatisfy { $0.hasEnded })
    }

    @Test func `a stopped or deallocated tree leaves no connection`() async throws {
        for stops in [true, false] {
            var test: ShopUnderTest? = try waiting()
            let shop = try #require(test).shop
            if let client = test?.client { test?.app.dependency = AppDependency(client) }
            let connection = try await shop.rideStream()
            if stops { test?.app.stop() }
            test = nil
            await connection.waitForEnd()
        }
    }

    @Test func `notices of a screen that leaves move to the next`() async throws {
        let payment = try await test.goToPayment()
        test.app.notify(Notice("The first."))
        test.app.notify(Notice("The second."))
        #expect(payment.notices.count == 2)
        let confirmation = try await test.buy(payment, email: nil)
        try await test.record.until { confirmation.notices.map(\.text) == ["The first.", "The second."] }
    }

    enum Leaving: CaseIterable {
        case back, toHome, dismissed, stopped
    }

    @Test(arguments: Leaving.allCases)
    func `however a screen leaves, its notices move to the one that is on top then`(_ leaving: Leaving) async throws {
        let home = try await test.top(RecordingHomeScreen.self) { $0.status.visitor != .signedOut }
        try await home.send(leaving == .back || leaving == .toHome ? ShopPage.product(handle: "rosa") : .orders)
        let screen = try #require(test.surface.top.screens.last as? RecordingScreen)
        test.app.notify(Notice("The news."))
        #expect(screen.notices == [Notice("The news.")])
        switch leaving {
        case .back, .dismissed: test.surface.top.goBack()
        case .toHome: try await screen.send(ShopPage.home)
        case .stopped: try #require(screen.coordinatingResponder as? AccountCoordinator).stop()
        }
        try await test.record.until { home.notices == [Notice("The news.")] }
        #expect(screen.notices.isEmpty)
    }

    private final class Flow: ShopCoordinator {
        let screen: RecordingScreen

        init(over test: ShopUnderTest) {
            screen = RecordingScreen(test.record)
            super.init(on: test.app.stack.present(), screens: test.app.factory)
        }

        override func didStart() { display(screen) }
    }

    @Test func `notices of a flow that a page of the shop ends move to that page`() async throws {
        let flow = Flow(over: test)
        test.app.start(flow)
        test.app.notify(Notice("The news."))
        #expect(flow.screen.notices.count == 1)
        try await test.app.receivePush(PushMessage(page: .cart), isTapped: true)
        try await test.top(RecordingCartScreen.self) { $0.notices == [Notice("The news.")] }
    }

    @Test func `a notice goes below a screen that cannot show it, to the next that can`() async throws {
        _ = test.app.startFlow()
        try await test.app.open(.orders)
        let orders = try await test.top(RecordingOrdersScreen.self)
        test.app.notify(Notice("The news."))
        test.surface.top.goBack()
        let home = try #require(test.surface.screens.last as? RecordingHomeScreen)
        try await test.record.until { home.notices == [Notice("The news.")] }
        #expect(orders.notices.isEmpty)
    }

    @Test func `orders that the shop fails to list are requested again after a pause`() async throws {
        let (clock, test) = (ManualClock(), try waiting())
        test.shop.answer(Contract.orders) { _ in .problem(.internalError) }
        var dependency = AppDependency(test.client)
        dependency.clock = clock
        test.app.dependency = dependency
        await clock.sleepers()
        test.shop.answerItself(Contract.orders)
        await clock.advance(by: .seconds(5))
        try await test.shop.rideStream().send(status: Ride.sample(.accepted))
        try await test.top(RecordingHomeScreen.self) { $0.notices.map(\.text) == [Self.fetches] }
        #expect(test.shop.requests(to: Contract.orders).count == 2)
    }

    @Test func `an order under way during an outage is followed when the shop is back`() async throws {
        let test = try waiting()
        test.shop.connection = .down
        test.app.dependency = AppDependency(test.client)
        try await test.top(RecordingHomeScreen.self) { $0.status.connectivity == .offline }
        test.shop.connection = .up
        try await test.shop.rideStream().send(status: Ride.sample(.accepted))
        try await test.top(RecordingHomeScreen.self) { $0.notices.map(\.text) == [Self.fetches] }
    }
}
