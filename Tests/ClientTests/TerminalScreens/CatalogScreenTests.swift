import ClientTesting
import PouchEntities
import PouchScreens
import PouchTerminal
import PouchTerminalScreens
import PouchTesting
import Testing

@MainActor
@Suite(.timeLimit(.minutes(5)))
struct CatalogScreenTests {
    private let shown = ScreenUnderTest()
    private static let promotions = [Promotion.sample(of: Sample.cardigan), .sample(of: Sample.scarf, position: 1)]
    private static let categories = [
        Category(id: "cardigans", name: "Cardigans", productCount: 14),
        Category(id: "hats", name: "Hats", productCount: 1),
    ]

    @discardableResult
    private func showHome(_ shown: ScreenUnderTest) -> any HomeScreen {
        let home = shown.factory.makeHomeScreen()
        home.promotions = LoadState(Self.promotions)
        home.categories = LoadState(Self.categories)
        shown.show(home)
        return home
    }

    @discardableResult
    private func showListing(_ shown: ScreenUnderTest) -> any ListingScreen {
        let listing = shown.show(shown.factory.makeListingScreen())
        listing.categories = Self.categories
        listing.products = LoadState(
            ProductPage(
                items: [Sample.cardigan, Sample.scarf], nextCursor: "next",
                facets: [
                    Facet(
                        name: "category", values: [.init(value: "cardigans", count: 3), .init(value: "hats", count: 1)]),
                    Facet(
                        name: "option.Colour",
                        values: [.init(value: "Black", count: 3), .init(value: "Powder", count: 1)]),
                ]))
        return listing
    }

