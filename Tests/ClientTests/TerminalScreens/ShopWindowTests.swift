import ClientTesting
import Foundation
import PouchCoordination
import PouchEntities
import PouchScreens
import PouchTerminal
import PouchTerminalScreens
import PouchTesting
import Testing

@MainActor
@Suite(.timeLimit(.minutes(5)))
struct ShopWindowTests {
    private let shown = ScreenUnderTest()

    @Test func `Esc and ← go back and notify the coordinator; on the lowest screen they ask whether to leave`() {
        let (orders, order) = (shown.factory.makeOrdersScreen(), shown.factory.makeOrderScreen())
        var remaining: [Int] = []
        shown.window.surface.userDidGoBack = { remaining.append($0.count) }
        shown.show(stack: [orders, order, shown.factory.makeOrderScreen()])
        shown.press(.escape, .left)
        #expect(remaining == [2, 1])
        #expect(shown.lines[0].contains("Orders"))
        shown.press(.escape)
        #expect(shown.text.contains("Leave the shop?"))
        shown.press(.escape)
        #expect(shown.departures.value == 0)
        shown.press(.character("q"), .enter)
        #expect(shown.departures.value == 1)
        #expect(remaining == [2, 1])
    }

    @Test func `a surface covers another once it has a screen, and going back from its last screen removes it`() {
        let (home, signIn) = (shown.factory.makeHomeScreen(), shown.factory.makeSignInScreen())
        shown.show(home)
        let over = shown.window.surface.present()
        #expect(shown.lines[0].contains("Home"))
        var remaining: [Int] = []
        over.userDidGoBack = { remaining.append($0.count) }
        over.show([signIn])
        #expect(shown.lines[0].contains("Sign in"))
        shown.press(.escape)
        #expect(remaining == [0])
        #expect(shown.lines[0].contains("Home"))
        let again = shown.window.surface.present()
        again.show([signIn])
        again.present().show([shown.factory.makeRegisterScreen()])
        again.dismiss()
        #expect(shown.lines[0].contains("Home"))
    }

    @Test func `keys open the same pages from every screen`() async throws {
        shown.show(shown.factory.makeStatusScreen())
        let ways: [(Character, AnyHashable)] = [
            ("h", ShopPage.home), ("c", ShopPage.cart), ("a", ShopPage.profile), ("o", ShopPage.orders),
            ("r", Refresh()),
        ]
        for (count, way) in ways.enumerated() {
            shown.press(.character(way.0))
            #expect(try await shown.messages(count + 1).last == way.1)
            try await shown.wait(for: "q leave")
        }
    }

