import ServerTesting
import Testing

@testable import PouchDomain

@Suite("The page of the checkout", .inShop(), .timeLimit(.minutes(5)))
struct CheckoutPageTests {
    private let shop = TestShop.current
    private let visitor = WebVisitor(.current)

    /// No order was placed, and nothing was charged.
    private func expectNoOrder(sourceLocation: SourceLocation = #_sourceLocation) async throws {
        #expect(try await shop.orderIds() == [], sourceLocation: sourceLocation)
        #expect(try await shop.charges() == 0, sourceLocation: sourceLocation)
    }

    @Test func `A guest buys`() async throws {
        let page = try await visitor.checkout("cap", 2)
        // The first method is chosen, with its price in the total.
        #expect(page.expectedTotal == "24.90" && page.words.contains("Your card will be charged €24.90."))
        let order = try await visitor.pay(page)
        #expect(try await shop.orderIds() == [try order.orderId()])
        #expect(order.heading.hasPrefix("Order P-") && order.words.contains("€24.90 paid by card"))
        #expect(order.words.contains("Main Street 1") && order.words.contains("guest@example.com"))
        #expect(order.words.contains("will send the confirmation to guest@example.com."))
        #expect(order.words.matches(of: #/Thank you/#).count == 1)
        #expect(try await shop.available("cap") == 8)
        #expect(try await shop.charges() == 1 && visitor.cartUnits == nil)
    }

    @Test func `A customer buys with a saved address, and saves another`() async throws {
        let (customer, visitor) = try await shop.customer().atPages(of: shop)
        let saved = try await customer.addAddress().good()
        func street(_ page: WebPage) async throws -> String? {
            try await customer.order(id: try page.orderId()).shipping?.address.line1
        }
        var page = try await visitor.checkout()
        #expect(page.fields(of: "/checkout")["email"] == "ada@example.com")
        // The saved address is chosen without a click.
        #expect(page.fields(of: "/checkout")["shipping.addressId?"] == saved.id)
        #expect(try await street(visitor.submit(page, action: "/checkout")) == "Main Street 1")
        page = try await visitor.checkout()
        let second = try await visitor.pay(
            page, ["shipping.addressId": "", "shipping.address.line1": "Side Street 2", "saveAddress": "on"])
        #expect(try await street(second) == "Side Street 2")
        let lines = try await customer.call(Contract.addresses).good().items.map(\.line1)
        #expect(Set(lines) == ["Main Street 1", "Side Street 2"])
    }

    @Test func `The saved address of another customer is not used`() async throws {
        let other = try await shop.customer("other@example.com").addAddress().good()
        let (customer, visitor) = try await shop.customer().atPages(of: shop)
        try await customer.addAddress().good()
        let fields = try await visitor.checkout().form("/checkout").fields.map {
            $0.name == "shipping.addressId?" ? (name: $0.name, value: other.id ?? "") : $0
        }
        #expect(try await visitor.post("/checkout", fields).status == 422)
        try await expectNoOrder()
    }

    @Test func `The button for prices stores the delivery, keeps all entries, and shows the new total`() async throws {
        let (customer, visitor) = try await shop.customer().atPages(of: shop)
        let page = try await visitor.checkout()
        #expect(page.fields(of: "/checkout")["shipping.address.name"] == "Ada")
        // Nothing but a name, a country and a method: there is a price, and nothing is stored.
        let early = try await visitor.recalculate(page, ["shipping.methodId": "express", "email": "new@example.com"])
        #expect(early.status == 200 && early.expectedTotal == "19.90")
        #expect(early.fields(of: "/checkout")["email"] == "new@example.com")
        #expect(try await customer.cart().shipping == nil)
        let whole = try await visitor.recalculate(early, WebVisitor.typed(["email": "new@example.com"]))
        #expect(whole.expectedTotal == "19.90" && whole.fields(of: "/checkout")["email"] == "new@example.com")
        let stored = try await customer.cart().shipping
        #expect(stored?.methodId == "express" && stored?.address.city == "Berlin")
        #expect(try await visitor.get("/checkout/shipping").location == "/checkout")
    }

