import PouchClient
import PouchCoordination
import PouchNetwork
import PouchScreens
import Testing

@MainActor
@Suite(.timeLimit(.minutes(1)))
struct BuyingTests {
    @Test func `from home by product, cart, delivery and payment to the confirmation and the order's status`()
        async throws
    {
        let test = try ShopUnderTest()
        let payment = try await test.goToPayment()
        #expect(test.kinds == ["FakeHome", "FakeProduct", "FakeCart", "FakeShipping", "FakePayment"])
        #expect(payment.purchase.value?.totals.total == Fixture.euros(2000))
        #expect(payment.purchase.value?.shipping?.methodId == "standard")
        #expect(payment.needsEmail)
        try await payment.pay()
        let confirmation = await test.top(FakeConfirmation.self)
        #expect(confirmation.order.value?.id == "ord_1")
        #expect(test.kinds == ["FakeHome", "FakeProduct", "FakeConfirmation"])
        test.shop.change { $0.orders["guest"] = [Fixture.order(id: "ord_1", status: .fulfilled)] }
        try await confirmation.send(to: (any PurchaseMessages).self) { try await $0.purchaseShowStatus() }
        await test.top(FakeStatus.self) { $0.order.value?.status == .fulfilled }
        test.surface.goBack(2)
        let product = await test.top(FakeProduct.self) { $0.status.cart.unitCount == nil }
        try await product.show(.cart)
        await test.top(FakeCart.self) { $0.cart.value?.lines.isEmpty == true }
        #expect(test.shop.requests("POST /v1/cart/checkout") == 1)
    }

    @Test func `back leads from the payment step by step to home, and each section ends with its last screen`()
        async throws
    {
        let test = try ShopUnderTest()
        _ = try await test.goToPayment()
        #expect(test.app.child(CartCoordinator.self)?.child(PaymentCoordinator.self) != nil)
        test.surface.goBack()
        await test.top(FakeShipping.self)
        #expect(test.app.child(CartCoordinator.self)?.children.isEmpty == true)
        test.surface.goBack()
        await test.top(FakeCart.self)
        test.surface.goBack()
        await test.top(FakeProduct.self)
        #expect(test.app.children.count == 1)
        test.surface.goBack()
        await test.top(FakeHome.self)
        #expect(test.app.isStarted)
    }

    @Test func `back from the payment to home at once ends payment and cart`() async throws {
        let test = try ShopUnderTest()
        _ = try await test.goToPayment()
        test.surface.goBack(4)
        await test.top(FakeHome.self)
        #expect(test.app.children.count == 1)
        let cart = try await test.fillCart(to: 4)
        #expect(cart.status.cart.unitCount == 4)
    }

    @Test func `buy now, sent by a cell within a container, goes up to the payment of this alone`() async throws {
        let test = try ShopUnderTest()
        let home = await test.top(FakeHome.self) { $0.promotions.value != nil }
        let (container, cell) = (PlainView(), PlainView())
        container.coordinatingResponder = home
        cell.coordinatingResponder = container
        try await cell.send(to: (any PurchaseMessages).self) { try await $0.purchaseNow(SmallShop.rosa) }
        #expect(test.app.child(CatalogCoordinator.self)?.child(PaymentCoordinator.self) != nil)
        let payment = try await test.deliver(await test.top { $0.methods.value != nil })
        #expect(payment.purchase.value?.shipping?.address.city == "Perth")
        try await payment.pay()
        await test.top(FakeConfirmation.self)
        #expect(test.kinds == ["FakeHome", "FakeConfirmation"])
        #expect(test.app.child(CatalogCoordinator.self)?.children.isEmpty == true)
        #expect(test.shop.requests("POST /v1/orders") == 1)
    }

    @Test func `buy now of a product with several variants asks which one first`() async throws {
        let test = try ShopUnderTest()
        let home = await test.top(FakeHome.self) { $0.promotions.value != nil }
        try await home.buyNow(SmallShop.lily)
        let product = await test.top(FakeProduct.self) { $0.product.value != nil }
        var choice = VariantChoice(SmallShop.lily)
        choice.choose("Red", for: "Colour")
        choice.choose("M", for: "Size")
        let sku = try #require(choice.variant?.sku)
        try await product.send(to: (any PurchaseMessages).self) { try await $0.purchaseNow(sku: sku, quantity: 2) }
        await test.top(FakeShipping.self)
    }

