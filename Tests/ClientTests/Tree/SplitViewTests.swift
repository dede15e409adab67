import PouchApp
import PouchClient
import PouchCoordination
import PouchScreens
import PouchTesting
import Testing

/// The catalogue in two columns: listings, and next to them a product.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct SplitViewTests {
    /// The shop in a split view: listings in one column, products in the other.
    private func columns(
        visible: Set<Int>, details: @escaping (NavigationStack, any ScreenFactory) -> ShopCoordinator
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
        try await rosa.send(AddToCart(sku: "rosa-1", quantity: 1))
        #expect(listing.status.cart.unitCount == 1 && rosa.status.cart.unitCount == 1)

        let (listings, products) = (test.shop.requests(to: Contract.products).count, test.shop.requests(to: Contract.product).count)
        try await rosa.send(Refresh())
        #expect(test.shop.requests(to: Contract.product).count > products)
        #expect(test.shop.requests(to: Contract.products).count == listings)

        try await rosa.send(BuyNow(sku: "rosa-1", quantity: 1, from: rosa))
        try await details.top(RecordingShippingScreen.self)
        try await listing.send(ShopPage.product(handle: "lily"))
        try await details.top(RecordingProductScreen.self) { $0.product.value?.handle == "lily" }
        #expect(details.screens.count == 1 && list.screens.count == 2)
        #expect(
            app.pages == [.home, .listing(ProductQuery(category: "hats")), .product(handle: "lily")])
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

    @Test func `an app has its own coordinator for details, which continues after its screens have left`() async throws
    {
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
