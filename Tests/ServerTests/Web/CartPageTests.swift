import ServerTesting
import Testing

@Suite("The page of the cart", .inShop(), .timeLimit(.minutes(5)))
struct CartPageTests {
    private let shop = TestShop.current
    private let visitor = WebVisitor(.current)

    @Test func `The first product in the cart begins a session, and the header counts its units`() async throws {
        #expect(try await visitor.get("/cart").words.contains("Your cart is empty") && visitor.accessToken == nil)
        let cart = try await visitor.add("cap", 2)
        #expect(cart.status == 200 && cart.location == "/cart" && cart.quantity(of: "cap") == "2")
        #expect(cart.words.contains("€20.00") && cart.words.contains("Cap is in your cart."))
        #expect(visitor.cartUnits == "2")
        // The notice is shown once.
        #expect(try await !visitor.get("/cart").words.contains("Cap is in your cart."))
        try await visitor.add("scarf", 1, sku: "scarf-m")
        #expect(visitor.cartUnits == "3")
        #expect(try await visitor.get("/").text.contains(#"<b class="count">3</b>"#))
    }

    @Test func `A form that is sent twice adds once; a new form adds again`() async throws {
        for units in ["1", "2"] {
            let page = try await visitor.open("/product/cap")
            for _ in 0..<2 { _ = try await visitor.submit(page, action: "/cart/lines") }
            #expect(visitor.cartUnits == units)
        }
    }

    @Test func `Two pages that were opened before the first product came into the cart both add theirs`() async throws {
        let (cap, scarf) = (try await visitor.get("/product/cap"), try await visitor.get("/product/scarf"))
        #expect(visitor.accessToken == nil)
        _ = try await visitor.submit(cap, action: "/cart/lines")
        let cart = try await visitor.submit(scarf, action: "/cart/lines", ["sku": "scarf-s"])
        #expect(cart.location == "/cart" && visitor.cartUnits == "2")
        #expect(["cap", "scarf-s"].map(cart.quantity(of:)) == ["1", "1"])
    }

    @Test func `The quantity 0 and the button remove a line; removing the last one removes the count`() async throws {
        try await visitor.add("cap")
        var cart = try await visitor.add("scarf", 1, sku: "scarf-s")
        #expect(cart.attributes(of: "input").filter { $0["name"] == "quantity:int" }.map { $0["min"] } == ["0", "0"])
        cart = try await visitor.submit(cart, action: "/cart/lines/cap", ["quantity": "0"])
        #expect(cart.fields(of: "/cart/lines/cap").isEmpty && visitor.cartUnits == "1")
        cart = try await visitor.submit(cart, action: "/cart/lines/scarf-s/remove")
        #expect(cart.words.contains("Your cart is empty") && visitor.cartUnits == nil)
    }

    @Test func `A change by another device is counted when the cart is read`() async throws {
        let (customer, visitor) = try await shop.customer().atPages(of: shop)
        try await customer.add("cap", 3).good()
        #expect(visitor.cartUnits == nil)
        _ = try await visitor.get("/cart")
        #expect(visitor.cartUnits == "3")
    }

    @Test func `Too many units show the product again with the reason and what was typed`() async throws {
        let page = try await visitor.add("cap", 11)
        #expect(page.status == 409 && page.location == nil && page.heading == "Cap")
        #expect(page.words.contains("Not enough in stock.") && page.words.contains("Cap: Only 10 left"))
        #expect(page.fields(of: "/cart/lines")["quantity:int"] == "11" && visitor.cartUnits == nil)
        // The page can be sent again at once.
        #expect(try await visitor.submit(page, action: "/cart/lines", ["quantity": "1"]).location == "/cart")
    }

    @Test func `A product that the shop does not have shows the cart`() async throws {
        try await visitor.add("cap")
        let page = try await visitor.forge("/cart/lines", [("sku", "nothing"), ("quantity:int", "1")])
        #expect(page.status == 404 && page.heading == "Cart" && page.words.contains("We do not have this product."))
        #expect(try await visitor.get("/cart/lines").location == "/cart")
    }

    @Test func `A wrong discount code is refused at its field, and stays in it`() async throws {
        let cart = try await visitor.submit(visitor.add(), action: "/cart/discount", ["code": " NONE "])
        #expect(cart.status == 422 && cart.words.contains("This discount code is not valid."))
        #expect(cart.fields(of: "/cart/discount")["code"] == " NONE ")
    }

