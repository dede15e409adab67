import ClientTesting
import PouchApp
import PouchClient
import PouchCoordination
import PouchTesting
import Testing

/// An app's own coordinators above, below and instead of those of the shop.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct OpenShopTests {
    // MARK: Own coordinators

    private struct Kiosk: Sendable {
        var shop: AppDependency?
        var greeting = "Touch to start"
    }

    private final class KioskCoordinator: NavigationCoordinator<Kiosk> {
        private(set) var ended = 0

        override func didStart() { show(PlainScreen()) }

        override func coordinatorDidFinish(_ child: Coordinator<Kiosk>) {
            ended += 1
            super.coordinatorDidFinish(child)
        }
    }

    @Test func `the whole shop runs below a root with another dependency, until its last screen`() async throws {
        let test = try ShopUnderTest(isReady: false)
        let surface = RecordingSurface(test.record)
        let kiosk = KioskCoordinator(on: ScreenStack(on: surface))
        kiosk.start()
        let shop = AppCoordinator(on: kiosk.stack, screens: RecordingScreens(test.record))
        kiosk.start(shop) { $0.shop }
        #expect(shop.isStarted && surface.screens.count == 2)
        kiosk.dependency = Kiosk(shop: AppDependency(test.client))
        let home = try #require(surface.screens.last as? RecordingHomeScreen)
        try await test.record.until { home.promotions.value != nil }
        #expect(try await home.send(EditCart.add(sku: "rosa-1")).unitCount == 1)
        try await home.send(ShopPage.product(handle: "rosa"))
        surface.goBack()
        #expect(shop.isStarted)
        surface.goBack()
        #expect(!shop.isStarted && kiosk.ended == 1)
        #expect(surface.screens.count == 1 && kiosk.isActive)
    }

    @Test func `a shop below a root with another dependency runs while an inner flow has a screen`() async throws {
        let test = try ShopUnderTest(.ada, isReady: false)
        let kiosk = Coordinator<Kiosk>()
        kiosk.start()
        let surface = RecordingSurface(test.record)
        let shop = AppCoordinator(on: surface, screens: AccountScreens(record: test.record))
        kiosk.start(shop) { $0.shop }
        kiosk.dependency = Kiosk(shop: AppDependency(test.client))
        let inner = InnerCoordinator(on: shop.stack)
        shop.start(inner) { _ in "" }
        try await shop.open(.orders)
        surface.presented?.goBack()
        #expect(shop.isStarted && inner.isActive)
        inner.finish()
        #expect(!inner.isStarted && !shop.isStarted)
    }

    private final class InnerCoordinator: NavigationCoordinator<String> {
        override func didStart() { show(PlainScreen()) }
    }

    private struct AccountScreens: ScreenFactory {
        let record: ScreenRecord
        func makeOrdersScreen() -> any OrdersScreen { RecordingOrdersScreen(record) }
    }

    // MARK: Own sections

    /// A section with one screen, which has no page besides.
    private final class PlainSection: ShopCoordinator {
        override func didStart() { show(PlainScreen()) }
    }

    /// A section that takes its time.
    private final class PatientSection: ShopCoordinator {
        let gate = Gate()
        private(set) var shown: [ShopPage] = []

        override func didStart() { show(PlainScreen()) }

        override func show(_ page: ShopPage) async throws -> Bool {
            await gate.pass()
            shown.append(page)
            return true
        }
    }

    @Test func `a page that its section lacks is not offered, and a running cart comes on top`() async throws {
        let test = try ShopUnderTest(isReady: false)
        var sections = ShopSections()
        sections.catalog = { PlainSection(on: $0, screens: $1) }
        sections.cart = { PlainSection(on: $0, screens: $1) }
        let (app, surface) = test.startApp(sections: sections)
        let home = try #require(surface.screens.last as? PlainScreen)
        for _ in 1...2 {
            await #expect(throws: ScreenFailure.notOffered) { try await home.send(ShopPage.product(handle: "rosa")) }
        }
        try await home.send(ShopPage.cart)
        let cart = try #require(surface.screens.last)
        _ = app.startFlow()
        // The running cart has no page, and still comes on top.
        try await home.send(ShopPage.cart)
        #expect(surface.screens.count == 2 && surface.screens.last === cart && surface.presented == nil)
    }

    @Test func `two messages at once for one page both reach its section`() async throws {
        let test = try ShopUnderTest(isReady: false)
        var sections = ShopSections()
        let section = PatientSection(
            on: ScreenStack(on: RecordingSurface(test.record)), screens: RecordingScreens(test.record))
        sections.cart = { _, _ in section }
        let (app, _) = test.startApp(sections: sections)
        try await app.open(.cart)
        async let first: Void = app.open(.cart)
        async let second: Void = app.open(.cart)
        await Task.yield()
        section.gate.open()
        _ = try await (first, second)
        #expect(section.shown == [.cart, .cart])
    }
}

