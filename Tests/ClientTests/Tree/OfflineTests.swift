import ClientTesting
import PouchApp
import PouchClient
import PouchTesting
import Testing

/// The screens while the shop cannot be reached, and afterwards.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct OfflineTests {
    @Test func `failed loads are repeated when the shop is back`() async throws {
        let test = try ShopUnderTest(isReady: false)
        test.shop.connection = .down
        test.app.dependency = AppDependency(test.client)
        let home = try await test.top(RecordingHomeScreen.self)
        try await test.record.until { home.promotions.failure != nil && home.categories.failure != nil }
        try await test.top(RecordingHomeScreen.self) { $0.status.connectivity == .offline }
        test.shop.connection = .up
        try await test.record.until { home.promotions.value?.count == 2 && home.categories.value?.count == 1 }
        #expect(home.promotions.failure == nil && home.categories.failure == nil)
        #expect(home.status.connectivity == .online)
    }

    @Test func `an imported catalogue can be browsed offline, with its age`() async throws {
        let (shop, store) = (TestShop.sample(sellsAnySKU: true), MemoryStore())
        let first = try ShopUnderTest(isReady: false, shop: shop, store: store)
        first.app.dependency = AppDependency(first.client, keepsCatalog: true)
        for await progress in first.client.catalog.importProgress() where progress == nil {
            if await first.client.catalog.importedAt() != nil { break }
        }
        first.app.stop()
        shop.connection = .down
        shop.setStock("lily-1", 7)
        let test = try ShopUnderTest(shop: shop, store: store)
        let home: RecordingHomeScreen = try await test.top { $0.promotions.value != nil && $0.categories.value != nil }
        #expect(home.categories.value?.map(\.name) == ["Hats"])
        let listing = try await test.open(.listing(ProductQuery(search: "l")), RecordingListingScreen.self) {
            $0.products.value != nil && !$0.products.isLoading
        }
        #expect(listing.products.value?.items.map(\.handle) == ["lily"])
        #expect(listing.products.asOf != nil && listing.products.failure == nil)
        let lily: RecordingProductScreen = try await test.open(.product(handle: "lily")) { $0.product.value != nil }
        #expect(lily.product.asOf != nil)
        try await test.record.until { lily.status.connectivity == .offline }
        shop.connection = .up
        try await test.record.until { lily.product.asOf == nil && lily.product.value?.variants.first?.available == 7 }
    }

    @Test func `known orders are shown offline, with the failure`() async throws {
        let test = try ShopUnderTest(store: MemoryStore())
        let confirmation = try await test.buy(test.goToPayment())
        test.shop.connection = .down
        try await confirmation.send(ShopPage.orders)
        let orders = try await test.top(RecordingOrdersScreen.self) { $0.orders.value != nil && !$0.orders.isLoading }
        #expect(orders.orders.value?.items.map(\.id) == ["ord_1"])
        #expect(orders.orders.failure?.text == "The server cannot be reached.")
        try await orders.send(ShopPage.order(id: "ord_1"))
        let order = try await test.top(RecordingOrderScreen.self) { $0.order.value != nil && !$0.order.isLoading }
        #expect(order.order.failure != nil)
        test.shop.connection = .up
        try await test.top(RecordingOrderScreen.self) { $0.order.failure == nil && $0.order.value?.id == "ord_1" }
    }

    @Test func `more of the known orders are read from this device`() async throws {
        let (store, shop) = (MemoryStore(), TestShop.sample())
        await store.save((0..<60).map { Fixture.order(id: "ord_\($0)") }, of: Shopper.ada.owner)
        shop.connection = .down
        let test = try ShopUnderTest(.ada, shop: shop, store: store)
        let orders: RecordingOrdersScreen = try await test.open(.orders) { $0.orders.value?.items.count == 50 }
        try await orders.send(ShowMoreOrders())
        #expect(Set(orders.orders.value?.items.map(\.id) ?? []).count == 60)
        #expect(orders.orders.failure?.text == "The server cannot be reached.")
        #expect(orders.orders.value?.nextCursor == nil)
    }

    @Test func `an offline edit is shown as pending, and sent when the shop is back`() async throws {
        let test = try ShopUnderTest(store: MemoryStore())
        let cart = try await test.fillCart()
        test.shop.connection = .down
        try await cart.send(EditCart.set(sku: "rosa-1", quantity: 5))
        try await test.record.until { cart.cart.value?.unitCount == 5 && cart.status.cart.pendingChanges == 1 }
        #expect(cart.status.cart.unitCount == 5)
        test.shop.connection = .up
        try await test.record.until { cart.status.cart.pendingChanges == 0 && cart.status.connectivity == .online }
        #expect(cart.cart.value?.unitCount == 5 && cart.notices.isEmpty)
    }

    @Test func `a refused offline edit is shown as a notice`() async throws {
        let test = try ShopUnderTest(store: MemoryStore())
        let cart = try await test.fillCart()
        test.shop.connection = .down
        try await cart.send(EditCart.set(sku: "rosa-1", quantity: 5))
        test.shop.answer(Contract.setCartLine) { _ in .problem(.outOfStock) }
        test.shop.connection = .up
        try await test.top(RecordingCartScreen.self) { $0.notice != nil && $0.cart.value?.unitCount == 2 }
        #expect(cart.notice?.text.hasPrefix("The quantity of rosa-1 could not be set to 5.") == true)
    }

    @Test func `changes by the shop are shown on the cart screen until it is opened again`() async throws {
        let test = try ShopUnderTest()
        let cart = try await test.fillCart()
        test.shop.setPrice("rosa-1", 1200)
        try await cart.send(Refresh())
        try await test.top(RecordingCartScreen.self) { !$0.changes.isEmpty }
        #expect(cart.changes.map(\.sku) == ["rosa-1"] && cart.changes.first?.toPrice == Fixture.euros(1200))
        // The shop lists the price until the next write, which is one of another device.
        let other = Pouch(testing: test.shop, signedInAs: test.client.account.session)
        try await other.cart.set(sku: "rosa-1", quantity: 1)
        try await cart.send(Refresh())
        try await test.top(RecordingCartScreen.self) { $0.changes.map(\.toQuantity) == [nil, 1] }
        try await cart.send(BeginCheckout())
        try await test.top(RecordingShippingScreen.self)
        try await test.open(.product(handle: "lily"), RecordingProductScreen.self)
        try await test.open(.cart, RecordingCartScreen.self) { $0.changes.isEmpty }
    }

    @Test func `a stored cart shows its age while the shop is unreachable`() async throws {
        let (shop, store) = (TestShop.sample(sellsAnySKU: true), MemoryStore())
        let first = try ShopUnderTest(.ada, shop: shop, store: store)
        _ = try await first.fillCart()
        first.app.stop()
        shop.connection = .down
        let test = try ShopUnderTest(.ada, shop: shop, store: store)
        try await test.top(RecordingHomeScreen.self) { $0.status.cart.unitCount == 2 }
        let cart = try await test.open(.cart, RecordingCartScreen.self) { !$0.cart.isLoading }
        #expect(cart.cart.value?.unitCount == 2)
        #expect(cart.cart.asOf != nil && cart.cart.failure == nil)
        shop.connection = .up
        try await test.top(RecordingCartScreen.self) { $0.cart.asOf == nil && $0.cart.value?.unitCount == 2 }
    }
}

