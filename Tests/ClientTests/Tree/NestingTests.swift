import PouchClient
import PouchCoordination
import PouchEntities
import PouchScreens
import Testing

/// Payments from every place of the tree that may lead to one.
@MainActor
@Suite(.timeLimit(.minutes(1)))
struct NestingTests {
    enum Nesting: String, CaseIterable {
        case app, catalog, cart, account, cartInCatalog
    }

    /// The coordinator from which the payment starts, with a screen of its own on top.
    private func place(_ nesting: Nesting, in test: ShopUnderTest) async throws -> (ShopCoordinator, FakeScreen) {
        let home = await test.top(FakeHome.self) { $0.promotions.value != nil }
        switch nesting {
        case .app:
            let screen = FakeHome(test.watch)
            test.app.show(screen)
            return (test.app, screen)
        case .catalog:
            return (try #require(test.app.child(CatalogCoordinator.self)), home)
        case .cart:
            try await home.show(.cart)
            return (try #require(test.app.child(CartCoordinator.self)), await test.top(FakeCart.self))
        case .account:
            try await home.show(.signIn)
            return (try #require(test.app.child(AccountCoordinator.self)), await test.top(FakeSignIn.self))
        case .cartInCatalog:
            let catalog = try #require(test.app.child(CatalogCoordinator.self))
            let cart = CartCoordinator(on: catalog.stack, screens: FakeScreens(watch: test.watch))
            catalog.start(cart)
            return (cart, await test.top(FakeCart.self))
        }
    }

    @Test(arguments: Nesting.allCases)
    func `a payment runs below any coordinator, to its confirmation there`(_ nesting: Nesting) async throws {
        let test = try ShopUnderTest()
        let (place, screen) = try await place(nesting, in: test)
        try await screen.buyNow(SmallShop.rosa)
        #expect(place.child(PaymentCoordinator.self) != nil)
        let payment = try await test.deliver(await test.top { $0.methods.value != nil })
        try await payment.pay()
        await test.top(FakeConfirmation.self)
        #expect(place.isActive && place.child(PaymentCoordinator.self) == nil)
    }

    @Test(arguments: Nesting.allCases)
    func `going back from a payment leads to where it began`(_ nesting: Nesting) async throws {
        let test = try ShopUnderTest()
        let (place, screen) = try await place(nesting, in: test)
        try await screen.buyNow(SmallShop.rosa)
        _ = try await test.deliver(await test.top { $0.methods.value != nil })
        test.surface.top.goBack(2)
        #expect(test.surface.top.screens.last === screen)
        #expect(place.isActive && place.children.isEmpty || place === test.app)
    }

    @Test(arguments: Nesting.allCases)
    func `a branch that ended leaves nothing alive`(_ nesting: Nesting) async throws {
        let test = try ShopUnderTest()
        weak var payment: PaymentCoordinator?
        weak var screen: FakePayment?
        do {
            let (place, first) = try await place(nesting, in: test)
            try await first.buyNow(SmallShop.rosa)
            payment = place.child(PaymentCoordinator.self)
            let paying = try await test.deliver(await test.top { $0.methods.value != nil })
            screen = paying
            try await paying.pay()
            await test.top(FakeConfirmation.self)
        }
        #expect(payment == nil)
        #expect(screen == nil)
    }

    @Test func `a tree that was dropped or stopped leaves nothing alive, with streams followed and messages waiting`()
        async throws
    {
        weak var app: AppCoordinator?
        weak var home: FakeHome?
        weak var stopped: CatalogCoordinator?
        do {
            let test = try ShopUnderTest(isReady: false)
            (app, home) = (test.app, await test.top(FakeHome.self))
            let screen = await test.top(FakeHome.self)
            _ = Task { try await screen.refresh() }
            await Task.yield()
            let other = try ShopUnderTest()
            _ = try await other.goToPayment()
            stopped = other.app.child(CatalogCoordinator.self)
            other.app.stop()
        }
        #expect(app == nil)
        #expect(stopped == nil)
        // The message that waited ends a little later, and lets go of its screen.
        while home != nil { await Task.yield() }
    }
}
