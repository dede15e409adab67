import PouchApp
import PouchClient
import PouchCoordination
import PouchScreens
import PouchTesting
import Testing

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
        let (app, surface) = test.startApp { AppCoordinator(on: $0, screens: KioskScreens(record: test.record)) }
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
        let (app, surface) = test.startApp { AppCoordinator(on: $0, screens: KioskScreens(record: test.record)) }
        try await app.open(.listing(ProductQuery()))
        let listing = try #require(surface.screens.last as? RecordingListingScreen)
        try await listing.buyNow(TestShop.rosa)
        let shipping = try #require(surface.screens.last as? RecordingShippingScreen)
        try await test.record.until { shipping.methods.value != nil }
        try await shipping.send(ChooseDelivery(methodId: "standard", to: Address.sample(id: "adr_1")))
        let payment = try #require(surface.screens.last as? RecordingPaymentScreen)
        try await test.record.until { payment.purchase.value != nil }
        try await payment.pay()
        #expect(surface.screens.last === listing)
        #expect(listing.notices.map(\.text) == ["Your order P-1 was placed."])
    }

    private struct TillScreens: ScreenFactory {
        let record: ScreenRecord
        func makeCartScreen() -> any CartScreen { RecordingCartScreen(record) }
        func makeShippingScreen() -> any ShippingScreen { RecordingShippingScreen(record) }
        func makePaymentScreen() -> any PaymentScreen { RecordingPaymentScreen(record) }
    }

    @Test func `a shop without home starts with its cart, and again after a purchase, whose notice is there`()
        async throws
    {
        let test = try ShopUnderTest(isReady: false)
        let (app, surface) = test.startApp { AppCoordinator(on: $0, screens: TillScreens(record: test.record)) }
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
        let flow = RecordingFlow(on: test.app.stack.present())
        test.app.start(flow)
        let screen = PlainScreen()
        flow.show(screen)
        #expect(test.surface.presented != nil)
        try await screen.send(page)
        #expect(test.surface.presented == nil && !flow.isStarted)
        #expect(test.surface.screens.last is RecordingScreen)
    }

    @Test func `pages of the account cover a presented flow, which is on top again afterwards`() async throws {
        let test = try ShopUnderTest(.ada)
        let flow = RecordingFlow(on: test.app.stack.present())
        test.app.start(flow)
        let screen = PlainScreen()
        flow.show(screen)
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
        let (app, surface) = test.startApp { AppCoordinator(on: $0, screens: FrontScreens(record: test.record)) }
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
