import ClientTesting
import PouchApp
import PouchClient
import PouchCoordination
import PouchTesting
import Testing

@MainActor
@Suite(.timeLimit(.minutes(5)))
struct BuyingTests {
    private let test: ShopUnderTest

    init() throws { test = try ShopUnderTest() }

    @Test func `the way from home through product, cart, delivery and payment to the order's status`() async throws {
        let payment = try await test.goToPayment()
        #expect(test.kinds == ["Home", "Product", "Cart", "Shipping", "Payment"])
        #expect(payment.purchase.value?.totals.total == Fixture.euros(2500))
        #expect(payment.purchase.value?.shipping?.methodId == "standard" && payment.needsEmail)
        let confirmation = try await test.buy(payment)
        #expect(confirmation.order.value?.id == "ord_1")
        #expect(test.kinds == ["Home", "Product", "Confirmation"])
        test.shop.change { $0.orders[Shopper.guest.owner] = [Fixture.order(id: "ord_1", status: .fulfilled)] }
        try await confirmation.send(ShowOrderStatus())
        try await test.top(RecordingStatusScreen.self) { $0.order.value?.status == .fulfilled }
        test.surface.goBack(2)
        try await test.top(RecordingProductScreen.self) { $0.status.cart.unitCount == nil }
        try await test.open(.cart, RecordingCartScreen.self) { $0.cart.value?.lines.isEmpty == true }
        #expect(test.shop.requests(to: Contract.checkout).count == 1)
    }

    @Test func `back navigation leads step by step to home, and each section ends with its last screen`() async throws {
        _ = try await test.goToPayment()
        #expect(test.app.child(CartCoordinator.self)?.child(PaymentCoordinator.self) != nil)
        test.surface.goBack()
        try await test.top(RecordingShippingScreen.self)
        #expect(test.app.child(CartCoordinator.self)?.children.isEmpty == true)
        test.surface.goBack()
        try await test.top(RecordingCartScreen.self)
        test.surface.goBack()
        try await test.top(RecordingProductScreen.self)
        #expect(test.sections.count == 1)
        test.surface.goBack()
        try await test.top(RecordingHomeScreen.self)
        #expect(test.app.isStarted)
    }

    @Test func `back navigation from the payment to home at once ends payment and cart`() async throws {
        _ = try await test.goToPayment()
        test.surface.goBack(4)
        try await test.top(RecordingHomeScreen.self)
        #expect(test.sections.count == 1)
        #expect(try await test.fillCart(to: 4).status.cart.unitCount == 4)
    }

    @Test(arguments: Nesting.allCases)
    func `back navigation from a payment leads to where it started`(_ nesting: Nesting) async throws {
        let (place, screen) = try await nesting.open(in: test)
        try await screen.buyNow(TestShop.rosa)
        _ = try await test.deliver(try await test.top { $0.methods.value != nil })
        test.surface.top.goBack(2)
        #expect(test.surface.top.screens.last === screen)
        #expect(place.isActive && place.children.isEmpty || place === test.app)
    }

    @Test func `buy now, sent by a cell within a container, leads to the payment of this product alone`() async throws {
        let home = try await test.top(RecordingHomeScreen.self) { $0.promotions.value != nil }
        let (container, cell) = (PlainView(), PlainView())
        container.coordinatingResponder = home
        cell.coordinatingResponder = container
        try await cell.buyNow(TestShop.rosa)
        #expect(test.app.child(CatalogCoordinator.self)?.child(PaymentCoordinator.self) != nil)
        let payment = try await test.deliver(try await test.top { $0.methods.value != nil })
        #expect(payment.purchase.value?.shipping?.address.city == "Perth")
        try await test.buy(payment)
        #expect(test.kinds == ["Home", "Confirmation"])
        #expect(test.app.child(CatalogCoordinator.self)?.children.isEmpty == true)
        #expect(test.shop.requests(to: Contract.buyNow).count == 1)
    }

    @Test func `buy now of a product with several variants asks for the variant first`() async throws {
        try await test.top(RecordingHomeScreen.self) { $0.promotions.value != nil }.buyNow(TestShop.lily)
        let product = try await test.top(RecordingProductScreen.self) { $0.product.value != nil }
        var choice = VariantChoice(TestShop.lily)
        choice.choose("Red", for: "Colour")
        choice.choose("M", for: "Size")
        let sku = try #require(choice.variant?.sku)
        try await product.send(BuyNow(sku: sku, quantity: 2, from: product))
        try await test.top(RecordingShippingScreen.self)
    }

