import ClientTesting
import PouchApp
import PouchClient
import PouchCoordination
import PouchTesting
import Testing

/// Home, the cart and the account on tabs.
@MainActor
struct ShopTabs {
    let tabs: RecordingGroup
    let group: NavigationGroup
    let app: AppCoordinator

    init(_ test: ShopUnderTest, isReady: Bool = true) {
        tabs = RecordingGroup(3, test.record)
        group = NavigationGroup(on: tabs)
        var sections = ShopSections()
        sections.cart = { [stack = group.stacks[1]] in CartCoordinator(on: stack, screens: $1) }
        sections.account = { [stack = group.stacks[2]] in AccountCoordinator(showing: $0, on: stack, screens: $2) }
        app = AppCoordinator(on: group.stacks[0], screens: RecordingScreens(test.record), sections: sections)
        if isReady { app.dependency = AppDependency(test.client) }
        app.start()
    }

    func shown<Kind>(_ tab: Int, _ kind: Kind.Type = Kind.self) throws -> Kind {
        #expect(tabs.visible == [tab])
        return try #require(tabs.recorded[tab].screens.last as? Kind)
    }
}

/// Sections with a stack each, next to each other in one scene.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct TabTests {
    @Test func `a tab starts its section when it is first chosen, and a message for it no other`() async throws {
        let test = try ShopUnderTest(.ada, isReady: false)
        let shop = ShopTabs(test)
        try await eventually { shop.app.status.visitor != .signedOut }
        #expect(shop.tabs.recorded[1].screens.isEmpty && shop.tabs.recorded[2].screens.isEmpty)
        shop.tabs.userShows([1])
        let cart = try shop.shown(1, RecordingCartScreen.self)
        try await test.record.until { cart.cart.value != nil }
        shop.tabs.userShows([0])
        shop.tabs.userShows([1])
        try await shop.app.open(.cart)
        #expect(try shop.shown(1, RecordingCartScreen.self) === cart)
        #expect(shop.app.children.count { $0 is CartCoordinator } == 1)
        shop.tabs.userShows([2])
        try await test.top(RecordingProfileScreen.self, on: shop.tabs.recorded[2]) { $0.profile.value != nil }
    }

    @Test func `the account's tab waits for the session of an earlier run before it shows a page`() async throws {
        let test = try ShopUnderTest(.ada, isReady: false)
        let shop = ShopTabs(test, isReady: false)
        shop.tabs.userShows([2])
        #expect(shop.tabs.recorded[2].screens.isEmpty)
        shop.app.dependency = AppDependency(test.client)
        try await test.top(RecordingProfileScreen.self, on: shop.tabs.recorded[2])
        #expect(shop.tabs.recorded[2].screens.count == 1)
    }

    @Test func `signing out on a tab leads to the form to sign in, and from there to the profile`() async throws {
        let test = try ShopUnderTest(.ada, isReady: false)
        let shop = ShopTabs(test)
        try await shop.app.open(.profile)
        try await shop.shown(2, RecordingProfileScreen.self).send(SignOut())
        let form = try await test.top(RecordingSignInScreen.self, on: shop.tabs.recorded[2])
        #expect(shop.tabs.visible == [2] && shop.tabs.recorded[2].screens.count == 1)
        try await form.send(SignIn(email: "ada@example.org", password: "12345678"))
        try await test.top(RecordingProfileScreen.self, on: shop.tabs.recorded[2]) { $0.profile.value != nil }
    }

    @Test(arguments: [false, true])
    func `signing in on a tab leads back to the payment that asked for it`(_ wasOpen: Bool) async throws {
        let test = try ShopUnderTest(isReady: false)
        let shop = ShopTabs(test)
        if wasOpen {
            shop.tabs.userShows([2])
            try await test.top(RecordingSignInScreen.self, on: shop.tabs.recorded[2])
            shop.tabs.userShows([0])
        }
        try await shop.shown(0, RecordingHomeScreen.self).buyNow(TestShop.rosa)
        let shipping = try await shop.tabs.recorded[0].top(RecordingShippingScreen.self) { $0.methods.value != nil }
        let payment = try await test.deliver(shipping, on: shop.tabs.recorded[0])
        try await payment.send(ShopPage.signIn)
        try await shop.shown(2, RecordingSignInScreen.self).send(SignIn(email: "ada@example.org", password: "12345678"))
        #expect(try shop.shown(0, RecordingPaymentScreen.self) === payment)
        try await test.record.until { !payment.needsEmail && !payment.purchase.isLoading }
        try await payment.pay(email: nil)
        _ = try shop.shown(0, RecordingConfirmationScreen.self)
        // The tab has the profile when it is chosen again.
        shop.tabs.userShows([2])
        try await test.top(RecordingProfileScreen.self, on: shop.tabs.recorded[2])
    }
}

