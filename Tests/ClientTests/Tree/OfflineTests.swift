import PouchApp
import PouchClient
import PouchCoordination
import PouchNetwork
import PouchScreens
import Testing

/// What the screens show while the shop cannot be reached, and when it can be again.
@MainActor
@Suite(.timeLimit(.minutes(1)))
struct OfflineTests {
    @Test func `what failed to load while the shop was away is loaded by itself when it is back`() async throws {
        let test = try ShopUnderTest(isReady: false)
        test.shop.line = .down
        test.app.dependency = AppDependency(test.client)
        let home = try await test.top(FakeHome.self) { $0.promotions.failure != nil && $0.categories.failure != nil }
        try await test.top(FakeHome.self) { $0.status.connectivity == .offline }
        test.shop.line = .up
        try await test.top(FakeHome.self) { $0.promotions.value?.count == 2 && $0.categories.value?.count == 1 }
        #expect(home.promotions.failure == nil && home.categories.failure == nil)
        #expect(home.status.connectivity == .online)
    }

    @Test func `the catalogue that is kept can be walked through without the shop, with from when it is`() async throws
    {
        let (shop, store) = (StubShop(), MemoryStore())
        let first = try ShopUnderTest(isReady: false, shop: shop, store: store)
        first.app.dependency = AppDependency(first.client, keepsCatalog: true)
        for await progress in first.client.catalog.importProgress() where progress == nil {
            if await first.client.catalog.importedAt() != nil { break }
        }
        first.app.stop()
        shop.line = .down
        let test = try ShopUnderTest(shop: shop, store: store)
        let home = try await test.top(FakeHome.self) { $0.promotions.value != nil && $0.categories.value != nil }
        #expect(home.categories.value?.map(\.name) == ["Hats"])
        try await home.show(.listing(ProductQuery(search: "l")))
        let listing = try await test.top(FakeListing.self) { $0.products.value != nil && !$0.products.isLoading }
        #expect(listing.products.value?.items.map(\.handle) == ["lily"])
        #expect(listing.products.asOf != nil && listing.products.failure == nil)
        try await listing.show(.product(handle: "lily"))
        let product = try await test.top(FakeProduct.self) { $0.product.value != nil }
        #expect(product.product.asOf != nil)
        try await test.top(FakeProduct.self) { $0.status.connectivity == .offline }
        shop.line = .up
        try await test.top(FakeProduct.self) { $0.product.asOf == nil && $0.availability.first?.available == 7 }
    }

    @Test func `orders that were seen are there without the shop, with why they may be old`() async throws {
        let test = try ShopUnderTest(store: MemoryStore())
        let payment = try await test.goToPayment()
        try await payment.pay()
        let confirmation = try await test.top(FakeConfirmation.self)
        test.shop.line = .down
        try await confirmation.show(.orders)
        let orders = try await test.top(FakeOrders.self) { $0.orders.value != nil && !$0.orders.isLoading }
        #expect(orders.orders.value?.items.map(\.id) == ["ord_1"])
        #expect(orders.orders.failure?.text == "The server cannot be reached.")
        try await orders.show(.order(id: "ord_1"))
        let order = try await test.top(FakeOrder.self) { $0.order.value != nil && !$0.order.isLoading }
        #expect(order.order.failure != nil)
        test.shop.line = .up
        try await test.top(FakeOrder.self) { $0.order.failure == nil && $0.order.value?.id == "ord_1" }
    }

    @Test func `a change of the cart without the shop is shown as one to send, and sent when it is back`() async throws
    {
        let test = try ShopUnderTest(store: MemoryStore())
        let cart = try await test.fillCart()
        test.shop.line = .down
        try await cart.send(to: (any CartMessages).self) { try await $0.cartSet(sku: "rosa-1", quantity: 5) }
        try await test.top(FakeCart.self) { $0.cart.value?.unitCount == 5 && $0.status.cart.pendingChanges == 1 }
        #expect(cart.status.cart.unitCount == 5)
        test.shop.line = .up
        try await test.top(FakeCart.self) { $0.status.cart.pendingChanges == 0 && $0.status.connectivity == .online }
        #expect(cart.cart.value?.unitCount == 5)
        #expect(cart.notices.isEmpty)
    }

    @Test func `a change of the cart that the shop refuses when it is back is told`() async throws {
        let test = try ShopUnderTest(store: MemoryStore())
        let cart = try await test.fillCart()
        test.shop.line = .down
        try await cart.send(to: (any CartMessages).self) { try await $0.cartSet(sku: "rosa-1", quantity: 5) }
        test.shop.change { $0.refusals["/v1/cart/lines/rosa-1"] = .problem(.outOfStock) }
        test.shop.line = .up
        try await test.top(FakeCart.self) { $0.notice != nil && $0.cart.value?.unitCount == 2 }
        #expect(cart.notice?.text.hasPrefix("The cart could not have 5 of rosa-1.") == true)
    }

    @Test func `what the shop changes in a cart that is shown is told there, and told no more after the next look`()
        async throws
    {
        let test = try ShopUnderTest()
        let cart = try await test.fillCart()
        test.shop.setPrice("rosa-1", 1200)
        try await cart.refresh()
        try await test.top(FakeCart.self) { !$0.changes.isEmpty }
        #expect(cart.changes.map(\.sku) == ["rosa-1"])
        #expect(cart.changes.first?.toPrice == Fixture.euros(1200))
        try await cart.send(to: (any CheckoutMessages).self) { try await $0.checkoutBegin() }
        try await test.top(FakeShipping.self).show(.product(handle: "lily"))
        try await test.top(FakeProduct.self).show(.cart)
        try await test.top(FakeCart.self) { $0.changes.isEmpty }
    }

    @Test func `a cart that is kept says from when it is while the shop is away`() async throws {
        let (shop, store) = (StubShop(), MemoryStore())
        let first = try ShopUnderTest(.ada, shop: shop, store: store)
        _ = try await first.fillCart()
        first.app.stop()
        shop.line = .down
        let test = try ShopUnderTest(.ada, shop: shop, store: store)
        let home = try await test.top(FakeHome.self) { $0.status.cart.unitCount == 2 }
        try await home.show(.cart)
        let cart = try await test.top(FakeCart.self) { !$0.cart.isLoading }
        #expect(cart.cart.value?.unitCount == 2)
        #expect(cart.cart.asOf != nil && cart.cart.failure == nil)
        shop.line = .up
        try await test.top(FakeCart.self) { $0.cart.asOf == nil && $0.cart.value?.unitCount == 2 }
    }
}
