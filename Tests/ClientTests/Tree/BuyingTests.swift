import PouchApp
import PouchClient
import PouchCoordination
import PouchNetwork
import PouchScreens
import Testing

@MainActor
@Suite(.timeLimit(.minutes(1)))
struct BuyingTests {
    @Test func `the way from home through product, cart, delivery and payment to the order's status`() async throws {
        let test = try ShopUnderTest()
        let payment = try await test.goToPayment()
        #expect(test.kinds == ["FakeHome", "FakeProduct", "FakeCart", "FakeShipping", "FakePayment"])
        #expect(payment.purchase.value?.totals.total == Fixture.euros(2000))
        #expect(payment.purchase.value?.shipping?.methodId == "standard")
        #expect(payment.needsEmail)
        try await payment.pay()
        let confirmation = try await test.top(FakeConfirmation.self)
        #expect(confirmation.order.value?.id == "ord_1")
        #expect(test.kinds == ["FakeHome", "FakeProduct", "FakeConfirmation"])
        test.shop.change { $0.orders[Shopper.guest.owner] = [Fixture.order(id: "ord_1", status: .fulfilled)] }
        try await confirmation.send(to: (any PurchaseMessages).self) { try await $0.purchaseShowStatus() }
        try await test.top(FakeStatus.self) { $0.order.value?.status == .fulfilled }
        test.surface.goBack(2)
        let product = try await test.top(FakeProduct.self) { $0.status.cart.unitCount == nil }
        try await product.show(.cart)
        try await test.top(FakeCart.self) { $0.cart.value?.lines.isEmpty == true }
        #expect(test.shop.requests("POST /v1/cart/checkout") == 1)
    }

    @Test
    func `back navigation leads from the payment step by step to home, and each section ends with its last screen`()
        async throws
    {
        let test = try ShopUnderTest()
        _ = try await test.goToPayment()
        #expect(test.app.child(CartCoordinator.self)?.child(PaymentCoordinator.self) != nil)
        test.surface.goBack()
        try await test.top(FakeShipping.self)
        #expect(test.app.child(CartCoordinator.self)?.children.isEmpty == true)
        test.surface.goBack()
        try await test.top(FakeCart.self)
        test.surface.goBack()
        try await test.top(FakeProduct.self)
        #expect(test.sections.count == 1)
        test.surface.goBack()
        try await test.top(FakeHome.self)
        #expect(test.app.isStarted)
    }

    @Test func `back navigation from the payment to home at once ends payment and cart`() async throws {
        let test = try ShopUnderTest()
        _ = try await test.goToPayment()
        test.surface.goBack(4)
        try await test.top(FakeHome.self)
        #expect(test.sections.count == 1)
        let cart = try await test.fillCart(to: 4)
        #expect(cart.status.cart.unitCount == 4)
    }

    @Test func `buy now, sent by a cell within a container, leads to the payment of this product alone`() async throws {
        let test = try ShopUnderTest()
        let home = try await test.top(FakeHome.self) { $0.promotions.value != nil }
        let (container, cell) = (PlainView(), PlainView())
        container.coordinatingResponder = home
        cell.coordinatingResponder = container
        try await cell.send(to: (any PurchaseMessages).self) { try await $0.purchaseNow(StubShop.rosa) }
        #expect(test.app.child(CatalogCoordinator.self)?.child(PaymentCoordinator.self) != nil)
        let payment = try await test.deliver(try await test.top { $0.methods.value != nil })
        #expect(payment.purchase.value?.shipping?.address.city == "Perth")
        try await payment.pay()
        try await test.top(FakeConfirmation.self)
        #expect(test.kinds == ["FakeHome", "FakeConfirmation"])
        #expect(test.app.child(CatalogCoordinator.self)?.children.isEmpty == true)
        #expect(test.shop.requests("POST /v1/orders") == 1)
    }