    @Test func `the home screen shows a promotion, a search and the categories`() {
        let shown = ScreenUnderTest(rows: 20)
        let home = showHome(shown)
        home.season = Season(id: "27s", name: "Spring 2027")
        home.status = ShopStatus(visitor: .guest, cart: CartBadge(unitCount: 2), connectivity: .online)
        #expect(
            shown.lines == [
                " Pouch  Spring 2027                                              guest · Cart 2",
                "› ┌─ New in the shop ────────────────────────────────────────────────────────┐",
                "  │ Ribbed Cardigan                                   was 159.00  129.00 EUR │",
                "  │ Warm and soft, knitted in one piece. Made of wool from the mountains,    │",
                "  │ which keeps its form.                                                    │",
                "  │ [ b Buy now ]                                                 ‹ 1 of 2 › │",
                "  └──────────────────────────────────────────────────────────────────────────┘",
                "  Search the shop",
                "",
                "  All products",
                "  Cardigans                                                        14 products",
                "  Hats                                                               1 product",
                "", "", "", "", "", "",
                "Enter open  ←→ slide  b buy now  ↑↓ move  Esc back  h home  c cart  a account",
                "o orders  r refresh  q leave",
            ])
    }

    @Test func `promotions slide by time and by key, and Enter opens the visible one`() async throws {
        let clock = ManualClock()
        let shown = ScreenUnderTest(clock: clock)
        showHome(shown)
        #expect(shown.text.contains("Ribbed Cardigan"))
        await clock.advance(by: .seconds(4))
        try await shown.wait(for: "‹ 2 of 2 ›")
        #expect(shown.text.contains("Wool Scarf"))
        try await shown.press(.enter, sends: ShopPage.product(handle: "wool-scarf"))
        shown.press(.right)
        #expect(shown.text.contains("‹ 1 of 2 ›"))
    }

    @Test func `buy now bubbles up from a cell of a container, and shows that it is running`() async throws {
        showHome(shown)
        let gate = shown.shop.hold()
        shown.press(.character("b"))
        // It has several variants.
        #expect(try await shown.messages(1) == [ShopPage.product(handle: "ribbed-cardigan")])
        #expect(shown.text.contains("Opening Ribbed Cardigan …"))
        #expect(shown.lines.last == "Esc cancel")
        gate.open()
        try await shown.wait(for: "b buy now")
        #expect(!shown.text.contains("Opening"))
    }

    @Test func `a search and a category open their listings`() async throws {
        showHome(shown)
        shown.press(.down)
        shown.type("wool hat")
        try await shown.press(.enter, sends: ShopPage.listing(ProductQuery(search: "wool hat")), then: "Enter next")
        try await shown.press(.down, .down, .enter, sends: ShopPage.listing(ProductQuery(category: "cardigans")))
    }

    @Test func `a listing shows its products, puts the focus on the first, and loads more`() async throws {
        let shown = ScreenUnderTest(rows: 14)
        showListing(shown)
        #expect(
            shown.lines == [
                " Pouch  All products                                                     Cart –",
                "  Search",
                "  Sorted by newest. No filters.",
                "",
                "› Ribbed Cardigan                             in stock  was 159.00  129.00 EUR",
                "  Wool Scarf                                            only 2 left  42.99 EUR",
                "  [ Show more ]",
                "", "", "", "", "",
                "Enter open  f filters  / search  ↑↓ move  Esc back  h home  c cart  a account",
                "o orders  r refresh  q leave",
            ])
        try await shown.press(.down, .enter, sends: ShopPage.product(handle: "wool-scarf"), then: "Enter open")
        try await shown.press(.down, .enter, sends: ShowMoreProducts())
    }

    @Test func `filters are made from the facets, the latest choice wins, and one key clears them`() async throws {
        let listing = showListing(shown)
        shown.press(.character("f"))
        #expect(shown.text.contains("› Sort by           [newest]"))
        #expect(shown.text.contains("  Category          [any]\n  Colour            [any]\n"))
        shown.press(.down, .down, .down, .down)
        #expect(shown.text.contains("› Category          [any]  Cardigans (3)   Hats (1)\n  Colour            [any]\n"))
        shown.press(.right, .right)
        #expect(listing.query.category == "hats")
        let gate = shown.shop.hold()
        shown.press(.down, .right)
        let narrowed = try await shown.messages(1).last?.base as? NarrowList
        #expect(narrowed?.query.category == "hats" && narrowed?.query.search == nil)
        #expect(listing.query.options == ["Colour": ["Black"]])
        gate.open()
        let wanted = ProductQuery(category: "hats", options: ["Colour": ["Black"]], facets: true)
        try await shown.wait { shown.shop.messages.last == AnyHashable(NarrowList(to: wanted)) }
        shown.press(.character("f"))
        try await shown.wait(for: "Filters: Category: Hats, Colour: Black.")
        try await shown.wait(for: "x clear filters")
        shown.press(.character("x"))
        #expect(listing.query.category == nil && listing.query.options.isEmpty)
    }

    @Test func `seasons and themes are shown by their names`() {
        let listing = shown.show(shown.factory.makeListingScreen())
        listing.query = ProductQuery(season: "27s")
        listing.seasons = [Season(id: "27s", name: "Spring 2027")]
        listing.themes = [Theme(id: "27s1", name: "Salt Meadow", seasonId: "27s")]
        listing.products = LoadState(
            ProductPage(
                items: [Sample.scarf],
                facets: [
                    Facet(name: "season", values: [.init(value: "27s", count: 3)]),
                    Facet(name: "theme", values: [.init(value: "27s1", count: 2), .init(value: "27s2", count: 1)]),
                ]))
        #expect(shown.text.contains("Filters: Season: Spring 2027."))
        shown.press(.character("f"), .end, .up)
        #expect(shown.text.contains("Theme             [any]  Salt Meadow (2)   27s2 (1)"))
    }

    @Test func `a price range narrows the listing, and an invalid price is reported`() async throws {
        let listing = showListing(shown)
        shown.press(.character("f"), .down, .down)
        shown.type("1,50", .enter)
        #expect(shown.text.contains("› Price from        1,50\n    Enter an amount such as 42.99, or leave it empty."))
        shown.press(.control("u"))
        shown.type("40", .down)
        shown.type("39.99", .enter)
        #expect(shown.text.contains("This is less than the minimum price."))
        #expect(shown.shop.messages.isEmpty)
        shown.press(.control("u"))
        shown.type("130", .enter)
        #expect(try await shown.messages(1).count == 1)
        #expect(listing.query.minPrice == Money(4000, .eur) && listing.query.maxPrice == Money(13000, .eur))
        try await shown.wait(for: "Enter next")
        shown.press(.up, .up, .character("f"))
        #expect(shown.text.contains("Filters: from 40.00, up to 130.00."))
        shown.press(.character("x"))
        #expect(listing.query.minPrice == nil && listing.query.maxPrice == nil)
        try await shown.wait(for: "f filters")
        shown.press(.character("f"))
        #expect(shown.text.contains("Price from\n"))
    }

    @Test func `a search narrows the listing, and an empty result is reported`() async throws {
        let listing = showListing(shown)
        shown.press(.character("/"))
        shown.type("hat")
        try await shown.press(.enter, sends: NarrowList(to: ProductQuery(search: "hat", facets: true)))
        listing.products = LoadState(ProductPage(items: []))
        #expect(shown.text.contains("No matching products."))
    }

    @Test func `a colour and a size are chosen with their stock, and added to the cart or bought`() async throws {
        let shown = ScreenUnderTest(rows: 22)
        let screen = shown.show(shown.factory.makeProductScreen())
        screen.product = LoadState(Sample.cardigan)
        #expect(
            shown.lines == [
                " Pouch  Ribbed Cardigan                                                  Cart –",
                "  Ribbed Cardigan                             was 159.00  129.00 EUR  in stock",
                "",
                "  Warm and soft, knitted in one piece.",
                "  Made of wool from the mountains, which keeps its form.",
                "",
                "› Colour             Black   Powder",
                "  Size               S   M",
                "  Quantity          [1]  2   3   4   5   6   7   8   9",
                "",
                "  [ Add to cart ]",
                "  [ Buy now ]",
                "",
                "  Materials: 100 % wool",
                "  Care: Wash by hand.",
                "  Tags: wool, new",
                "", "", "", "",
                "←→ choose  + add to cart  b buy now  ↑↓ move  Esc back  h home  c cart",
                "a account  o orders  r refresh  q leave",
            ])
        shown.press(.character("+"))
        #expect(shown.text.contains("Please choose: Colour, Size."))
        shown.press(.enter, .right, .down, .right, .right)
        #expect(shown.text.contains("Size               S  [M]") && shown.text.contains("only 1 left"))
        #expect(shown.text.contains("Quantity          [1]\n"))
        shown.press(.left, .down, .right, .down, .enter)
        #expect(try await shown.messages(1) == [EditCart.add(sku: "cardigan-black-s", quantity: 2)])
        try await shown.wait(for: "Added 2 × Ribbed Cardigan, Black / S. The cart now contains 7 items.")
        try await shown.press(.character("b"), sends: Purchased(sku: "cardigan-black-s", quantity: 2))
    }

    @Test func `the confirmation of an addition is shown until another choice, a failure or a return`() async throws {
        let screen = shown.show(shown.factory.makeProductScreen())
        screen.product = LoadState(Sample.scarf)
        func add() async throws {
            shown.press(.character("+"))
            try await shown.wait(for: "Added 1 × Wool Scarf. The cart now contains 7 items.")
        }
        try await add()
        shown.press(.home, .right)
        #expect(shown.text.contains("[2]") && !shown.text.contains("Added"))
        shown.press(.left)
        try await add()
        shown.shop.failure = ScreenFailure("Not enough in stock.", remedy: .review)
        shown.press(.character("+"))
        try await shown.wait(for: "Not enough in stock.")
        #expect(!shown.text.contains("Added"))
        shown.press(.enter)
        shown.shop.failure = nil
        try await add()
        shown.show(stack: [screen, shown.factory.makeProductScreen()])
        shown.show(screen)
        #expect(shown.text.contains("Wool Scarf") && !shown.text.contains("Added"))
    }

    @Test func `stock that changes is shown, and the choice survives a refresh`() {
        let screen = shown.show(shown.factory.makeProductScreen())
        screen.product = LoadState(Sample.scarf)
        #expect(shown.text.contains("only 2 left"))
        screen.product = LoadState(
            Sample.scarf.with([Availability(sku: "wool-scarf", price: Fixture.euros(4299), available: 0)]))
        #expect(shown.text.contains("sold out"))
        screen.product = LoadState(Sample.cardigan)
        shown.press(.right)
        screen.product = LoadState(Sample.cardigan)
        #expect(shown.text.contains("[Black]"))
    }
}