    @Test func `a notice stays until confirmed, a failed load offers a retry, old values show an age`() async throws {
        let screen = shown.show(shown.factory.makeOrdersScreen())
        screen.orders = .loading
        screen.notices = [Notice("Your session has ended."), Notice("The shop is closed."), Notice("It rains.")]
        #expect(shown.text.contains("Loading …") && shown.text.contains("│ Your session has ended."))
        #expect(shown.text.contains("│ 2 more"))
        shown.press(.enter)
        #expect(!shown.text.contains("session") && shown.text.contains("│ The shop is closed."))
        #expect(shown.text.contains("│ 1 more"))
        shown.press(.enter)
        #expect(shown.text.contains("│ It rains.") && !shown.text.contains("more"))
        shown.press(.enter)
        #expect(!shown.text.contains("rains"))
        #expect(screen.notices.isEmpty)
        screen.orders.fail(
            ScreenFailure("The server cannot be reached.", advice: "Check the connection.", remedy: .retry))
        #expect(
            shown.lines[1...3] == ["  The server cannot be reached.", "  Check the connection.", "› [ Try again ]"])
        try await shown.press(.enter, sends: Refresh())
        screen.orders = LoadState(Page(items: []), asOf: Date.sample)
        #expect(shown.text.contains("Not up to date: as of 2027-01-15 08:00."))
    }

    @Test func `a notice about a page leads there`() async throws {
        let screen = shown.show(shown.factory.makeOrdersScreen())
        screen.notices = [Notice("It rains."), Notice("It was delivered.", page: .order(id: "ord_1"))]
        #expect(!shown.text.contains("g go there"))
        shown.press(.character("g"), .enter)
        #expect(shown.text.contains("│ It was delivered.") && shown.text.contains("g go there"))
        try await shown.press(.character("g"), sends: ShopPage.order(id: "ord_1"))
        #expect(screen.notices.isEmpty)
    }

    @Test func `a failure above a value leaves the focus on the value`() {
        let screen = shown.show(shown.factory.makeOrdersScreen())
        screen.orders = LoadState(Page(items: [Sample.order()]))
        #expect(shown.lines[1].hasPrefix("› P-10001"))
        screen.orders.fail(ScreenFailure("The server cannot be reached.", remedy: .retry))
        #expect(shown.lines[1] == "  The server cannot be reached." && shown.lines[3].hasPrefix("› P-10001"))
    }

    @Test func `a long name leaves room for the cart, and a wide terminal keeps rows narrow`() {
        let shown = ScreenUnderTest(columns: 200)
        let screen = shown.show(shown.factory.makeOrdersScreen())
        screen.orders = LoadState(Page(items: [Sample.order()]))
        let name = String(repeating: "Ann ", count: 30)
        screen.status = ShopStatus(
            visitor: .customer(Profile(id: "acc_1", name: name, email: "a@example.com")),
            cart: CartBadge(unitCount: 3), connectivity: .offline)
        #expect(shown.lines[0].hasSuffix(" OFFLINE · Ann Ann Ann Ann Ann… · Cart 3"))
        #expect(shown.lines[1].columns == 98)
        #expect(shown.window.minimumSize == TerminalSize(columns: 48, rows: 14))
    }

    @Test func `Esc cancels an activity, without a message`() async throws {
        shown.show(shown.factory.makeStatusScreen())
        let gate = shown.shop.hold()
        shown.press(.character("r"))
        _ = try await shown.messages(1)
        shown.press(.escape)
        gate.open()
        try await shown.wait(for: "q leave")
        #expect(!shown.text.contains("┌"))
    }

    @Test func `the layout is stable during an activity`() async throws {
        let shown = ScreenUnderTest(rows: 14)
        let screen = shown.show(shown.factory.makeOrdersScreen())
        screen.orders = LoadState(Page(items: (1...20).map { Sample.order(number: "P-\($0)") }))
        let before = shown.lines
        let gate = shown.shop.hold()
        shown.press(.character("r"))
        #expect(shown.lines.last == "Esc cancel" && shown.lines[12].contains("Refreshing …"))
        #expect(shown.lines[..<12] == before[..<12])
        gate.open()
        try await shown.wait(for: "q leave")
    }

    @Test func `hostile text from a server stays within its place`() {
        let screen = shown.show(shown.factory.makeProductScreen())
        let name = "\u{1B}[2J\u{202E}漢\n" + String(repeating: "long ", count: 40)
        screen.product = LoadState(
            Product(
                id: "prd_1", handle: "h", name: name, description: "\u{9B}31m\tx", category: "c", tags: [],
                price: Fixture.euros(.max), options: [], images: [], updatedAt: Date.sample,
                variants: [Variant(sku: "s", options: [:], price: Fixture.euros(.max), available: .max)]))
        #expect(shown.lines.allSatisfy { $0.columns <= 80 })
        #expect(!shown.text.unicodeScalars.contains { $0 == "\u{1B}" || $0 == "\u{9B}" || $0 == "\u{202E}" })
        #expect(shown.text.contains("92233720368547758.07 EUR  in stock"))
    }

    @Test func `a screen that is no longer shown is deallocated`() async throws {
        weak var gone: (any ListingScreen)?
        do {
            let listing = shown.factory.makeListingScreen()
            gone = listing
            listing.products = LoadState(ProductPage(items: [Sample.scarf]))
            shown.window.surface.show([listing])
            shown.press(.down, .character("f"))
            shown.window.surface.show([shown.factory.makeHomeScreen()])
        }
        try await eventually { gone == nil }
    }
}