    @Test func `buy now of a product with several variants asks for the variant first`() async throws {
        let test = try ShopUnderTest()
        let home = try await test.top(FakeHome.self) { $0.promotions.value != nil }
        try await home.buyNow(StubShop.lily)
        let product = try await test.top(FakeProduct.self) { $0.product.value != nil }
        var choice = VariantChoice(StubShop.lily)
        choice.choose("Red", for: "Colour")
        choice.choose("M", for: "Size")
        let sku = try #require(choice.variant?.sku)
        try await product.send(to: (any PurchaseMessages).self) { try await $0.purchaseNow(sku: sku, quantity: 2) }
        try await test.top(FakeShipping.self)
    }

    @Test func `buy now pressed twice leads to one payment`() async throws {
        let test = try ShopUnderTest()
        let home = try await test.top(FakeHome.self) { $0.promotions.value != nil }
        async let first: Void = home.buyNow(StubShop.rosa)
        async let second: Void = home.buyNow(StubShop.rosa)
        _ = try await (first, second)
        #expect(test.kinds == ["FakeHome", "FakeShipping"])
        #expect(test.app.child(CatalogCoordinator.self)?.children.count == 1)
    }

    @Test func `signing in at the payment leads back to it, with the guest's cart and without the e-mail address`()
        async throws
    {
        let test = try ShopUnderTest()
        let payment = try await test.goToPayment()
        try await payment.show(.signIn)
        try await test.top(FakeSignIn.self)
        #expect(test.surface.presented != nil)
        try await test.signIn()
        let back = try await test.top(FakePayment.self) { !$0.needsEmail && !$0.purchase.isLoading }
        #expect(back === payment)
        #expect(test.surface.presented == nil)
        #expect(back.purchase.value?.totals.total == Fixture.euros(2000))
        try await back.pay(email: nil)
        try await test.top(FakeConfirmation.self)
    }

    @Test func `signing in while buying from the orders leads back to the payment`() async throws {
        let test = try ShopUnderTest(.guest)
        test.shop.change { $0.orders[Shopper.ada.owner] = [Fixture.order()] }
        try await test.top(FakeHome.self).show(.orders)
        let orders = try await test.top(FakeOrders.self) { $0.orders.value?.items.isEmpty == true }
        try await orders.buyNow(StubShop.rosa)
        let payment = try await test.deliver(try await test.top { $0.methods.value != nil })
        try await payment.show(.signIn)
        try await test.signIn()
        #expect(try await test.top(FakePayment.self) { !$0.needsEmail && !$0.purchase.isLoading } === payment)
        try await payment.pay(email: nil)
        try await test.top(FakeConfirmation.self)
        test.surface.presented?.goBack()
        // The orders are those of the new session.
        #expect(try await test.top(FakeOrders.self) { $0.orders.value?.items.isEmpty == false } === orders)
    }

    @Test func `an unknown total cannot be paid, and the screen gets a failure`() async throws {
        let test = try ShopUnderTest()
        let cart = try await test.fillCart()
        let gate = Gate()
        try await cart.send(to: (any CheckoutMessages).self) { try await $0.checkoutBegin() }
        let shipping = try await test.top(FakeShipping.self) { $0.methods.value != nil }
        test.shop.hold("/v1/cart", at: gate)
        try await shipping.send(to: (any CheckoutMessages).self) {
            try await $0.checkoutDeliver(methodId: "standard", to: StubShop.home)
        }
        let payment = try await test.top(FakePayment.self)
        let failure = await #expect(throws: ScreenFailure.self) { try await payment.pay() }
        #expect(failure?.remedy == .retry)
        gate.open()
        try await test.top(FakePayment.self) { $0.purchase.value != nil && !$0.purchase.isLoading }.pay()
        try await test.top(FakeConfirmation.self)
    }

    @Test func `leaving the sign-in leads back to the unchanged payment`() async throws {
        let test = try ShopUnderTest()
        let payment = try await test.goToPayment()
        try await payment.show(.signIn)
        let signIn = try await test.top(FakeSignIn.self)
        try await signIn.show(.register)
        try await test.top(FakeRegister.self)
        test.surface.presented?.goBack(2)
        try await test.top(FakePayment.self) { $0.needsEmail && $0 === payment }
        #expect(test.app.child(AccountCoordinator.self) == nil)
    }