    @Test func `buy now pressed twice leads to one payment`() async throws {
        let home = try await test.top(RecordingHomeScreen.self) { $0.promotions.value != nil }
        async let first: Void = home.buyNow(TestShop.rosa)
        async let second: Void = home.buyNow(TestShop.rosa)
        _ = try await (first, second)
        #expect(test.kinds == ["Home", "Shipping"])
        #expect(test.app.child(CatalogCoordinator.self)?.children.count == 1)
    }

    @Test func `signing in at the payment leads back to it, with the guest's cart and without e-mail`() async throws {
        let payment = try await test.goToPayment()
        try await test.open(.signIn, RecordingSignInScreen.self)
        #expect(test.surface.presented != nil)
        try await test.signIn()
        let back = try await test.top(RecordingPaymentScreen.self) { !$0.needsEmail && !$0.purchase.isLoading }
        #expect(back === payment)
        #expect(test.surface.presented == nil)
        #expect(back.purchase.value?.totals.total == Fixture.euros(2500))
        try await test.buy(back, email: nil)
    }

    @Test func `signing in while buying from the orders leads back to the payment`() async throws {
        let test = try ShopUnderTest(.guest)
        test.shop.change { $0.orders[Shopper.ada.owner] = [Fixture.order()] }
        let orders: RecordingOrdersScreen = try await test.open(.orders) { $0.orders.value?.items.isEmpty == true }
        try await orders.buyNow(TestShop.rosa)
        let payment = try await test.deliver(try await test.top { $0.methods.value != nil })
        try await test.open(.signIn, RecordingSignInScreen.self)
        try await test.signIn()
        #expect(
            try await test.top(RecordingPaymentScreen.self) { !$0.needsEmail && !$0.purchase.isLoading } === payment)
        try await test.buy(payment, email: nil)
        test.surface.presented?.goBack()
        // The orders are those of the new session.
        #expect(try await test.top(RecordingOrdersScreen.self) { $0.orders.value?.items.isEmpty == false } === orders)
    }

    @Test func `an unknown total cannot be paid, and the screen gets a failure`() async throws {
        try await test.fillCart().send(BeginCheckout())
        let shipping = try await test.top(RecordingShippingScreen.self) { $0.methods.value != nil }
        let gate = test.shop.hold(Contract.cart)
        try await shipping.send(ChooseDelivery(methodId: "standard", to: Address.sample(id: "adr_1")))
        let payment = try await test.top(RecordingPaymentScreen.self)
        #expect(await thrownFailure { try await payment.pay() }?.remedy == .retry)
        gate.open()
        try await test.buy(try await test.top { $0.purchase.value != nil && !$0.purchase.isLoading })
    }

    @Test func `leaving the sign-in leads back to the unchanged payment`() async throws {
        let payment = try await test.goToPayment()
        try await test.open(.signIn, RecordingSignInScreen.self)
        try await test.open(.register, RecordingRegisterScreen.self)
        test.surface.presented?.goBack(2)
        try await test.top(RecordingPaymentScreen.self) { $0.needsEmail && $0 === payment }
        #expect(test.app.child(AccountCoordinator.self) == nil)
    }

    @Test func `a changed price is not paid, and the screen gets the new one to review`() async throws {
        let payment = try await test.goToPayment()
        test.shop.setPrice("rosa-1", 1100)
        #expect(await thrownFailure { try await payment.pay() }?.remedy == .review)
        #expect(payment.purchase.value?.totals.total == Fixture.euros(2700))
        #expect(test.kinds.last == "Payment")
        try await test.buy(payment)
    }

    @Test func `a payment refused while the managers are away is not repeated when they return`() async throws {
        let payment = try await test.goToPayment()
        test.shop.setPrice("rosa-1", 1100)
        let gate = test.shop.hold(Contract.checkout)
        let paying = Task { await thrownFailure { try await payment.pay() } }
        await gate.held()
        let dependency = test.app.dependency
        test.app.dependency = nil
        gate.open()
        #expect(await paying.value?.remedy == .review)
        test.app.dependency = dependency
        #expect(test.shop.requests(to: Contract.checkout).count == 1)
    }

    @Test func `a declined payment may be repeated with another card`() async throws {
        let payment = try await test.goToPayment()
        test.shop.failNext(Contract.checkout, with: .problem(.paymentDeclined))
        #expect(await thrownFailure { try await payment.pay() }?.remedy == .correct)
        try await test.buy(payment)
    }

    @Test func `back navigation during a payment shows a notice of the order`() async throws {
        let payment = try await test.goToPayment()
        let gate = test.shop.hold(Contract.checkout)
        let paying = Task { try await payment.pay() }
        await gate.held(1)
        test.surface.goBack(4)
        try await test.top(RecordingHomeScreen.self)
        gate.open()
        try await paying.value
        #expect(test.kinds == ["Home"])
        try await test.top(RecordingHomeScreen.self) { $0.notice?.text == "Your order P-1 was placed." }
    }

    @Test func `a payment below an app's own coordinator ends with the confirmation`() async throws {
        test.app.stop()
        let own = Coordinator<AppDependency>()
        own.dependency = AppDependency(test.client)
        own.start()
        let draft = OrderDraft(lines: [OrderDraft.Line(sku: "rosa-1", quantity: 1)])
        own.start(
            PaymentCoordinator(
                of: .items(draft), on: ScreenStack(on: test.surface), screens: RecordingScreens(test.record)))
        let confirmation = try await test.buy(test.deliver(test.top { $0.methods.value != nil }))
        #expect(confirmation.order.value?.id == "ord_1")
        #expect(test.kinds == ["Confirmation"])
        try await confirmation.send(ShowOrderStatus())
        try await test.top(RecordingStatusScreen.self) { $0.order.value?.id == "ord_1" && !$0.order.isLoading }
    }

    private final class OwnConfirmation: CatalogCoordinator {
        private(set) var orders: [Order] = []

        override func orderPlaced(_ message: OrderPlaced) async throws {
            orders.append(message.order)
            show(PlainScreen())
            throw ScreenFailure("The receipt could not be printed.")
        }
    }

    @Test func `after an app's own confirmation fails, no other follows, and nothing is paid twice`() async throws {
        let test = try ShopUnderTest(isReady: false)
        var sections = ShopSections()
        sections.catalog = { OwnConfirmation(on: $0, screens: $1) }
        let (app, surface) = test.startApp(sections: sections)
        try await test.top(RecordingHomeScreen.self, on: surface).buyNow(TestShop.rosa)
        let shipping = try await test.top(RecordingShippingScreen.self, on: surface) { $0.methods.value != nil }
        let payment = try await test.deliver(shipping, on: surface)
        for count in 1...2 {
            #expect(await thrownFailure { try await payment.pay() }?.text == "The receipt could not be printed.")
            #expect(app.child(OwnConfirmation.self)?.orders.map(\.id) == Array(repeating: "ord_1", count: count))
        }
        #expect(surface.screens.last is PlainScreen)
        #expect(!surface.screens.contains { $0 is RecordingConfirmationScreen })
        #expect(test.shop.requests(to: Contract.buyNow).count == 1)
    }

    @Test func `a product with one variant goes into the cart, and one with several is opened`() async throws {
        let home = try await test.top(RecordingHomeScreen.self)
        #expect(try await home.addToCart(TestShop.rosa)?.unitCount == 1)
        #expect(try await home.addToCart(TestShop.lily) == nil)
        try await test.top(RecordingProductScreen.self) { $0.handle == TestShop.lily.handle }
        #expect(test.client.cart.state?.cart.value.unitCount == 1)
        // The root, as its own sender.
        #expect(try await test.app.addToCart(TestShop.rosa)?.unitCount == 2)
        try await test.app.buyNow(TestShop.rosa)
        try await test.top(RecordingShippingScreen.self)
    }

    @Test func `an empty cart does not lead to the delivery`() async throws {
        let cart = try await test.open(.cart, RecordingCartScreen.self) { $0.cart.value != nil }
        #expect(await thrownFailure { try await cart.send(BeginCheckout()) }?.text == "The cart is empty.")
    }

    @Test func `opening the cart from a product above it goes back to it, and does not open it twice`() async throws {
        let cart = try await test.fillCart()
        try await test.open(.product(handle: "lily"), RecordingProductScreen.self) { $0.handle == "lily" }
        #expect(test.kinds == ["Home", "Product", "Cart", "Product"])
        #expect(try await test.open(.cart, RecordingCartScreen.self) === cart)
        try await test.open(.home, RecordingHomeScreen.self)
        #expect(test.kinds == ["Home"])
        #expect(test.sections.count == 1)
    }
}
