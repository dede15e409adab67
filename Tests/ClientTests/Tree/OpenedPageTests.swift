import ClientTesting
import Foundation
import PouchApp
import PouchClient
import PouchCoordination
import PouchTesting
import Testing

/// Pages from outside in the tree: links, push notifications, and those of an earlier run.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct OpenedPageTests {
    @Test func `a link opens its page, also before the managers exist, and another URL does nothing`() async throws {
        let test = try ShopUnderTest(.ada, isReady: false)
        test.shop.change { $0.orders[Shopper.ada.owner] = [Fixture.order()] }
        let link = try #require(URL(string: "https://shop.example/orders/ord_1"))
        let opened = Task { try await test.app.open(link, of: URL(string: "https://shop.example")) }
        await Task.yield()
        test.app.dependency = AppDependency(test.client)
        #expect(try await opened.value)
        try await test.top(RecordingOrderScreen.self) { $0.order.value?.id == "ord_1" }
        #expect(try await test.app.open(link) == false)
        #expect(test.surface.presented?.screens.count == 1)
    }

    @Test func `a push notification opens its page when tapped, and is a notice otherwise`() async throws {
        let test = try ShopUnderTest(.ada)
        test.shop.change { $0.orders[Shopper.ada.owner] = [Fixture.order()] }
        let home = try await test.top(RecordingHomeScreen.self) { $0.status.visitor != .signedOut }
        let push = PushMessage(payload: ["order": "ord_1", "text": "On its way."])
        #expect(try await test.app.receivePush(push, isTapped: false) == .shown(.order(id: "ord_1")))
        #expect(home.notices == [Notice("On its way.", page: .order(id: "ord_1"))])
        #expect(test.surface.presented == nil)
        #expect(try await test.app.receivePush(push, isTapped: true) == .opened(.order(id: "ord_1")))
        try await test.top(RecordingOrderScreen.self) { $0.order.value?.id == "ord_1" }
        #expect(try await test.app.receivePush(PushMessage(payload: ["a": "b"]), isTapped: true) == .ignored)
        #expect(test.surface.presented?.screens.count == 1 && home.notices.count == 1)
    }

    @Test func `an app's own section of notifications takes over push notifications, or passes them on`() async throws {
        final class Mailbox: Coordinator<AppDependency> {
            private(set) var shown: [PushMessage] = []

            override func registerHandlers() {
                super.registerHandlers()
                handle(PushMessage.self) { mailbox, push in
                    guard push.page == .cart else { return try await mailbox.send(push) }
                    mailbox.shown.append(push)
                }
            }
        }
        let test = try ShopUnderTest(.ada, isReady: false)
        var sections = ShopSections()
        let mailbox = Mailbox()
        sections.notifications = { _, _, _ in mailbox }
        let (app, surface) = test.startApp(sections: sections)
        try await eventually { mailbox.isStarted }
        let push = PushMessage(page: .cart, text: "Hats")
        try await app.receivePush(push, isTapped: false)
        #expect(mailbox.shown == [push])
        let home = try #require(surface.screens.last as? RecordingHomeScreen)
        #expect(home.notices.isEmpty)
        try await app.receivePush(PushMessage(page: .orders, text: "Sent"), isTapped: false)
        #expect(mailbox.shown == [push])
        #expect(home.notices == [Notice("Sent", page: .orders)])
        mailbox.stop()
        try await app.receivePush(push, isTapped: false)
        #expect(home.notices.count == 2)
    }

    @Test func `the pages of an earlier run are opened again, one over the other`() async throws {
        let test = try ShopUnderTest(.ada)
        test.shop.change { $0.orders[Shopper.ada.owner] = [Fixture.order()] }
        let home = try await test.top(RecordingHomeScreen.self) { $0.promotions.value != nil }
        try await home.send(ShopPage.listing(ProductQuery(category: "hats", facets: true)))
        try await home.send(ShopPage.product(handle: "rosa"))
        try await home.send(ShopPage.cart)
        try await test.top(RecordingCartScreen.self) { $0.cart.value != nil }.send(ShopPage.orders)
        try await test.top(RecordingOrdersScreen.self) { $0.orders.value != nil }.send(ShopPage.order(id: "ord_1"))
        let pages: [ShopPage] = [
            .home, .listing(ProductQuery(category: "hats")), .product(handle: "rosa"), .cart, .orders,
            .order(id: "ord_1"),
        ]
        #expect(test.app.pages == pages)
        let stored = test.app.pages.json
        test.app.stop()

        let next = try ShopUnderTest(.ada, isReady: false, shop: test.shop)
        let restoring = Task { await next.app.restore([ShopPage](json: stored)) }
        try await next.top(RecordingCartScreen.self)
        // An app that ends now returns to all of them.
        #expect(next.app.pages == pages)
        next.app.dependency = AppDependency(next.client)
        await restoring.value
        #expect(next.app.pages == pages)
        try await next.top(RecordingOrderScreen.self) { $0.order.value?.id == "ord_1" }
        #expect(next.kinds == ["Home", "Listing", "Product", "Cart"])
        next.surface.presented?.goBack(2)
        try await next.top(RecordingCartScreen.self) { $0.cart.value != nil }
    }

    @Test func `a restored page that needs a session leads to signing in, and from there to the page`() async throws {
        let test = try ShopUnderTest()
        await test.app.restore([.home, .orders, .order(id: "ord_1")])
        try await test.top(RecordingSignInScreen.self)
        #expect(test.surface.presented?.screens.count == 1)
        #expect(test.app.pages == [.home])
        try await test.signIn()
        try await test.top(RecordingOrdersScreen.self) { $0.orders.value != nil }
    }

    @Test func `restoring ends once the user has gone elsewhere, and has a bound`() async throws {
        let test = try ShopUnderTest(.ada, isReady: false)
        let home = try await test.top(RecordingHomeScreen.self)
        let restoring = Task { await test.app.restore([.home, .product(handle: "rosa"), .orders, .cart]) }
        try await test.top(RecordingProductScreen.self)
        try await home.send(ShopPage.listing(ProductQuery()))
        #expect(test.app.pages == [.home, .product(handle: "rosa"), .listing(ProductQuery())])
        test.app.dependency = AppDependency(test.client)
        await restoring.value
        #expect(!test.app.pages.contains(.cart))
    }

    @Test func `pages are restored once, also if that is asked for twice`() async throws {
        let test = try ShopUnderTest(.ada, isReady: false)
        let first = Task { await test.app.restore([.home, .product(handle: "rosa"), .orders]) }
        try await test.top(RecordingProductScreen.self)
        await test.app.restore([.home, .cart])
        test.app.dependency = AppDependency(test.client)
        await first.value
        #expect(test.app.pages == [.home, .product(handle: "rosa"), .orders])
    }

    @Test func `of many pages the last are restored, with the one that the user saw`() async throws {
        let test = try ShopUnderTest()
        await test.app.restore(Array(repeating: .product(handle: "rosa"), count: 100) + [.cart])
        #expect(test.app.pages.count == 33 && test.app.pages.last == .cart)
    }

    @Test func `a page that cannot be linked or is no longer offered is left out`() async throws {
        let test = try ShopUnderTest()
        let home = try await test.top(RecordingHomeScreen.self)
        try await home.send(ShopPage.listing(ProductQuery(search: String(repeating: "a", count: 201))))
        try await home.send(ShopPage.cart)
        #expect(test.app.pages == [.home, .cart])
        let next = try ShopUnderTest()
        await next.app.restore([.home, .product(handle: "rosa"), .app(["loyalty"]), .cart])
        #expect(next.app.pages == [.home, .product(handle: "rosa"), .cart])
    }

    @Test(arguments: [[], [ShopPage.product(handle: "rosa")]])
    func `with tabs, the page that the user saw is on top again`(_ opened: [ShopPage]) async throws {
        let test = try ShopUnderTest(isReady: false)
        let first = ShopTabs(test)
        for page in opened { try await first.app.open(page) }
        try await first.app.open(.cart)
        #expect(first.app.pages == [.home] + opened + [.cart])
        first.tabs.userShows([0])
        #expect(first.app.pages == [.cart, .home] + opened)
        let next = ShopTabs(test)
        await next.app.restore(first.app.pages)
        #expect(next.tabs.visible == [0] && next.tabs.recorded[1].screens.last is RecordingCartScreen)
        #expect(next.app.pages == first.app.pages)
    }

    @Test func `forms are not among the pages to restore`() async throws {
        let test = try ShopUnderTest()
        let payment = try await test.goToPayment()
        #expect(test.app.pages == [.home, .product(handle: "rosa"), .cart])
        try await test.buy(payment)
        #expect(test.app.pages == [.home, .product(handle: "rosa")])
    }
}