/// Simultaneous loads whose answers arrive in reverse order.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct ReadingOrderTests {
    private let test: ShopUnderTest

    init() throws { test = try ShopUnderTest(.ada) }

    /// Refreshes a screen, and holds the request before the shop answers it.
    private func beginReading(
        _ screen: RecordingScreen, _ exchange: some AnyExchange
    ) async -> (reading: Task<Void, any Error>, gate: Gate) {
        let gate = test.shop.hold(exchange)
        let reading = Task { try await screen.send(Refresh()) }
        await gate.held(1)
        test.shop.answerItself(exchange)
        return (reading, gate)
    }

    private func openOrder() async throws -> RecordingOrderScreen {
        test.shop.change { $0.orders[Shopper.ada.owner] = [Fixture.order()] }
        return try await test.open(.order(id: "ord_1")) { $0.order.value != nil && !$0.order.isLoading }
    }

    @Test func `of two loads of an order, the one that started last is shown`() async throws {
        let screen = try await openOrder()
        let earlier = await beginReading(screen, Contract.order)
        test.shop.change { $0.orders[Shopper.ada.owner] = [Fixture.order(status: .fulfilled)] }
        try await screen.send(Refresh())
        #expect(screen.order.value?.status == .fulfilled)
        // The earlier answer is out of date.
        test.shop.change { $0.orders[Shopper.ada.owner] = [Fixture.order(status: .paid)] }
        earlier.gate.open()
        try await earlier.reading.value
        #expect(screen.order == LoadState(Fixture.order(status: .fulfilled)))
    }

    @Test func `a cancelled order stays cancelled, despite answers to earlier requests`() async throws {
        let screen = try await openOrder()
        let earlier = await beginReading(screen, Contract.order)
        try await screen.send(CancelOrder())
        test.shop.change { $0.orders[Shopper.ada.owner] = [Fixture.order()] }
        earlier.gate.open()
        try await earlier.reading.value
        #expect(screen.order.value?.status == .cancelled && !screen.order.isLoading)
    }

    @Test func `of two loads of a purchase, the one that started last is shown and paid`() async throws {
        try await test.top(RecordingHomeScreen.self) { $0.promotions.value != nil }.buyNow(TestShop.rosa)
        let payment = try await test.deliver(try await test.top { $0.methods.value != nil })
        let earlier = await beginReading(payment, Contract.previewOrder)
        test.shop.setPrice("rosa-1", 1100)
        try await payment.send(Refresh())
        test.shop.setPrice("rosa-1", 1000)
        earlier.gate.open()
        try await earlier.reading.value
        #expect(payment.purchase.value?.totals.total == Fixture.euros(1600))
        test.shop.setPrice("rosa-1", 1100)
        try await test.buy(payment)
    }
}