    @Test func `buy now pressed twice leads to one payment`() async throws {
        let test = try ShopUnderTest()
        let home = await test.top(FakeHome.self) { $0.promotions.value != nil }
        async let first: Void = home.buyNow(SmallShop.rosa)
        async let second: Void = home.buyNow(SmallShop.rosa)
        _ = try await (first, second)
        #expect(test.kinds == ["FakeHome", "FakeShipping"])
        #expect(test.app.child(CatalogCoordinator.self)?.children.count == 1)
    }

    @Test func `signing in midway leads back to the payment, with the guest's cart and without asking for an address`()
        async throws
    {
        let test = try ShopUnderTest()
        let payment = try await test.goToPayment()
        try await payment.show(.signIn)
        await test.top(FakeSignIn.self)
        #expect(test.surface.presented != nil)
        try await test.signIn()
        let back = await test.top(FakePayment.self) { !$0.needsEmail && !$0.purchase.isLoading }
        #expect(back === payment)
        #expect(test.surface.presented == nil)
        #expect(back.purchase.value?.totals.total == Fixture.euros(2000))
        try await back.pay(email: nil)
        await test.top(FakeConfirmation.self)
    }

    @Test func `giving up to sign in leads back to the payment as it was`() async throws {
        let test = try ShopUnderTest()
        let payment = try await test.goToPayment()
        try await payment.show(.signIn)
        let signIn = await test.top(FakeSignIn.self)
        try await signIn.show(.register)
        await test.top(FakeRegister.self)
        test.surface.presented?.goBack(2)
        await test.top(FakePayment.self) { $0.needsEmail && $0 === payment }
        #expect(test.app.child(AccountCoordinator.self) == nil)
    }

    @Test func `a price that has changed is not paid, and the screen has the new one to decide on`() async throws {
        let test = try ShopUnderTest()
        let payment = try await test.goToPayment()
        test.shop.change {
            $0.price = 1100
            $0.versions["guest", default: 0] += 1
        }
        let failure = await #expect(throws: ScreenFailure.self) { try await payment.pay() }
        #expect(failure?.remedy == .review)
        #expect(payment.purchase.value?.totals.total == Fixture.euros(2200))
        #expect(test.kinds.last == "FakePayment")
        try await payment.pay()
        await test.top(FakeConfirmation.self)
    }

    @Test func `a payment that was declined may be tried with another card`() async throws {
        let test = try ShopUnderTest()
        let payment = try await test.goToPayment()
        test.shop.change { $0.refusals["/v1/cart/checkout"] = .problem(.paymentDeclined) }
        let failure = await #expect(throws: ScreenFailure.self) { try await payment.pay() }
        #expect(failure?.remedy == .correct)
        test.shop.change { $0.refusals = [:] }
        try await payment.pay()
        await test.top(FakeConfirmation.self)
    }

    @Test func `whoever goes back while the payment is under way is told of the order where they went`() async throws {
        let test = try ShopUnderTest()
        let payment = try await test.goToPayment()
        let gate = Gate()
        test.shop.change { $0.gates["/v1/cart/checkout"] = gate }
        let paying = Task { try await payment.pay() }
        await gate.held(1)
        test.surface.goBack(4)
        await test.top(FakeHome.self)
        gate.open()
        try await paying.value
        #expect(test.kinds == ["FakeHome"])
        await test.top(FakeHome.self) { $0.notice?.text == "Your order P-1 was placed." }
    }

    @Test func `an empty cart does not lead to the delivery`() async throws {
        let test = try ShopUnderTest()
        let home = await test.top(FakeHome.self)
        try await home.show(.cart)
        let cart = await test.top(FakeCart.self) { $0.cart.value != nil }
        let failure = await #expect(throws: ScreenFailure.self) {
            try await cart.send(to: (any CheckoutMessages).self) { try await $0.checkoutBegin() }
        }
        #expect(failure?.text == "The cart is empty.")
    }

    @Test func `the cart asked for again from a product above it is gone back to, not opened twice`() async throws {
        let test = try ShopUnderTest()
        let cart = try await test.fillCart()
        try await cart.show(.product(handle: "lily"))
        let product = await test.top(FakeProduct.self) { $0.handle == "lily" }
        #expect(test.kinds == ["FakeHome", "FakeProduct", "FakeCart", "FakeProduct"])
        try await product.show(.cart)
        #expect(await test.top(FakeCart.self) === cart)
        try await cart.show(.home)
        await test.top(FakeHome.self)
        #expect(test.kinds == ["FakeHome"])
        #expect(test.app.children.count == 1)
    }
}
