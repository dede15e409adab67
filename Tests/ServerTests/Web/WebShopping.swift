import PouchWeb
import ServerTesting
import Testing

extension WebVisitor {
    /// The fields of a sign-in.
    static func login(_ email: String = "ada@example.com") -> [String: String?] {
        ["email": email, "password": .password]
    }

    /// Signs in at the sign-in page.
    ///
    /// - Parameter next: the next page, for the query of the address.
    /// - Returns: the page after the sign-in.
    @discardableResult
    func signIn(
        _ email: String = "ada@example.com", password: String = .password, next: String? = nil
    ) async throws -> WebPage {
        try await submit(at: Self.signInAddress(next: next), ["email": email, "password": password])
    }

    /// The address of a sign-in that leads to another page.
    static func signInAddress(_ path: String = "/sign-in", next: String?) -> String {
        path + "?" + QueryString(next.map { [QueryString.Item(name: "next", value: $0)] } ?? []).encoded
    }

    @discardableResult
    func signUp(_ email: String = "ada@example.com", name: String = "Ada") async throws -> WebPage {
        try await submit(at: "/sign-up", ["name": name, "email": email, "password": .password])
    }

    /// Sends any fields with a token of the visitor's forms, also to a form that no page shows to the visitor.
    func forge(_ address: String, _ fields: [(name: String, value: String)] = []) async throws -> WebPage {
        let token = try await get("/verify-email").fields(of: "/verify-email")["csrf"] ?? ""
        return try await post(address, [("csrf", token), ("key", Caller.key())] + fields)
    }

    /// The access token of the visitor's session.
    var accessToken: String? { cookies["pouch_access"] ?? cookies["__Host-pouch_access"] }

    /// Adds a product to the cart with the form on its page.
    @discardableResult
    func add(_ handle: String = "cap", _ quantity: Int = 1, sku: String? = nil) async throws -> WebPage {
        var values: [String: String?] = ["quantity": String(quantity)]
        if let sku { values["sku"] = sku }
        return try await submit(try await open("/product/\(handle)"), action: "/cart/lines", values)
    }

    /// Adds a product and opens the checkout.
    func checkout(_ handle: String = "cap", _ quantity: Int = 1, sku: String? = nil) async throws -> WebPage {
        try await add(handle, quantity, sku: sku)
        return try await open("/checkout")
    }

    /// Fills in the checkout and pays.
    func pay(_ page: WebPage, _ values: [String: String?] = [:]) async throws -> WebPage {
        try await submit(page, action: "/checkout", Self.typed(values))
    }

    /// Adds a product and pays for it. Returns the page of the order.
    func buy(_ handle: String = "cap") async throws -> WebPage { try await pay(try await checkout(handle)) }

    /// Sends the checkout with the button that updates the prices.
    func recalculate(_ page: WebPage, _ values: [String: String?]) async throws -> WebPage {
        try await post("/checkout/shipping", try page.form("/checkout").filled(values))
    }

    /// The checkout's fields of a guest in Berlin, with the given values instead of some.
    static func typed(_ values: [String: String?] = [:]) -> [String: String?] {
        let berlin: [String: String?] = [
            "email": "guest@example.com", "shipping.address.name": "Ada", "shipping.address.country": "DE",
            "shipping.address.line1": "Main Street 1", "shipping.address.postalCode": "10115",
            "shipping.address.city": "Berlin",
        ]
        return berlin.merging(values) { $1 }
    }

    /// The number of units in the header of the page.
    var cartUnits: String? { cookies["pouch_cart"] }
}

extension WebPage {
    /// Whether the page says why a form did not take effect.
    var hasAlert: Bool { attributes(of: "div").contains { $0["role"] == "alert" } }

    /// The units of a product in the form of the cart's page.
    func quantity(of sku: String) -> String? { fields(of: "/cart/lines/\(sku)")["quantity:int"] }

    /// The total in the checkout's form.
    var expectedTotal: String? { fields(of: "/checkout")["expectedTotal:money"] }

    /// The id of the order to which a form led.
    func orderId(sourceLocation: SourceLocation = #_sourceLocation) throws -> String {
        let place = try #require(location, "\(status) \(words)", sourceLocation: sourceLocation)
        try #require(place.hasPrefix("/orders/ord_"), "\(place)", sourceLocation: sourceLocation)
        return String(place.dropFirst("/orders/".count))
    }
}

extension Caller {
    /// The caller, and a visitor in the same session.
    func atPages(of shop: TestShop) -> (Caller, WebVisitor) { (self, WebVisitor(shop, session: session)) }
}

extension Trait where Self == InShop {
    /// A shop for each test whose pages have their own settings.
    static func withPages(
        _ products: [FeedProduct] = .usual, at url: String = "https://shop.example.com",
        _ change: @escaping @Sendable (inout WebSettings) -> Void = { _ in }
    ) -> Self {
        .inShop(products) { configuration in
            configuration.web = (try? WebTheme()).map { theme in
                var settings = WebSettings(publicURL: url, theme: theme)
                change(&settings)
                return settings
            }
        }
    }
}

extension TestShop {
    /// A visitor who is signed in as a new customer.
    func visitor(_ email: String = "ada@example.com") async throws -> WebVisitor {
        WebVisitor(self, session: try await customer(email).session)
    }

    /// The ids of all orders.
    func orderIds() async throws -> [String] {
        try await rows("SELECT id FROM orders ORDER BY id").map { try $0.text(0) }
    }
}