    @Test func `a changed price is not paid, and the screen gets the new one to review`() async throws {
        let test = try ShopUnderTest()
        let payment = try await test.goToPayment()
        test.shop.setPrice("rosa-1", 1100)
        let failure = await #expect(throws: ScreenFailure.self) { try await payment.pay() }
        #expect(failure?.remedy == .review)
        #expect(payment.purchase.value?.totals.total == Fixture.euros(2200))
        #expect(test.kinds.last == "FakePayment")
        try await payment.pay()
        try await test.top(FakeConfirmation.self)
    }

    @Test func `a declined payment may be repeated with another card`() async throws {
        let test = try ShopUnderTest()
        let payment = try await test.goToPayment()
        test.shop.change { $0.refusals["/v1/cart/checkout"] = .problem(.paymentDeclined) }
        let failure = await #expect(throws: ScreenFailure.self) { try await payment.pay() }
        #expect(failure?.remedy == .correct)
        test.shop.change { $0.refusals = [:] }
        try await payment.pay()
        try await test.top(FakeConfirmation.self)
    }

    @Test func `back navigation during a payment shows a notice of the order`() async throws {
        let test = try ShopUnderTest()
        let payment = try await test.goToPayment()
        let gate = Gate()
        test.shop.hold("/v1/cart/checkout", at: gate)
        let paying = Task { try await payment.pay() }
        await gate.held(1)
        test.surface.goBack(4)
        try await test.top(FakeHome.self)
        gate.open()
        try await paying.value
        #expect(test.kinds == ["FakeHome"])
        try await test.top(FakeHome.self) { $0.notice?.text == "Your order P-1 was placed." }
    }

    @Test func `a payment below an app's own coordinator ends with the confirmation`() async throws {
        let test = try ShopUnderTest()
        test.app.stop()
        let own = Coordinator<AppDependency>()
        own.dependency = AppDependency(test.client)
        own.start()
        let draft = OrderDraft(lines: [OrderDraft.Line(sku: "rosa-1", quantity: 1)])
        own.start(
            PaymentCoordinator(
                of: .items(draft), on: NavigationStack(on: test.surface), screens: FakeScreens(watch: test.watch)))
        let payment = try await test.deliver(try await test.top { $0.methods.value != nil })
        try await payment.pay()
        let confirmation = try await test.top(FakeConfirmation.self)
        #expect(confirmation.order.value?.id == "ord_1")
        #expect(test.kinds == ["FakeConfirmation"])
        try await confirmation.send(to: (any PurchaseMessages).self) { try await $0.purchaseShowStatus() }
        try await test.top(FakeStatus.self) { $0.order.value?.id == "ord_1" && !$0.order.isLoading }
    }

    @Test func `an empty cart does not lead to the delivery`() async throws {
        let test = try ShopUnderTest()
        let home = try await test.top(FakeHome.self)
        try await home.show(.cart)
        let cart = try await test.top(FakeCart.self) { $0.cart.value != nil }
        let failure = await #expect(throws: ScreenFailure.self) {
            try await cart.send(to: (any CheckoutMessages).self) { try await $0.checkoutBegin() }
        }
        #expect(failure?.text == "The cart is empty.")
    }

    @Test func `opening the cart from a product above it goes back to it, and does not open it twice`() async throws {
        let test = try ShopUnderTest()
        let cart = try await test.fillCart()
        try await cart.show(.product(handle: "lily"))
        let product = try await test.top(FakeProduct.self) { $0.handle == "lily" }
        #expect(test.kinds == ["FakeHome", "FakeProduct", "FakeCart", "FakeProduct"])
        try await product.show(.cart)
        #expect(try await test.top(FakeCart.self) === cart)
        try await cart.show(.home)
        try await test.top(FakeHome.self)
        #expect(test.kinds == ["FakeHome"])
        #expect(test.sections.count == 1)
    }
}
