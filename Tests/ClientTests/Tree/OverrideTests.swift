import ClientTesting
import Foundation
import PouchApp
import PouchClient
import PouchCoordination
import PouchTesting
import Testing

/// An app's own handlers of single messages, in the coordinators of the shop.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct OverrideTests {
    /// The messages that reached an override, in the dependency of the tree.
    private final class MessageLog: Sendable {
        @MainActor private(set) var messages: [String] = []

        @MainActor func note(_ message: String = #function) { messages.append(String(message.prefix { $0 != "(" })) }
    }

    private final class OwnApp: AppCoordinator {
        /// Returns the number of units that may be bought.
        var allowed: (Int) throws -> Int = { $0 }

        override func editCart(_ message: EditCart) async throws -> CartBadge {
            dependency?[MessageLog.self]?.note()
            return try await super.editCart(message)
        }

        override func changePassword(_ message: ChangePassword) async throws {
            dependency?[MessageLog.self]?.note()
            try await super.changePassword(message)
        }

        override func loadImage(_ message: LoadImage) async throws -> Data {
            dependency?[MessageLog.self]?.note()
            return Data()
        }

        override func buyNow(_ message: BuyNow) async throws {
            dependency?[MessageLog.self]?.note()
            var changed = message
            changed.quantity = try allowed(message.quantity)
            try await super.buyNow(changed)
        }

        override func startPayment(_ message: StartPayment) async throws {
            dependency?[MessageLog.self]?.note()
            try await super.startPayment(message)
        }
    }

    private final class OwnCatalog: CatalogCoordinator {
        override func show(_ page: ShopPage) async throws -> Bool {
            dependency?[MessageLog.self]?.note()
            return try await super.show(page)
        }

        override func refresh(_ message: Refresh) async throws {
            dependency?[MessageLog.self]?.note()
            try await super.refresh(message)
        }

        override func narrowList(_ message: NarrowList) async throws {
            dependency?[MessageLog.self]?.note()
            try await super.narrowList(message)
        }

        override func orderPlaced(_ message: OrderPlaced) async throws {
            dependency?[MessageLog.self]?.note()
            try await super.orderPlaced(message)
        }
    }

    private final class OwnCart: CartCoordinator {
        /// Skips the delivery.
        override func beginCheckout(_ message: BeginCheckout) async throws {
            dependency?[MessageLog.self]?.note()
            try await startPayment(of: .cart)
        }
    }

    private final class OwnPayment: PaymentCoordinator {
        override func findPlaces(_ message: FindPlaces) async throws {
            dependency?[MessageLog.self]?.note()
            try await super.findPlaces(message)
        }

        override func pay(_ message: Pay) async throws {
            dependency?[MessageLog.self]?.note()
            try await super.pay(message)
        }
    }

    private final class OwnAccount: AccountCoordinator {
        override func cancelOrder(_ message: CancelOrder) async throws {
            dependency?[MessageLog.self]?.note()
            try await super.cancelOrder(message)
        }
    }

    private func open(_ test: ShopUnderTest, _ log: MessageLog) -> (app: OwnApp, surface: RecordingSurface) {
        var sections = ShopSections()
        sections.catalog = { OwnCatalog(on: $0, screens: $1) }
        sections.cart = { OwnCart(on: $0, screens: $1) }
        sections.payment = { OwnPayment(of: $0, on: $1, screens: $2) }
        sections.account = { OwnAccount(showing: $0, on: $1, screens: $2) }
        let surface = RecordingSurface(test.record)
        let app = OwnApp(on: surface, screens: RecordingScreens(test.record), sections: sections)
        var dependency = AppDependency(test.client)
        dependency[MessageLog.self] = log
        app.dependency = dependency
        app.start()
        return (app, surface)
    }

    @Test func `messages of each feature, in the coordinator that handles them`() async throws {
        let test = try ShopUnderTest(.ada, isReady: false)
        test.shop.change { $0.orders[Shopper.ada.owner] = [Fixture.order()] }
        let log = MessageLog()
        let (app, surface) = open(test, log)
        let home = try await test.top(RecordingHomeScreen.self, on: surface)
        #expect(try await home.send(LoadImage(ProductImage(url: "hat.png", alt: ""))).isEmpty)
        try await home.send(ShopPage.order(id: "ord_1"))
        let order = try await test.top(RecordingOrderScreen.self, on: surface) { $0.order.value != nil }
        try await order.send(CancelOrder())
        try await order.send(ChangePassword(from: "12345678", to: "87654321"))
        surface.top.goBack()
        try await home.send(ShopPage.listing(ProductQuery()))
        let listing = try await test.top(RecordingListingScreen.self, on: surface) { $0.products.value != nil }
        try await listing.send(NarrowList(to: ProductQuery(inStock: true)))
        try await listing.send(Refresh())
        try await listing.addToCart(TestShop.rosa)
        try await listing.send(EditCart.set(sku: "rosa-1", quantity: 2))
        try await listing.buyNow(TestShop.rosa)
        let shipping = try await test.top(RecordingShippingScreen.self, on: surface) { $0.methods.value != nil }
        try await shipping.send(FindPlaces(matching: "opera"))
        try await test.deliver(shipping, on: surface).pay(email: nil)
        try await test.top(RecordingConfirmationScreen.self, on: surface)
        #expect(app.child(OwnCatalog.self) != nil)
        #expect(
            log.messages == [
                "loadImage", "show", "cancelOrder", "changePassword", "show", "narrowList", "refresh",
                "editCart", "editCart", "buyNow", "startPayment", "findPlaces", "pay", "orderPlaced",
            ])
    }

    @Test func `the cart's section of an app begins the checkout in its own way`() async throws {
        let test = try ShopUnderTest(isReady: false)
        let log = MessageLog()
        let (app, surface) = open(test, log)
        let home = try await test.top(RecordingHomeScreen.self, on: surface)
        try await home.send(EditCart.add(sku: "rosa-1", quantity: 1))
        let cart = try await test.open(.cart, RecordingCartScreen.self, on: surface)
        try await cart.send(BeginCheckout())
        #expect(app.child(OwnCart.self) != nil && surface.screens.last is RecordingPaymentScreen)
        #expect(log.messages.suffix(2) == ["beginCheckout", "startPayment"])
    }

    @Test func `the root refuses and changes purchases of all screens, and payments start at these`() async throws {
        let test = try ShopUnderTest(.ada, isReady: false)
        test.shop.change { $0.orders[Shopper.ada.owner] = [Fixture.order()] }
        let (app, surface) = open(test, MessageLog())
        let home = try await test.top(RecordingHomeScreen.self, on: surface)
        let tooYoung = ScreenFailure("This is sold to adults only.")
        app.allowed = { _ in throw tooYoung }
        await #expect(throws: tooYoung) { try await home.buyNow(TestShop.rosa) }
        #expect(surface.screens.count == 1)
        app.allowed = { min($0, 3) }
        let orders = try await test.open(.orders, RecordingOrdersScreen.self, on: surface)
        try await orders.send(BuyNow(sku: "rosa-1", quantity: 9, from: orders))
        let account = try #require(app.child(OwnAccount.self))
        #expect(account.child(OwnPayment.self) != nil && app.child(OwnPayment.self) == nil)
        let shipping = try await test.top(RecordingShippingScreen.self, on: surface) { $0.methods.value != nil }
        #expect(try await test.deliver(shipping, on: surface).purchase.value?.lines.map(\.quantity) == [3])
        #expect(surface.screens.count == 1)
    }

    @Test func `below an app's own root, a purchase starts a payment of the shop`() async throws {
        let test = try ShopUnderTest(isReady: false)
        let surface = RecordingSurface(test.record)
        let root = Coordinator<AppDependency>()
        root.dependency = AppDependency(test.client)
        root.start()
        root.start(CatalogCoordinator(on: ScreenStack(on: surface), screens: RecordingScreens(test.record)))
        try await test.top(RecordingHomeScreen.self, on: surface).buyNow(TestShop.rosa)
        #expect(root.child(CatalogCoordinator.self)?.child(PaymentCoordinator.self) != nil)
        #expect(surface.screens.last is RecordingShippingScreen)
    }
}