/// Apps that offer some of the screens, and flows of their own over the shop.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct OfferedScreenTests {
    private struct KioskScreens: ScreenFactory {
        let record: ScreenRecord
        func makeListingScreen() -> any ListingScreen { RecordingListingScreen(record) }
        func makeProductScreen() -> any ProductScreen { RecordingProductScreen(record) }
        func makeShippingScreen() -> any ShippingScreen { RecordingShippingScreen(record) }
        func makePaymentScreen() -> any PaymentScreen { RecordingPaymentScreen(record) }
    }

    @Test func `an app offers the screens that it has, and other pages are an error that says so`() async throws {
        let test = try ShopUnderTest(isReady: false)
        let (app, surface) = test.startApp(screens: KioskScreens(record: test.record))
        #expect(surface.screens.isEmpty)
        try await app.open(.listing(ProductQuery()))
        let listing = try #require(surface.screens.last as? RecordingListingScreen)
        try await test.record.until { listing.products.value != nil }
        for page in [ShopPage.home, .cart, .profile, .signIn, .register, .orders, .order(id: "ord_1")] {
            await #expect(throws: ScreenFailure.notOffered, "\(page)") { try await listing.send(page) }
        }
        await #expect(throws: ScreenFailure.notOffered) { try await app.open(.cart) }
        #expect(surface.screens.count == 1 && surface.presented == nil)
        #expect(app.children.count { !($0 is NotificationCoordinator) } == 1)
        #expect(ScreenFailure.notOffered.text == "This page is not available here.")
    }

    @Test func `a purchase without a screen for its confirmation ends with a notice`() async throws {
        let test = try ShopUnderTest(isReady: false)
        let (app, surface) = test.startApp(screens: KioskScreens(record: test.record))
        try await app.open(.listing(ProductQuery()))
        let listing = try #require(surface.screens.last as? RecordingListingScreen)
        try await listing.buyNow(TestShop.rosa)
        let shipping = try await test.top(RecordingShippingScreen.self, on: surface) { $0.methods.value != nil }
        try await test.deliver(shipping, on: surface).pay()
        #expect(surface.screens.last === listing)
        #expect(listing.notices.map(\.text) == ["Your order P-1 was placed."])
    }

    private struct TillScreens: ScreenFactory {
        let record: ScreenRecord
        func makeCartScreen() -> any CartScreen { RecordingCartScreen(record) }
        func makeShippingScreen() -> any ShippingScreen { RecordingShippingScreen(record) }
        func makePaymentScreen() -> any PaymentScreen { RecordingPaymentScreen(record) }
    }

    @Test func `a shop without home starts with its cart, and again after a purchase, with its notice`() async throws {
        let test = try ShopUnderTest(isReady: false)
        let (app, surface) = test.startApp(screens: TillScreens(record: test.record))
        let cart = try #require(surface.screens.last as? RecordingCartScreen)
        try await cart.addToCart(TestShop.rosa)
        try await cart.send(BeginCheckout())
        let shipping = try await test.top(RecordingShippingScreen.self, on: surface) { $0.methods.value != nil }
        try await test.deliver(shipping, on: surface).pay()
        let next = try await test.top(RecordingCartScreen.self, on: surface) { !$0.notices.isEmpty }
        #expect(next !== cart && next.notices.map(\.text) == ["Your order P-1 was placed."])
        #expect(surface.screens.count == 1)
        try await next.addToCart(TestShop.rosa)
        withExtendedLifetime(app) {}
    }

    // MARK: Presented flows

    @Test(arguments: [ShopPage.home, .cart, .listing(ProductQuery()), .product(handle: "rosa")])
    func `a page below a presented flow of an app's own ends the flow, and is on top`(_ page: ShopPage) async throws {
        let test = try ShopUnderTest()
        try await test.top(RecordingHomeScreen.self)
        let (flow, screen) = test.app.startFlow()
        #expect(test.surface.presented != nil)
        try await screen.send(page)
        #expect(test.surface.presented == nil && !flow.isStarted)
        #expect(test.surface.screens.last is RecordingScreen)
    }

    @Test func `pages of the account cover a presented flow, which is on top again afterwards`() async throws {
        let test = try ShopUnderTest(.ada)
        let (flow, screen) = test.app.startFlow()
        try await screen.send(ShopPage.orders)
        try await test.top(RecordingOrdersScreen.self)
        test.surface.top.goBack()
        #expect(test.surface.top.screens.last === screen && flow.isActive)
    }

    private struct FrontScreens: ScreenFactory {
        let record: ScreenRecord
        func makeHomeScreen() -> any HomeScreen { RecordingHomeScreen(record) }
        func makeSignInScreen() -> any SignInScreen { RecordingSignInScreen(record) }
    }

    @Test func `a page that the app lacks does not close the account, where a form may be under way`() async throws {
        let test = try ShopUnderTest(isReady: false)
        let (app, surface) = test.startApp(screens: FrontScreens(record: test.record))
        try await app.open(.signIn)
        let form = try #require(surface.presented?.screens.last as? RecordingSignInScreen)
        for page in [ShopPage.product(handle: "rosa"), .cart] {
            await #expect(throws: ScreenFailure.notOffered) { try await app.open(page) }
        }
        #expect(surface.presented?.screens.last === form)
        try await app.open(.home)
        #expect(surface.presented == nil)
    }
}