    /// The end of a session whose cookies a browser still has.
    enum Ending: CaseIterable, Sendable {
        case revoked
        /// After the access token has expired, too.
        case revokedLongAgo
        case expired

        func happens(to session: Caller, of visitor: WebVisitor, _ shop: TestShop) async throws {
            switch self {
            case .revoked: try await session.signOut()
            case .revokedLongAgo:
                try await session.signOut()
                shop.clock.advance(by: SessionIssuer.accessTokenLifetime + 1)
            case .expired:
                // The clock of the browser is behind.
                let token = visitor.cookies["pouch_refresh"]
                shop.clock.advance(by: SessionIssuer.refreshTokenLifetime + 1)
                visitor.setCookie("pouch_refresh", token)
            }
        }
    }

    private static let ended = "Your session has ended, and your cart is empty."

    @Test(arguments: Ending.allCases)
    func `A guest whose session has ended sees an empty cart, and why`(ending: Ending) async throws {
        let (guest, visitor) = try await shop.guest().atPages(of: shop)
        try await visitor.add("cap", 2)
        try await ending.happens(to: guest, of: visitor, shop)
        let cart = try await visitor.get("/cart")
        #expect(cart.status == 200 && cart.heading == "Cart" && cart.words.contains("Your cart is empty"))
        #expect(cart.words.contains(Self.ended) && visitor.cartUnits == nil)
        #expect(visitor.accessToken == nil && visitor.cookies["pouch_refresh"] == nil)
        #expect(try await !visitor.get("/cart").words.contains(Self.ended))
        try await visitor.add("cap")
        #expect(visitor.cartUnits == "1")
    }

    @Test(arguments: Ending.allCases)
    func `A customer whose session has ended is asked to sign in again`(ending: Ending) async throws {
        let (customer, visitor) = try await shop.customer().atPages(of: shop)
        try await customer.add("cap", 2).good()
        try await ending.happens(to: customer, of: visitor, shop)
        let page = try await visitor.get("/cart")
        #expect(page.status == 303 && page.location == "/sign-in?next=%2Fcart")
        #expect(visitor.accessToken == nil && visitor.cookies["pouch_refresh"] == nil)
        let signIn = try await visitor.open("/sign-in?next=%2Fcart")
        #expect(!signIn.words.contains(Self.ended))
        let cart = try await visitor.submit(signIn, action: "/sign-in", WebVisitor.login())
        #expect(cart.location == "/cart" && cart.quantity(of: "cap") == "2")
    }

    @Test func `A form right after a guest's session leads to the empty cart; later it begins another`() async throws {
        let (guest, visitor) = try await shop.guest().atPages(of: shop)
        try await visitor.add("scarf", sku: "scarf-s")
        try await guest.signOut()
        let cart = try await visitor.add("cap")
        #expect(cart.location == "/cart" && cart.words.contains("Your cart is empty"))
        #expect(cart.words.contains(Self.ended))
        let (other, later) = try await shop.guest().atPages(of: shop)
        try await Ending.revokedLongAgo.happens(to: other, of: later, shop)
        #expect(try await later.add("cap").words.contains("Cap is in your cart.") && later.cartUnits == "1")
    }

    @Test(.inShop([.stocked("cap", category: "Hats"), .stocked("beret", category: "Hats")]))
    func `An empty cart shows new products, and a full one shows related products`() async throws {
        let empty = try await visitor.get("/cart").words
        #expect(empty.contains("New in the shop") && !empty.contains("You may also like"))
        let full = try await visitor.add("cap").words
        #expect(full.contains("You may also like") && !full.contains("New in the shop"))
    }

    @Test func `Changes of price and stock are named until the visitor changes the cart`() async throws {
        try await visitor.add("cap", 4)
        try await shop.stock([.stocked("cap", price: 1_200, stock: 3, category: "Hats")])
        let cart = try await visitor.get("/cart")
        #expect(cart.words.contains("Cap now costs €12.00 instead of €10.00.") && cart.words.contains("Only 3 left"))
        let after = try await visitor.submit(cart, action: "/cart/lines/cap", ["quantity": "3"])
        #expect(!after.words.contains("instead of") && !after.words.contains("Only 3 left"))
        #expect(after.words.contains("€36.00"))
    }
}