    @Test func `Another language keeps all entries`() async throws {
        let page = try await visitor.checkout()
        let german = try #require(
            page.attributes(of: "button").first { $0["lang"] == "de" && $0["form"] == "checkout" })
        let typed = try page.form("/checkout").filled(["email": "me@example.com", "shipping.address.city": "Ulm"])
        let translated = try await visitor.post(try #require(german["formaction"]), typed)
        #expect(translated.heading == "Kasse")
        let fields = translated.fields(of: "/checkout")
        #expect(fields["email"] == "me@example.com" && fields["shipping.address.city"] == "Ulm")
        #expect(try await visitor.open("/cart").title.hasPrefix("Warenkorb"))
    }

    @Test func `Methods and prices are those for the typed country`() async throws {
        func region(_ country: String, _ price: Int64) -> ShippingTariff.Region {
            .init(territories: [.init(country: country)], rates: [.init(price: Money(price, .eur))])
        }
        let settings = ShopSettings.sample(shipping: [
            .init(id: "post", name: "Post", estimate: "2 days", regions: [region("DE", 300), region("FR", 900)]),
            .init(id: "bike", name: "Bike", estimate: "today", regions: [region("DE", 500)]),
        ])
        try await TestShop.open(configure: { $0.shop = settings }) { shop in
            let visitor = WebVisitor(shop)
            let page = try await visitor.checkout()
            #expect(page.expectedTotal == "13.00" && page.words.contains("Bike"))
            // The chosen method is not offered there, so that the first takes its place.
            let french = try await visitor.recalculate(
                page, ["shipping.address.country": "FR", "shipping.methodId": "bike"])
            #expect(french.expectedTotal == "19.00" && !french.words.contains("Bike"))
            let order = try await visitor.pay(french, ["shipping.address.country": "FR"])
            #expect(order.words.contains("€19.00 paid by card") && order.words.contains("France"))
            // The list has no other countries than those.
            #expect(page.attributes(of: "option").compactMap { $0["value"] }.filter { $0.count == 2 } == ["FR", "DE"])
        }
    }

    @Test func `A kangaroo brings an order to a place of the city`() async throws {
        let sydney = WebVisitor.typed(["shipping.address.country": "AU", "shipping.place": "Bondi Beach"])
        let offered = try await visitor.recalculate(try await visitor.checkout(), sydney)
        let chosen = try await visitor.recalculate(offered, sydney.merging(["shipping.methodId": "kangaroo"]) { $1 })
        let order = try await visitor.pay(chosen, ["shipping.address.country": "AU"])
        #expect(order.words.contains("By kangaroo") && order.words.contains("Handover at Bondi Beach"))
        #expect(order.text.contains(">Bondi Beach</text>"))
        let clerk = try await shop.member(.owner).get("/admin/orders/\(try order.orderId())")
        #expect(clerk.words.contains("Handover at Bondi Beach."))
        #expect(try await shop.rows("SELECT 1 FROM rides").count == 1)
    }

    @Test func `A declined card is explained, and all entries stay except the card`() async throws {
        let declined = try await visitor.pay(
            try await visitor.checkout(),
            ["paymentMethod.token": "tok_declined", "shipping.methodId": "express", "expectedTotal": "19.90"])
        #expect(declined.status == 402 && declined.words.contains("Your bank declined the card."))
        let fields = declined.fields(of: "/checkout")
        #expect(fields["email"] == "guest@example.com" && fields["shipping.address.city"] == "Berlin")
        #expect(fields["shipping.methodId"] == "express" && fields["paymentMethod.token"] == nil)
        #expect(visitor.cartUnits == "1")
        #expect(try await shop.available("cap") == 10)
        try await expectNoOrder()
        let poor = try await visitor.pay(declined, ["paymentMethod.token": "tok_insufficient_funds"])
        #expect(poor.status == 402 && poor.words.contains("insufficient funds"))
        let order = try await visitor.pay(poor, ["paymentMethod.token": "tok_ok"])
        #expect(try await shop.orderIds() == [try order.orderId()])
        #expect(try await shop.charges() == 1)
    }

