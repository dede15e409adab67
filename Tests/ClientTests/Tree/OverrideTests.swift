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

/// An app's own handlers of single messages, in the coordinators of the shop.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct OverrideTests {
    /// The messages that reached an override, in the dependency of the tree.
    private final class MessageLog: Sendable {
        @MainActor private(set) var messages: [String] = []

        @MainActor func note(_ message: String = #function) {
            messages.append(String(message.prefix { $0 != "(" }))
        }
    }

    private final class OwnApp: AppCoordinator {
        /// Returns the number of units that may be bought.
        var allowed: (Int) throws -> Int = { $0 }

        override func cartSet(sku: String, quantity: Int) async throws {
            dependency?[MessageLog.self]?.note()
            try await super.cartSet(sku: sku, quantity: quantity)
        }

        override func assetData(of image: ProductImage) async throws -> Data {
            dependency?[MessageLog.self]?.note()
            return Data()
        }

        override func purchaseNow(sku: String, quantity: Int, from sender: any Responder) async throws {
            dependency?[MessageLog.self]?.note()
            try await super.purchaseNow(sku: sku, quantity: allowed(quantity), from: sender)
        }

        override func paymentStart(
            of subject: PaymentCoordinator.Subject, below coordinator: ShopCoordinator
        ) async throws {
            dependency?[MessageLog.self]?.note()
            try await super.paymentStart(of: subject, below: coordinator)
        }
    }

    private final class OwnCatalog: CatalogCoordinator {
        override func show(_ page: ShopPage) async throws {
            dependency?[MessageLog.self]?.note()
            try await super.show(page)
        }

        override func refresh() async throws {
            dependency?[MessageLog.self]?.note()
            try await super.refresh()
        }

        override func catalogNarrow(to query: ProductQuery) async throws {
            dependency?[MessageLog.self]?.note()
            try await super.catalogNarrow(to: query)
        }

        override func purchaseDone(_ order: Order) async throws {
            dependency?[MessageLog.self]?.note()
            try await super.purchaseDone(order)
        }
    }

    private final class OwnPayment: PaymentCoordinator {
        override func checkoutFindPlaces(matching query: String) async throws {
            dependency?[MessageLog.self]?.note()
            try await super.checkoutFindPlaces(matching: query)
        }

        override func paymentPay(cardToken: String, email: String?) async throws {
            dependency?[MessageLog.self]?.note()
            try await super.paymentPay(cardToken: cardToken, email: email)
        }
    }

    private final class OwnAccount: AccountCoordinator {
        override func orderCancel() async throws {
            dependency?[MessageLog.self]?.note()
            try await super.orderCancel()
        }

        override func accountChangePassword(from current: String, to new: String) async throws {
            dependency?[MessageLog.self]?.note()
            try await super.accountChangePassword(from: current, to: new)
        }
    }

    private func open(_ test: ShopUnderTest, _ log: MessageLog) -> (app: OwnApp, surface: RecordingSurface) {
        var sections = ShopSections()
        sections.catalog = { OwnCatalog(on: $0, screens: $1) }
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

    @Test func `one message of each family, in the coordinator that handles it`() async throws {
        let test = try ShopUnderTest(.ada, isReady: false)
        test.shop.change { $0.orders[Shopper.ada.owner] = [Fixture.order()] }
        let log = MessageLog()
        let (app, surface) = open(test, log)
        let home = try await test.top(RecordingHomeScreen.self, on: surface)
        #expect(try await home.assetData(of: ProductImage(url: "hat.png", alt: "")).isEmpty)
        try await home.show(.order(id: "ord_1"))
        let order = try await test.top(RecordingOrderScreen.self, on: surface.top) { $0.order.value != nil }
        try await order.orderCancel()
        try await order.accountChangePassword(from: "12345678", to: "87654321")
        surface.top.goBack()
        try await home.show(.listing(ProductQuery()))
        let listing = try await test.top(RecordingListingScreen.self, on: surface) { $0.products.value != nil }
        try await listing.catalogNarrow(to: ProductQuery(inStock: true))
        try await listing.refresh()
        try await listing.cartAdd(TestShop.rosa)
        try await listing.cartSet(sku: "rosa-1", quantity: 2)
        try await listing.purchaseNow(TestShop.rosa)
        let shipping = try await test.top(RecordingShippingScreen.self, on: surface) { $0.methods.value != nil }
        try await shipping.checkoutFindPlaces(matching: "opera")
        try await test.deliver(shipping, on: surface).pay(email: nil)
        try await test.top(RecordingConfirmationScreen.self, on: surface)
        #expect(app.child(OwnCatalog.self) != nil)
        #expect(
            log.messages == [
                "assetData", "show", "orderCancel", "accountChangePassword", "show", "catalogNarrow", "refresh",
                "cartSet", "purchaseNow", "paymentStart", "checkoutFindPlaces", "paymentPay", "purchaseDone",
            ])
    }

    @Test func `the root refuses and changes purchases of all screens, whose payment starts where they are`()
        async throws
    {
        let test = try ShopUnderTest(.ada, isReady: false)
        test.shop.change { $0.orders[Shopper.ada.owner] = [Fixture.order()] }
        let (app, surface) = open(test, MessageLog())
        let home = try await test.top(RecordingHomeScreen.self, on: surface)
        let tooYoung = ScreenFailure("This is sold to adults only.")
        app.allowed = { _ in throw tooYoung }
        await #expect(throws: tooYoung) { try await home.purchaseNow(TestShop.rosa) }
        #expect(surface.screens.count == 1)
        app.allowed = { min($0, 3) }
        try await home.show(.orders)
        let orders = try await test.top(RecordingOrdersScreen.self, on: surface.top)
        try await orders.purchaseNow(sku: "rosa-1", quantity: 9)
        let account = try #require(app.child(OwnAccount.self))
        #expect(account.child(OwnPayment.self) != nil && app.child(OwnPayment.self) == nil)
        let shipping = try await test.top(RecordingShippingScreen.self, on: surface.top) { $0.methods.value != nil }
        let payment = try await test.deliver(shipping, on: surface.top)
        #expect(payment.purchase.value?.lines.map(\.quantity) == [3])
        #expect(surface.screens.count == 1)
    }

    @Test func `below an app's own root, a purchase starts a payment of the shop`() async throws {
        let test = try ShopUnderTest(isReady: false)
        let surface = RecordingSurface(test.record)
        let root = Coordinator<AppDependency>()
        root.dependency = AppDependency(test.client)
        root.start()
        root.start(CatalogCoordinator(on: NavigationStack(on: surface), screens: RecordingScreens(test.record)))
        try await test.top(RecordingHomeScreen.self, on: surface).purchaseNow(TestShop.rosa)
        #expect(root.child(CatalogCoordinator.self)?.child(PaymentCoordinator.self) != nil)
        #expect(surface.screens.last is RecordingShippingScreen)
    }
}
