import Foundation
import PouchApp
import PouchClient
import PouchCoordination
import PouchNetwork
import PouchScreens
import Testing

/// Delivery by kangaroo: where to, how it stands, and what to do when none came.
@MainActor
@Suite(.timeLimit(.minutes(1)))
struct DeliveryTests {
    private func openOrder(_ order: Order, _ ride: Ride? = nil, in test: ShopUnderTest) async throws -> FakeOrder {
        test.shop.change { $0.orders[Shopper.ada.owner] = [order] }
        if let ride { test.rides.put(ride) }
        try await test.top(FakeHome.self).show(.order(id: order.id))
        return try await test.top { $0.order.value != nil }
    }

    @Test func `an order's page shows its ride's progress, and reads the order at each status`() async throws {
        let test = try ShopUnderTest(.ada)
        let page = try await openOrder(Fixture.order(rideId: "rid_1"), Fixture.ride(.requested), in: test)
        try await test.watch.until { page.ride?.status == .requested }
        let connection = await test.rides.connection()
        connection.status(Fixture.ride(.accepted))
        try await test.watch.until { page.ride?.status == .accepted }
        let near = Fixture.ride(.accepted).moved(to: -33.86, etaSeconds: 20)
        connection.position(near)
        try await test.watch.until { page.ride == near }
        test.shop.change { $0.orders[Shopper.ada.owner] = [Fixture.order(status: .fulfilled, rideId: "rid_1")] }
        connection.status(Fixture.ride(.inProgress))
        try await test.watch.until { page.order.value?.status == .fulfilled && !page.order.isLoading }
        // Leaving the screen ends the last subscription to the ride.
        test.surface.presented?.goBack()
        try await test.top(FakeHome.self)
        test.app.child(NotificationCoordinator.self)?.stop()
        await connection.end()
        #expect(test.rides.connections.count == 1)
    }

    @Test func `an order that is delivered before the ride's last event no longer shows the ride`() async throws {
        let test = try ShopUnderTest(.ada)
        let page = try await openOrder(Fixture.order(rideId: "rid_1"), Fixture.ride(.inProgress), in: test)
        try await test.watch.until { page.ride?.status == .inProgress }
        test.shop.change { $0.orders[Shopper.ada.owner] = [Fixture.order(status: .delivered, rideId: "rid_1")] }
        try await page.send(to: (any RefreshMessages).self) { try await $0.refresh() }
        #expect(page.order.value?.status == .delivered)
        #expect(page.ride == nil)
    }

    @Test func `a ride whose events fail is no longer shown`() async throws {
        let test = try ShopUnderTest(.ada)
        let page = try await openOrder(Fixture.order(rideId: "rid_1"), Fixture.ride(.accepted), in: test)
        try await test.watch.until { page.ride?.status == .accepted }
        let connection = await test.rides.connection()
        test.rides.change { $0.refusals["/v1/rides/rid_1/events"] = [.problem(.notFound)] }
        connection.send("retry: 1\n\n")
        connection.cut()
        try await test.watch.until { page.ride == nil }
        #expect(page.order.value?.status == .paid)
    }

    @Test func `another delivery method is chosen on the order's page; an order that is settled by now is read again`()
        async throws
    {
        let test = try ShopUnderTest(.ada)
        let failure = DeliveryFailure(reason: .noKangaroo, methods: [StubShop.standard])
        let page = try await openOrder(Fixture.order(rideId: "rid_1", deliveryFailure: failure), in: test)
        try await page.send(to: (any OrderMessages).self) { try await $0.orderChangeDelivery(methodId: "standard") }
        #expect(page.order.value?.deliveryFailure == nil)
        #expect(page.order.failure == nil)
        test.shop.change {
            $0.orders[Shopper.ada.owner] = [Fixture.order(status: .fulfilled)]
            $0.refusals["/v1/orders/ord_1/shipping"] = .problem(.deliverySettled)
        }
        let refusal = await #expect(throws: ScreenFailure.self) {
            try await page.send(to: (any OrderMessages).self) { try await $0.orderChangeDelivery(methodId: "express") }
        }
        #expect(refusal?.text == "The shipping method can no longer be changed.")
        try await test.watch.until { page.order.value?.status == .fulfilled }
    }

    @Test func `places are found by name, and delivery methods need the location`() async throws {
        let test = try ShopUnderTest()
        let cart = try await test.fillCart()
        try await cart.send(to: (any CheckoutMessages).self) { try await $0.checkoutBegin() }
        let screen = try await test.top(FakeShipping.self) { $0.methods.value != nil }
        try await screen.send(to: (any CheckoutMessages).self) { try await $0.checkoutFindPlaces(matching: "opera") }
        let place = try #require(screen.places.value?.first)
        #expect(place == Fixture.operaHouse)
        try await screen.send(to: (any CheckoutMessages).self) {
            try await $0.checkoutFindMethods(country: "AU", postalCode: "2000", location: place.location)
        }
        let asked = try #require(test.shop.requests.last { $0.url.path() == "/v1/cart/shipping-methods" })
        #expect(asked.url.query()?.contains("latitude=-33.857") == true)
        test.shop.change { $0.refusals["/v1/cart/shipping"] = .problem(.locationRequired) }
        let failure = await #expect(throws: ScreenFailure.self) { _ = try await test.deliver(screen) }
        #expect(failure?.fields.map(\.name) == ["address.location"])
        let reads = test.shop.requests("GET /v1/cart/shipping-methods")
        test.shop.change { $0.refusals["/v1/cart/shipping"] = .problem(.unknownShippingMethod) }
        let other = await #expect(throws: ScreenFailure.self) { _ = try await test.deliver(screen) }
        #expect(other?.remedy == .review)
        #expect(test.shop.requests("GET /v1/cart/shipping-methods") == reads + 1)
    }
}