/// The catalogue in two columns: listings, and next to them a product.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct SplitViewTests {
    /// The shop in a split view: listings in one column, products in the other.
    private func columns(
        visible: Set<Int>, details: @escaping (ScreenStack, any ScreenFactory) -> ShopCoordinator
    ) throws -> (test: ShopUnderTest, app: AppCoordinator, split: RecordingGroup) {
        let test = try ShopUnderTest(isReady: false)
        let split = RecordingGroup(2, test.record, visible: visible)
        let stacks = NavigationGroup(on: split).stacks
        var sections = ShopSections()
        sections.catalog = { CatalogCoordinator(on: $0, screens: $1, details: details(stacks[1], $1)) }
        let app = AppCoordinator(on: stacks[0], screens: RecordingScreens(test.record), sections: sections)
        app.dependency = AppDependency(test.client)
        app.start()
        return (test, app, split)
    }

    @Test func `in a split view, listings are in one column and products, one at a time, in the other`() async throws {
        let (test, app, split) = try columns(visible: [0, 1]) { ShopCoordinator(on: $0, screens: $1) }
        let (list, details) = (split.recorded[0], split.recorded[1])
        let home = try await list.top(RecordingHomeScreen.self)
        #expect(details.screens.isEmpty)
        try await home.send(ShopPage.listing(ProductQuery(category: "hats")))
        let listing = try await list.top(RecordingListingScreen.self) { $0.products.value != nil }
        try await listing.send(ShopPage.product(handle: "rosa"))
        let rosa = try await details.top(RecordingProductScreen.self) { $0.product.value?.handle == "rosa" }
        #expect(list.screens.map(ObjectIdentifier.init) == [home, listing].map(ObjectIdentifier.init))
        try await rosa.send(EditCart.add(sku: "rosa-1", quantity: 1))
        #expect(listing.status.cart.unitCount == 1 && rosa.status.cart.unitCount == 1)

        let listings = test.shop.requests(to: Contract.products).count
        let products = test.shop.requests(to: Contract.product).count
        try await rosa.send(Refresh())
        #expect(test.shop.requests(to: Contract.product).count > products)
        #expect(test.shop.requests(to: Contract.products).count == listings)

        try await rosa.send(BuyNow(sku: "rosa-1", quantity: 1, from: rosa))
        try await details.top(RecordingShippingScreen.self)
        try await listing.send(ShopPage.product(handle: "lily"))
        try await details.top(RecordingProductScreen.self) { $0.product.value?.handle == "lily" }
        #expect(details.screens.count == 1 && list.screens.count == 2)
        #expect(app.pages == [.home, .listing(ProductQuery(category: "hats")), .product(handle: "lily")])
    }

    @Test func `a split view with room for one column shows the one of the page`() async throws {
        let (_, app, split) = try columns(visible: [0]) { ShopCoordinator(on: $0, screens: $1) }
        try await app.open(.product(handle: "rosa"))
        #expect(split.visible == [1])
        let rosa = try await split.recorded[1].top(RecordingProductScreen.self)
        try await rosa.send(ShopPage.listing(ProductQuery(category: "hats")))
        #expect(split.visible == [0])
        let listing = try await split.recorded[0].top(RecordingListingScreen.self)
        try await listing.send(ShopPage.product(handle: "lily"))
        #expect(split.visible == [1] && split.recorded[1].screens.count == 1)
        split.userShows([0])
        try await listing.send(ShopPage.product(handle: "rosa"))
        #expect(split.visible == [1] && split.recorded[1].screens.count == 1)
        try await app.open(.home)
        #expect(split.visible == [0] && split.recorded[0].screens.count == 1)
        let path: [ShopPage] = [.home, .listing(ProductQuery(category: "hats")), .cart, .product(handle: "rosa")]
        let next = try columns(visible: [0]) { ShopCoordinator(on: $0, screens: $1) }
        await next.app.restore(path)
        #expect(next.app.pages == path && next.split.visible == [1])
    }

    @Test func `an app has its own coordinator for details, which outlives its screens`() async throws {
        final class Details: ShopCoordinator {
            var loads: [String] = []

            override func load(_ screen: any ShopScreen) async throws(MissingDependency) {
                if let product = screen as? any ProductScreen { loads.append(product.handle) }
                try await super.load(screen)
            }
        }
        weak var made: Details?
        let (_, app, split) = try columns(visible: [0]) { stack, screens in
            let details = Details(on: stack, screens: screens)
            made = details
            return details
        }
        try await app.open(.product(handle: "rosa"))
        try await split.recorded[1].top(RecordingProductScreen.self) { $0.product.value != nil }
        split.recorded[1].goBack()
        #expect(made?.isStarted == false && app.pages == [.home])
        try await app.open(.product(handle: "lily"))
        try await split.recorded[1].top(RecordingProductScreen.self) { $0.product.value?.handle == "lily" }
        #expect(made?.loads == ["rosa", "lily"])
        app.stop()
        #expect(made?.isStarted == false)
    }
}
