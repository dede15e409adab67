import ClientTesting
import Foundation
import PouchApp
import PouchClient
import PouchCoordination
import PouchNetwork
import PouchScreens
import PouchTesting
import PouchWire
import Testing

/// Delivery by kangaroo: where to, how it stands, and what to do when none came.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct DeliveryTests {
    private func openOrder(_ order: Order, _ ride: Ride? = nil, in test: ShopUnderTest) async throws
        -> RecordingOrderScreen
    {
        test.shop.change { $0.orders[Shopper.ada.owner] = [order] }
        if let ride { test.shop.put(ride) }
        try await test.top(RecordingHomeScreen.self).send(ShopPage.order(id: order.id))
        return try await test.top { $0.order.value != nil }
    }

    @Test func `an order's page shows its ride's progress, and reads the order at each status`() async throws {
        let test = try ShopUnderTest(.ada)
        let page = try await openOrder(Fixture.order(rideId: "rid_1"), Ride.sample(.requested), in: test)
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
        let test = try ShopUnderTest(.ada)
        let page = try await openOrder(Fixture.order(rideId: "rid_1"), Ride.sample(.inProgress), in: test)
        try await test.record.until { page.ride?.status == .inProgress }
        test.shop.change { $0.orders[Shopper.ada.owner] = [Fixture.order(status: .delivered, rideId: "rid_1")] }
        try await page.send(Refresh())
        #expect(page.order.value?.status == .delivered)
        #expect(page.ride == nil)
    }

    @Test func `a ride whose events fail is no longer shown`() async throws {
        let test = try ShopUnderTest(.ada)
        let page = try await openOrder(Fixture.order(rideId: "rid_1"), Ride.sample(.accepted), in: test)
        try await test.record.until { page.ride?.status == .accepted }
        let connection = try await test.shop.rideStream()
        test.shop.failNext(Contract.rideEvents, with: .problem(.notFound))
        connection.send("retry: 1\n\n")
        connection.cut()
        try await test.record.until { page.ride == nil }
        #expect(page.order.value?.status == .paid)
    }

    @Test func `another delivery method is chosen on the order's page; an order that is settled by now is read again`()
        async throws
    {
        let test = try ShopUnderTest(.ada)
        let failure = DeliveryFailure(reason: .noKangaroo, methods: [ShippingMethod.sample()])
        let page = try await openOrder(Fixture.order(rideId: "rid_1", deliveryFailure: failure), in: test)
        try await page.send(ChangeDelivery(methodId: "standard"))
        #expect(page.order.value?.deliveryFailure == nil)
        #expect(page.order.failure == nil)
        test.shop.change { $0.orders[Shopper.ada.owner] = [Fixture.order(status: .fulfilled)] }
        let refusal = await #expect(throws: ScreenFailure.self) {
            try await page.send(ChangeDelivery(methodId: "express"))
        }
        #expect(refusal?.text == "The shipping method can no longer be changed.")
        try await test.record.until { page.order.value?.status == .fulfilled }
    }

    @Test func `places are found by name, and delivery methods need the location`() async throws {
        let test = try ShopUnderTest()
        let cart = try await test.fillCart()
        try await cart.send(BeginCheckout())
        let screen = try await test.top(RecordingShippingScreen.self) { $0.methods.value != nil }
        try await screen.send(FindPlaces(matching: "opera"))
        let place = try #require(screen.places.value?.first)
        #expect(place == NamedLocation.sample())
        try await screen.send(FindShippingMethods(country: "AU", postalCode: "2000", location: place.location))
        let asked = try #require(test.shop.requests(to: Contract.shippingMethods).last)
        #expect(asked.url.query()?.contains("latitude=-33.857") == true)
        test.shop.failNext(Contract.setCartShipping, with: .problem(.locationRequired))
        let failure = await #expect(throws: ScreenFailure.self) { _ = try await test.deliver(screen) }
        #expect(failure?.fields.map(\.name) == ["address.location"])
        let reads = test.shop.requests(to: Contract.shippingMethods).count
        test.shop.failNext(Contract.setCartShipping, with: .problem(.unknownShippingMethod))
        let other = await #expect(throws: ScreenFailure.self) { _ = try await test.deliver(screen) }
        #expect(other?.remedy == .review)
        #expect(test.shop.requests(to: Contract.shippingMethods).count == reads + 1)
    }
}
