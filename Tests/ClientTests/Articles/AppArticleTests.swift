import ClientTesting
import Foundation
import PouchApp
import PouchClient
import PouchCoordination
import PouchTesting
import Testing

/// The code of the articles about the shop's tree, in use.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct AppArticleTests {
    private final class RecordingLoyaltyScreen: RecordingScreen, LoyaltyScreen {
        var points = LoadState<Int>() { didSet { record.noteChange() } }
    }

    /// The screens of the tests, and the one of the article.
    private struct LoyaltyScreens: LoyaltyScreenFactory {
        let record: ScreenRecord
        func makeHomeScreen() -> any HomeScreen { RecordingHomeScreen(record) }
        func makeCartScreen() -> any CartScreen { RecordingCartScreen(record) }
        func makeLoyaltyScreen() -> any LoyaltyScreen { RecordingLoyaltyScreen(record) }
    }

    @Test func `AddASection: a section with its own manager, below a root that overrides one message`() async throws {
        let test = try ShopUnderTest(isReady: false)
        let surface = RecordingSurface(test.record)
        let app = openLoyalShop(on: surface, screens: LoyaltyScreens(record: test.record), with: test.client)
        let home = try await test.top(RecordingHomeScreen.self, on: surface)
        #expect(try await home.send(EditCart.add(sku: "rosa-1", quantity: 3)).unitCount == 3)
        try await home.send(EditCart.set(sku: "rosa-1", quantity: 1))
        try await home.send(ShowLoyalty())
        let loyalty = try await test.top(RecordingLoyaltyScreen.self, on: surface.top) { $0.points.value == 3 }
        #expect(loyalty.status.cart.unitCount == 1)
        try await loyalty.send(EditCart.add(sku: "rosa-1"))
        try await loyalty.send(Refresh())
        #expect(loyalty.points.value == 4)
        try await loyalty.send(ShopPage.cart)
        try await test.top(RecordingCartScreen.self, on: surface) { $0.cart.value?.unitCount == 2 }
        #expect(surface.presented == nil && app.child(LoyaltyCoordinator.self) == nil)
        #expect(try await app.open(try #require(URL(string: "pouch://app/loyalty"))))
        #expect(app.pages == [.home, .cart, .loyalty])
        let stored = app.pages.json
        app.stop()
        let next = RecordingSurface(test.record)
        let again = openLoyalShop(on: next, screens: LoyaltyScreens(record: test.record), with: test.client)
        await again.restore([ShopPage](json: stored))
        try await test.top(RecordingLoyaltyScreen.self, on: next.top)
        #expect(again.pages == [.home, .cart, .loyalty])
    }

    @Test func `OpenALink: links, push notifications and the pages of the last run`() async throws {
        let test = try ShopUnderTest(.ada)
        test.shop.change { $0.orders[Shopper.ada.owner] = [Fixture.order()] }
        let home = try await test.top(RecordingHomeScreen.self) { $0.status.visitor != .signedOut }
        let shared = try #require(link(to: TestShop.rosa))
        #expect(shared.absoluteString == "https://shop.example/products/rosa")
        await openLink(shared, in: test.app)
        try await test.top(RecordingProductScreen.self) { $0.product.value != nil }
        await openLink(try #require(URL(string: "https://evil.example/cart")), in: test.app)
        try await test.top(RecordingProductScreen.self) { $0.notice?.text.hasPrefix("This link") == true }
        let pages = pagesToStore(of: test.app)
        #expect(
            try await receivePush(["order": "ord_1"], isTapped: true, in: test.app) == .opened(.order(id: "ord_1")))
        try await home.send(ShopPage.home)
        await returnToPages(Data("nonsense".utf8), in: test.app)
        #expect(test.app.pages == [.home])
        await returnToPages(pages, in: test.app)
        #expect(test.app.pages == [.home, .product(handle: "rosa")])
    }
}
