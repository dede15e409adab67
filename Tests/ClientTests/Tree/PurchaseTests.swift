import ClientTesting
import PouchApp
import PouchClient
import PouchTesting
import Testing

/// After a payment: the order's status, its address, and purchases that an earlier process left open.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct PurchaseTests {
    private let store = MemoryStore()

    /// Pays, and loses the answer before the process ends.
    private func crash(isOrdered: Bool = true) async throws -> TestShop {
        let test = try ShopUnderTest(.ada, store: store)
        let payment = try await test.goToPayment()
        test.shop.connection = isOrdered ? .losesAnswers : .losesRequests
        await #expect(throws: ScreenFailure.self) { try await payment.pay(email: nil) }
        test.app.stop()
        #expect(try await test.client.checkout.unresolved().count == 1)
        test.shop.connection = .up
        return test.shop
    }

    @Test(arguments: [true, false])
    func `a purchase left open is settled once, at the start, with a notice`(_ isOrdered: Bool) async throws {
        let shop = try await crash(isOrdered: isOrdered)
        let test = try ShopUnderTest(.ada, shop: shop, store: store)
        let home = try await test.top(RecordingHomeScreen.self) { $0.notice != nil }
        #expect(home.notice?.text == "Your last purchase of 25.00 EUR was completed: it is order P-1.")
        #expect(try await test.client.orders.orders().items.count == 1)
        #expect(try await test.client.checkout.unresolved().isEmpty)
        let next = try ShopUnderTest(.ada, shop: shop, store: store)
        let again = try await next.top(RecordingHomeScreen.self) { $0.promotions.value != nil }
        try await next.record.until { again.status.cart.unitCount == 0 }
        #expect(again.notices.isEmpty)
    }

    @Test func `a purchase that stays open waits for the shop to be reachable`() async throws {
        let shop = try await crash()
        shop.connection = .down
        let test = try ShopUnderTest(.ada, shop: shop, store: store)
        let home = try await test.top(RecordingHomeScreen.self) { $0.notice != nil }
        #expect(home.notice?.text.contains("may have gone through") == true)
        shop.connection = .up
        try await test.top(RecordingHomeScreen.self) { $0.notices.last?.text.contains("it is order P-1") == true }
        #expect(try await test.client.orders.orders().items.count == 1)
    }

    @Test(arguments: [nil, Shopper.ada], [true, false])
    func `a purchase without outcome happens once when repeated`(_ shopper: Shopper?, _ isOrdered: Bool) async throws {
        let test = try ShopUnderTest(shopper)
        let payment = try await test.goToPayment()
        test.shop.connection = isOrdered ? .losesAnswers : .losesRequests
        let failure = await #expect(throws: ScreenFailure.self) { try await payment.pay() }
        #expect(failure?.text.hasSuffix("The purchase may have gone through.") == true)
        #expect(failure?.advice == "Try again with the same card; you will be charged only once.")
        test.shop.connection = .up
        #expect(try await test.buy(payment).order.value?.number == "P-1")
        #expect(test.shop.effects.count { $0.hasPrefix("order ") } == 1)
    }

    @Test func `a guest's open purchase is shown as a notice after signing in`() async throws {
        let test = try ShopUnderTest()
        let payment = try await test.goToPayment()
        test.shop.connection = .losesAnswers
        await #expect(throws: ScreenFailure.self) { try await payment.pay() }
        // The shop is back for the sign-in only, so the purchase is not settled before.
        test.shop.answer(Contract.checkout) { _ in .problem(.internalError) }
        test.shop.connection = .up
        try await test.client.account.signIn(email: "ada@example.org", password: "12345678")
        try await test.top(RecordingPaymentScreen.self) { $0.notice?.text.contains("Check your orders") == true }
        #expect(try await test.client.checkout.unresolved().isEmpty)
    }

    @Test func `a resumed purchase that the shop refuses is shown as not made`() async throws {
        let shop = try await crash(isOrdered: false)
        shop.answer(Contract.checkout) { _ in .problem(.paymentDeclined) }
        let test = try ShopUnderTest(.ada, shop: shop, store: store)
        let home = try await test.top(RecordingHomeScreen.self) { $0.notice != nil }
        #expect(home.notice?.text.contains("failed, and nothing was charged.") == true)
        #expect(try await test.client.orders.orders().items.isEmpty)
    }

    @Test func `the status is read at intervals while the payment is open and the screen is on top`() async throws {
        let test = try ShopUnderTest(isReady: false)
        let clock = ManualClock()
        var dependency = AppDependency(test.client)
        dependency.clock = clock
        dependency.statusInterval = .seconds(3)
        test.app.dependency = dependency
        test.shop.change { $0.orderStatus = .pending }
        try await test.buy(test.goToPayment()).send(ShowOrderStatus())
        let status = try await test.top(RecordingStatusScreen.self)
        try await eventually { test.shop.requests(to: Contract.order).count > 0 && !status.order.isLoading }
        let reads = test.shop.requests(to: Contract.order).count
        #expect(await clock.sleepers(1) == .seconds(3))
        await clock.advance(by: .seconds(3))
        // The task has read the order when it sleeps again.
        #expect(await clock.sleepers(1) == .seconds(3))
        #expect(test.shop.requests(to: Contract.order).count == reads + 1)
        try await test.open(.listing(ProductQuery()), RecordingListingScreen.self) { $0.products.value != nil }
        try await eventually { clock.sleeperCount == 0 }
        test.surface.goBack()
        #expect(try await test.top(RecordingStatusScreen.self) === status)
        test.shop.change { $0.orders[Shopper.guest.owner] = [Fixture.order(status: .paid)] }
        await clock.advance(by: .seconds(3))
        try await test.top(RecordingStatusScreen.self) { $0.order.value?.status == .paid && !$0.order.isLoading }
        test.surface.goBack()
        #expect(try await test.top(RecordingConfirmationScreen.self).order.value?.status == .paid)
    }

    @Test func `a new address is added to the customer's book after the purchase, once`() async throws {
        let test = try ShopUnderTest(.ada)
        test.shop.change { $0.addresses[Shopper.ada.owner] = [.sample(id: "adr_1")] }
        let place = Address(name: "Ada", line1: "2 Side St", city: "Sydney", postalCode: "2000", country: "AU")
        try await test.goToPayment(to: place).pay(email: nil)
        try await eventually { test.shop.world.addresses[Shopper.ada.owner]?.count == 2 }
        #expect(try await test.client.account.addresses().map(\.city) == ["Perth", "Sydney"])
        try await test.client.account.rememberAddress(place)
        #expect(test.shop.requests(to: Contract.addAddress).count == 1)
    }

    @Test func `another customer's open purchase is settled and shown when that customer signs in`() async throws {
        let shop = try await crash()
        let tries = shop.requests(to: Contract.checkout).count
        let test = try ShopUnderTest(shop: shop, store: store)
        let home = try await test.top(RecordingHomeScreen.self) { $0.promotions.value != nil }
        try await test.client.cart.add(sku: "rosa-1")
        try await test.top(RecordingHomeScreen.self) { $0.status.cart.unitCount == 1 }
        #expect(home.notices.isEmpty)
        #expect(shop.requests(to: Contract.checkout).count == tries)
        try await test.client.account.signIn(email: "ada@example.org", password: "12345678")
        try await test.top(RecordingHomeScreen.self) { $0.notice?.text.contains("it is order P-1") == true }
        #expect(try await test.client.orders.orders().items.count == 1)
        #expect(try await test.client.checkout.unresolved().isEmpty)
    }
}