    @Test func `A changed price shows the new total and its reason, and charges nothing before a click`() async throws {
        let page = try await visitor.checkout()
        try await shop.stock([.stocked("cap", price: 1_200, stock: 10, category: "Hats")])
        let changed = try await visitor.pay(page)
        #expect(changed.status == 409 && changed.expectedTotal == "16.90")
        #expect(changed.words.contains("The total is now €16.90 instead of €14.90. Nothing was charged."))
        #expect(changed.words.contains("Cap now costs €12.00 instead of €10.00."))
        // One message about the total.
        #expect(changed.words.matches(of: #/Nothing was charged/#).count == 1)
        #expect(changed.fields(of: "/checkout")["shipping.address.city"] == "Berlin")
        try await expectNoOrder()
        #expect(try await visitor.pay(changed).words.contains("€16.90 paid by card"))
    }

    @Test func `The lines that changed in another tab are named`() async throws {
        let page = try await visitor.checkout()
        try await visitor.add("cap")
        let changed = try await visitor.pay(page)
        #expect(changed.status == 409 && changed.words.contains("Cap: now 2 instead of 1."))
        try await expectNoOrder()
    }

    @Test func `The checkout and the cart name a withdrawn product as before`() async throws {
        try await visitor.add("cap")
        let page = try await visitor.checkout("scarf", sku: "scarf-m")
        try await shop.admin().change(product: "cap") { $0.status = .withdrawn }.good()
        try await shop.readAgain()
        let refused = try await visitor.pay(page)
        #expect(refused.words.contains("Cap is not available at the moment."), "\(refused.words)")
    }

    @Test func `Places for kangaroos are shown for the countries that they serve`() async throws {
        let page = try await visitor.checkout()
        #expect(page.text.contains("name=\"shipping.place?\""))
        let abroad = try await visitor.recalculate(page, WebVisitor.typed(["shipping.address.country": "FR"]))
        #expect(!abroad.text.contains("name=\"shipping.place?\""))
    }

    @Test func `A product that others bought in the meantime is named with the units that are left`() async throws {
        let page = try await visitor.checkout("scarf", 2, sku: "scarf-m")
        try await shop.guest().buyNow("scarf-m", total: 2_990).good()
        let short = try await visitor.pay(page)
        #expect(short.status == 409 && short.words.matches(of: #/Scarf: Only 1 left/#).count == 1)
        #expect(visitor.cartUnits == "2")
    }

    @Test(arguments: [
        ("en", "Enter the postal code.", "Enter an e-mail address such as name@example.com."),
        ("de", "Bitte ausfüllen: Postleitzahl.", "Geben Sie eine E-Mail-Adresse wie name@example.com ein."),
    ])
    func `Wrong entries of all parts of the form are named at once, with links to them`(
        language: String, empty: String, invalid: String
    ) async throws {
        let visitor = WebVisitor(shop, language: language)
        let blank = ["shipping.address.name": "", "shipping.address.city": "", "shipping.address.postalCode": " "]
        let refused = try await visitor.pay(visitor.checkout(), blank.merging(["email": "ada"]) { $1 })
        let links = ["#email", "#address-name", "#address-city", "#address-postalCode"]
        #expect(refused.status == 422 && Set(refused.links).isSuperset(of: links))
        #expect(refused.fields(of: "/checkout")["shipping.address.line1"] == "Main Street 1")
        #expect(refused.words.contains(empty) && refused.words.contains(invalid))
        // A text that is there and too long is not one to fill in.
        let long = String(repeating: "1", count: 300)
        let other = try await visitor.pay(refused, ["email": "ada", "shipping.address.postalCode": long])
        #expect(other.links.contains("#address-postalCode") && !other.words.contains(empty))
        // The delivery is right, and the address alone is wrong.
        let alone = try await visitor.pay(other, ["email": "ada"])
        #expect(alone.status == 422 && alone.words.contains(invalid) && !alone.links.contains("#address-postalCode"))
        try await expectNoOrder()
    }

    @Test func `A shop that asks for a confirmed address says so`() async throws {
        let settings = ShopSettings(
            currency: .eur, country: "DE", shipping: ShopSettings.standard().shipping, verifiedEmail: [.checkout])
        try await TestShop.open(configure: { $0.shop = settings }) { shop in
            let page = try await shop.visitor().buy()
            #expect(page.status == 403 && page.words.contains("Confirm your e-mail address first"))
        }
    }

