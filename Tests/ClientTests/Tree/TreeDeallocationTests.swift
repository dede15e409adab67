import ClientTesting
import PouchApp
import PouchClient
import PouchCoordination
import PouchTesting
import Testing

/// A branch that has ended is deallocated with its coordinators, stacks and screens, wherever it was and however it
/// ended.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct TreeDeallocationTests {
    enum Ending: CaseIterable {
        case bought, goneBack, leftForHome, stopped, dropped
    }

    /// The coordinators of a branch and their stacks, held weakly.
    private func branch(_ top: Coordinator<AppDependency>) -> [Weak] {
        [Weak(top)] + ((top as? ShopCoordinator).map { [Weak($0.stack)] } ?? []) + top.children.flatMap(branch)
    }

    @Test(arguments: Nesting.allCases, Ending.allCases)
    func `a payment anywhere is deallocated with what leads there`(_ nesting: Nesting, _ ending: Ending) async throws {
        var test: ShopUnderTest? = try ShopUnderTest()
        let shop = try #require(test)
        let record = shop.record
        var gone: [Weak] = []
        do {
            let (place, first) = try await nesting.open(in: shop)
            try await first.buyNow(TestShop.rosa)
            let payment = try await shop.deliver(try await shop.top { $0.methods.value != nil })
            switch ending {
            case .bought:
                gone = branch(try #require(place.child(PaymentCoordinator.self))).filter { $0.object !== place.stack }
                try await shop.buy(payment)
                #expect(place.isActive && place.child(PaymentCoordinator.self) == nil)
            case .goneBack:
                gone = shop.sections.dropFirst().flatMap(branch) + branches(below: CatalogCoordinator.self, shop)
                shop.surface.presented?.goBack(10)
                if nesting != .account { shop.surface.goBack(shop.surface.screens.count - 1) }
            case .leftForHome:
                gone = shop.sections.dropFirst().flatMap(branch) + branches(below: CatalogCoordinator.self, shop)
                try await payment.send(ShopPage.home)
            case .stopped:
                gone = shop.app.children.flatMap(branch)
                shop.app.stop()
            case .dropped:
                gone = branch(shop.app)
            }
            // The lowest stack lives as long as the app.
            if ending != .dropped { gone.removeAll { $0.object === shop.app.stack } }
            #expect(!gone.isEmpty)
        }
        _ = consume shop
        if ending == .dropped { test = nil }
        // Tasks under way release their objects when they end.
        try await eventually {
            gone.allSatisfy { $0.object == nil } && record.living.allSatisfy { test?.shows($0) == true }
        }
    }

    private func branches(below kind: CatalogCoordinator.Type, _ shop: ShopUnderTest) -> [Weak] {
        shop.app.child(kind)?.children.flatMap(branch) ?? []
    }

    @Test func `every section is deallocated with all its screens`() async throws {
        let test = try ShopUnderTest(.ada)
        test.shop.change { $0.orders[Shopper.ada.owner] = [Fixture.order(id: "ord_0")] }
        var gone: [Weak] = []
        do {
            try await test.buy(test.goToPayment(), email: nil).send(ShowOrderStatus())
            try await test.top(RecordingStatusScreen.self)
            try await test.open(.listing(ProductQuery()), RecordingListingScreen.self) { $0.products.value != nil }
            try await test.open(.profile, RecordingProfileScreen.self)
            try await test.open(.orders, RecordingOrdersScreen.self) { $0.orders.value != nil }
            try await test.open(.order(id: "ord_0"), RecordingOrderScreen.self) { $0.order.value != nil }
            try await test.open(.signIn, RecordingSignInScreen.self)
            let register = try await test.open(.register, RecordingRegisterScreen.self)
            #expect(Set(test.record.living.map { ObjectIdentifier(type(of: $0)) }).count == 10)
            gone = test.sections.dropFirst().flatMap(branch).filter { $0.object !== test.app.stack }
            #expect(gone.count == 3)
            try await register.send(ShopPage.home)
        }
        try await eventually { gone.allSatisfy { $0.object == nil } && test.record.living.count == 1 }
    }

    @Test func `a deallocated or stopped tree leaves nothing alive, even with waiting messages`() async throws {
        weak var app: AppCoordinator?
        weak var home: RecordingHomeScreen?
        weak var stopped: CatalogCoordinator?
        do {
            let test = try ShopUnderTest(isReady: false)
            (app, home) = (test.app, try await test.top(RecordingHomeScreen.self))
            let screen = try await test.top(RecordingHomeScreen.self)
            _ = Task { try await screen.send(Refresh()) }
            await Task.yield()
            let other = try ShopUnderTest()
            _ = try await other.goToPayment()
            stopped = other.app.child(CatalogCoordinator.self)
            other.app.stop()
        }
        #expect(app == nil)
        #expect(stopped == nil)
        // The waiting message ends a little later, and releases its screen.
        try await eventually { home == nil }
    }
}

/// The places of the tree that can start a payment.
enum Nesting: String, CaseIterable {
    case app, catalog, cart, account, cartInCatalog

    /// Opens the place.
    ///
    /// - Returns: its coordinator, which has the top screen.
    @MainActor
    func open(in test: ShopUnderTest) async throws -> (ShopCoordinator, RecordingScreen) {
        let home = try await test.top(RecordingHomeScreen.self) { $0.promotions.value != nil }
        switch self {
        case .app:
            let screen = RecordingHomeScreen(test.record)
            test.app.show(screen)
            return (test.app, screen)
        case .catalog:
            return (try #require(test.app.child(CatalogCoordinator.self)), home)
        case .cart:
            try await home.send(ShopPage.cart)
            return (try #require(test.app.child(CartCoordinator.self)), try await test.top(RecordingCartScreen.self))
        case .account:
            try await home.send(ShopPage.signIn)
            return (
                try #require(test.app.child(AccountCoordinator.self)), try await test.top(RecordingSignInScreen.self)
            )
        case .cartInCatalog:
            let catalog = try #require(test.app.child(CatalogCoordinator.self))
            let cart = CartCoordinator(on: catalog.stack, screens: RecordingScreens(test.record))
            catalog.start(cart)
            return (cart, try await test.top(RecordingCartScreen.self))
        }
    }
}
