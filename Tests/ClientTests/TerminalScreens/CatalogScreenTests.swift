import PouchEntities
import PouchScreens
import PouchTerminal
import PouchTerminalScreens
import Testing

@MainActor
@Suite(.timeLimit(.minutes(1)))
struct CatalogScreenTests {
    private static let promotions = [Sample.cardigan, Sample.scarf].enumerated().map { position, product in
        Promotion(product: product, image: ProductImage(url: "https://example.com/p.svg", alt: ""), position: position)
    }
    private static let categories = [
        Category(id: "cardigans", name: "Cardigans", productCount: 14),
        Category(id: "hats", name: "Hats", productCount: 1),
    ]

    private func shownHome(_ shown: ScreenUnderTest) -> any HomeScreen {
        let home = shown.factory.makeHomeScreen()
        home.promotions = LoadState(Self.promotions)
        home.categories = LoadState(Self.categories)
        shown.show(home)
        return home
    }

    private func shownListing(_ shown: ScreenUnderTest) -> any ListingScreen {
        let listing = shown.factory.makeListingScreen()
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
        shown.show(listing)
        return listing
    }

    @Test("The front shows a promotion, a search and the categories")
    func home() {
        let shown = ScreenUnderTest(rows: 20)
        let home = shownHome(shown)
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

    @Test("Promotions slide by when their time has come, and by hand; Enter opens the one that is seen")
    func sliding() async throws {
        let clock = ManualClock()
        let shown = ScreenUnderTest(clock: clock)
        let home = shownHome(shown)
        #expect(shown.text.contains("Ribbed Cardigan"))
        await clock.advance(by: .seconds(4))
        try await shown.wait(for: "‹ 2 of 2 ›")
        #expect(shown.text.contains("Wool Scarf"))
        shown.press(.enter)
        #expect(try await shown.messages(1) == ["show product(handle: \"wool-scarf\")"])
        shown.press(.right)
        #expect(shown.text.contains("‹ 1 of 2 ›"))
        withExtendedLifetime(home) {}
    }

    @Test("Buy Now deep inside a cell of a container goes up to who sells, and says that it is under way")
    func buyNow() async throws {
        let shown = ScreenUnderTest()
        let home = shownHome(shown)
        let gate = Gate()
        shown.shop.gate = gate
        shown.press(.character("b"))
        #expect(try await shown.messages(1) == ["buy ribbed-cardigan"])
        #expect(shown.text.contains("Getting Ribbed Cardigan …"))
        #expect(shown.lines.last == "Esc give up")
        gate.open()
        try await shown.wait(for: "b buy now")
        #expect(!shown.text.contains("Getting"))
        withExtendedLifetime(home) {}
    }

    @Test("A search and a category lead to their listings")
    func leadOn() async throws {
        let shown = ScreenUnderTest()
        let home = shownHome(shown)
        shown.press(.down)
        shown.type("wool hat")
        shown.press(.enter)
        #expect(try await shown.messages(1)[0].contains("search: Optional(\"wool hat\")"))
        try await shown.wait(for: "Enter next")
        shown.press(.down, .down, .enter)
        #expect(try await shown.messages(2)[1].contains("category: Optional(\"cardigans\")"))
        withExtendedLifetime(home) {}
    }

    @Test("A listing shows what there is, begins at the first product, and loads more")
    func listing() async throws {
        let shown = ScreenUnderTest(rows: 14)
        let listing = shownListing(shown)
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
        shown.press(.down, .enter)
        #expect(try await shown.messages(1) == ["show product(handle: \"wool-scarf\")"])
        try await shown.wait(for: "Enter open")
        shown.press(.down, .enter)
        #expect(try await shown.messages(2)[1] == "more")
        withExtendedLifetime(listing) {}
    }

    @Test(
        "Filters come from the facets; each narrows what is listed, the latest choice counts, and they are cleared at once"
    )
    func filters() async throws {
        let shown = ScreenUnderTest()
        let listing = shownListing(shown)
        shown.press(.character("f"))
        #expect(shown.text.contains("› Sort by           [newest]"))
        #expect(shown.text.contains("  Category          [any]\n  Colour            [any]\n"))
        shown.press(.down, .down, .down, .down)
        #expect(shown.text.contains("› Category          [any]  Cardigans (3)   Hats (1)\n  Colour            [any]\n"))
        shown.press(.right, .right)
        #expect(listing.query.category == "hats")
        let gate = Gate()
        shown.shop.gate = gate
        shown.press(.down, .right)
        let messages = try await shown.messages(1)
        #expect(messages.last?.hasPrefix("narrow - hats") == true)
        #expect(listing.query.options == ["Colour": ["Black"]])
        gate.open()
        try await shown.wait { shown.shop.messages.last == "narrow - hats [\"Colour\": [\"Black\"]] -" }
        shown.press(.character("f"))
        try await shown.wait(for: "Filters: Category: Hats, Colour: Black.")
        try await shown.wait(for: "x clear filters")
        shown.press(.character("x"))
        #expect(listing.query.category == nil && listing.query.options.isEmpty)
    }

    @Test("Seasons and themes are called by their names")
    func names() {
        let shown = ScreenUnderTest()
        let listing = shown.factory.makeListingScreen()
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
        shown.show(listing)
        #expect(shown.text.contains("Filters: Season: Spring 2027."))
        shown.press(.character("f"), .end, .up)
        #expect(shown.text.contains("Theme             [any]  Salt Meadow (2)   27s2 (1)"))
    }

    @Test("A price range narrows the listing, and what is no price is said")
    func priceRange() async throws {
        let shown = ScreenUnderTest()
        let listing = shownListing(shown)
        shown.press(.character("f"), .down, .down)
        shown.type("1,50")
        shown.press(.enter)
        #expect(shown.text.contains("› Price from        1,50\n    Write it like 42.99, or leave it empty."))
        shown.press(.control("u"))
        shown.type("40")
        shown.press(.down)
        shown.type("39.99")
        shown.press(.enter)
        #expect(shown.text.contains("This is less than the price that it begins with."))
        #expect(shown.shop.messages.isEmpty)
        shown.press(.control("u"))
        shown.type("130")
        shown.press(.enter)
        #expect(try await shown.messages(1).count == 1)
        #expect(listing.query.minPrice == 4000 && listing.query.maxPrice == 13000)
        try await shown.wait(for: "Enter next")
        shown.press(.up, .up, .character("f"))
        #expect(shown.text.contains("Filters: from 40.00, up to 130.00."))
        shown.press(.character("x"))
        #expect(listing.query.minPrice == nil && listing.query.maxPrice == nil)
        try await shown.wait(for: "f filters")
        shown.press(.character("f"))
        #expect(shown.text.contains("Price from\n"))
    }

    @Test("Looking for words narrows the listing; nothing found says so")
    func search() async throws {
        let shown = ScreenUnderTest()
        let listing = shownListing(shown)
        shown.press(.character("/"))
        shown.type("hat")
        shown.press(.enter)
        #expect(try await shown.messages(1) == ["narrow hat - [:] -"])
        listing.products = LoadState(ProductPage(items: []))
        #expect(shown.text.contains("Nothing was found."))
    }

    @Test("Colour and size are chosen with their stock, and what is chosen goes into the cart or is bought")
    func product() async throws {
        let shown = ScreenUnderTest(rows: 22)
        let screen = shown.factory.makeProductScreen()
        screen.product = LoadState(Sample.cardigan)
        shown.show(screen)
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
        #expect(shown.text.contains("Choose first: Colour, Size."))
        shown.press(.enter, .right, .down, .right, .right)
        #expect(shown.text.contains("Size               S  [M]"))
        #expect(shown.text.contains("only 1 left"))
        #expect(shown.text.contains("Quantity          [1]\n"))
        shown.press(.left, .down, .right, .down, .enter)
        #expect(try await shown.messages(1) == ["add 2 cardigan-black-s"])
        try await shown.wait(for: "Added; the cart holds 7.")
        shown.press(.character("b"))
        #expect(try await shown.messages(2)[1] == "buy 2 cardigan-black-s")
    }

    @Test("Exact figures count before the product's own, and what was chosen stays when it is read anew")
    func availability() {
        let shown = ScreenUnderTest()
        let screen = shown.factory.makeProductScreen()
        screen.product = LoadState(Sample.scarf)
        shown.show(screen)
        #expect(shown.text.contains("only 2 left"))
        screen.availability = [Availability(sku: "wool-scarf", price: Fixture.euros(4299), available: 0)]
        #expect(shown.text.contains("sold out"))
        screen.product = LoadState(Sample.cardigan)
        shown.press(.right)
        screen.product = LoadState(Sample.cardigan)
        #expect(shown.text.contains("[Black]"))
    }
}