    @Test(arguments: [(1, 4), (2, 2)])
    func `A form sent several times at once, or in two tabs, leads to one order`(tabs: Int, times: Int) async throws {
        try await visitor.add("cap")
        var forms: [[(name: String, value: String)]] = []
        for _ in 0..<tabs {
            let form = try await visitor.open("/checkout").form("/checkout")
            forms.append(try form.filled(WebVisitor.typed(["paymentMethod.token": "tok_slow"])))
        }
        let places = try await parallel(times) { [forms] number in
            try await visitor.post("/checkout", forms[number % tabs]).location
        }
        let ids = try await shop.orderIds()
        #expect(ids.count == 1 && Set(places) == ["/orders/\(ids.first ?? "")"])
        #expect(try await shop.charges() == 1)
        #expect(try await shop.available("cap") == 9)
    }

    @Test func `The back button and another click lead to the same order`() async throws {
        let page = try await visitor.checkout()
        let first = try await visitor.pay(page)
        // The browser asks for the page again, or shows the old one.
        #expect(try await visitor.get("/checkout").location == first.location)
        #expect(try await visitor.pay(page).location == first.location)
        // A changed form is another request, but there is nothing more to buy.
        #expect(try await visitor.pay(page, ["email": "other@example.com"]).location == first.location)
        #expect(try await shop.orderIds().count == 1)
        #expect(try await shop.charges() == 1)
        shop.clock.advance(by: 31 * 60)
        #expect(try await visitor.get("/checkout").location == "/cart")
    }

    @Test func `A later click does not buy the next cart, nor hide it`() async throws {
        let page = try await visitor.checkout()
        let first = try await visitor.pay(page)
        shop.clock.advance(by: 120)
        try await visitor.add("scarf", 1, sku: "scarf-s")
        #expect(try await visitor.pay(page).location == first.location)
        #expect(visitor.cartUnits == "1")
        #expect(try await visitor.get("/cart").words.contains("Scarf"))
        #expect(try await shop.orderIds().count == 1)
    }

    @Test func `A checkout of an empty cart leads to the cart, with and without a session`() async throws {
        for visitor in [visitor, WebVisitor(shop, session: try await shop.guest().session)] {
            #expect(try await visitor.get("/checkout").location == "/cart")
        }
    }

    @Test func `Where the state decides on the tax, it is chosen from a list, and the total follows`() async throws {
        let settings = ShopSettings(
            currency: .eur, country: "US",
            taxes: TaxSettings(
                pricesIncludeTax: false, rounding: .perLine,
                regions: [TaxRegion(territory: Territory(country: "US", region: "CA"), standardRate: 1_000)]),
            shipping: [.flat("standard", 500)])
        try await TestShop.open(configure: { $0.shop = settings }) { shop in
            let visitor = WebVisitor(shop)
            let page = try await visitor.checkout()
            let field = try #require(page.attributes(of: "select").first { $0["id"] == "address-region" })
            #expect(field["required"] != nil && field["data-recalculate"] != nil)
            #expect(page.text.contains(">California</option>") && page.expectedTotal == "15.00")
            let state: [String: String?] = ["shipping.address.country": "US", "shipping.address.region": "CA"]
            let chosen = try await visitor.recalculate(page, WebVisitor.typed(state))
            #expect(chosen.expectedTotal == "16.50")
            #expect(chosen.fields(of: "/checkout")["shipping.address.region?"] == "CA")
            let refused = try await visitor.pay(chosen, state.merging(["shipping.address.region": ""]) { $1 })
            #expect(refused.status == 422 && refused.words.contains("Enter the state or region."))
            #expect(try await visitor.pay(chosen, state).words.contains("€16.50 paid by card"))
            // Another country has other fields.
            let other = try await visitor.recalculate(try await visitor.checkout(), ["shipping.address.country": "HK"])
            for id in ["address-postalCode", "address-city", "address-region"] {
                let input = try #require(other.attributes(of: "input").first { $0["id"] == id })
                #expect(input["required"] == nil, "\(id)")
            }
        }
    }

    @Test func `A shop without taxes does not say that prices include any`() async throws {
        #expect(try await visitor.get("/").words.contains("Prices do not include shipping."))
        #expect(try await !visitor.get("/product/cap").words.contains("tax"))
    }
}
