import Foundation
import PouchClient
import PouchNetwork
import PouchTesting
import PouchWire
import Testing

/// The shop for the tests of others behaves as a client expects of a server.
@Suite(.timeLimit(.minutes(5)))
struct TestShopTests {
    private let card = PaymentMethod.card(token: "tok_ok")

    @Test func `a visit from the catalogue to the order`() async throws {
        let shop = TestShop(products: [
            .sample(sku: "hat", sizes: ["S", "M"], price: 19_00, stock: 3), .sample(sku: "cap-1", category: "caps"),
        ])
        shop.change { $0.codes["TEN"] = 10_00 }
        let pouch = Pouch(testing: shop)
        let found = try await pouch.catalog.products(ProductQuery(category: "hats"))
        let variant = try #require(found.items.first?.variants.last)
        try await pouch.cart.add(sku: variant.sku, quantity: 2)
        try await pouch.account.signUp(name: "Bea", email: "bea@example.org", password: "12345678")
        try await pouch.cart.setDiscount(code: "TEN")
        let cart = try await pouch.cart.setShipping(methodId: "standard", to: .sample())
        #expect(cart.totals.total == Money(2 * 19_00 - 10_00 + 5_00, .eur))
        let order = try await pouch.checkout.pay(for: cart, with: card)
        #expect(order.totals == cart.totals && order.email == "bea@example.org")
        #expect(try await pouch.orders.all().reduce(into: []) { $0.append($1.id) } == [order.id])
        #expect(try await pouch.catalog.availability(of: [variant.sku]).map(\.available) == [1])
        #expect(try await pouch.cart.refresh().lines.isEmpty)
        #expect(shop.effects == ["add hat-m 2", "discount TEN", "ship standard", "order \(order.id)"])
    }

    @Test func `a declined card and a changed price are refused`() async throws {
        let shop = TestShop(products: [.sample(sku: "hat-1", stock: 1)])
        let pouch = Pouch(testing: shop)
        try await pouch.cart.add(sku: "hat-1")
        let cart = try await pouch.cart.setShipping(methodId: "standard", to: .sample())
        func pay(with token: String) async -> DataError.Reason? {
            await thrownReason { try await pouch.checkout.pay(for: cart, with: .card(token: token), email: "a@b.org") }
        }
        #expect(await pay(with: "tok_declined") == .paymentDeclined(code: "card_declined"))
        shop.setPrice("hat-1", 99_00)
        let change = CartChange.priceChanged(sku: "hat-1", from: Money(10_00, .eur), to: Money(99_00, .eur))
        #expect(await pay(with: "tok_ok") == .priceChanged([change]))
        #expect(try await pouch.catalog.product(handle: "hat-1").value.price == Money(99_00, .eur))
    }

    /// A request that the server refuses, too.
    struct Refused: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let expected: DataError.Reason
        let session: UserSession
        let call: @Sendable (Pouch) async throws -> Void

        init(
            _ testDescription: String, _ expected: DataError.Reason, as session: UserSession = .sample(),
            _ call: @escaping @Sendable (Pouch) async throws -> Void
        ) {
            (self.testDescription, self.expected, self.session, self.call) = (testDescription, expected, session, call)
        }
    }

    private static let guest = UserSession.sample(guest: "ses_1")

    static let refused = [
        Refused("a guest has no profile", .forbidden, as: guest) { _ = try await $0.account.profile() },
        Refused("a guest has no rides", .forbidden, as: guest) { _ = try await $0.rides.rides() },
        Refused("a cart has known SKUs", .unknownSKU, as: guest) { try await $0.cart.add(sku: "cap-1") },
        Refused("a cart has units in stock", .outOfStock([StockShortfall(sku: "hat-1", available: 9)]), as: guest) {
            try await $0.cart.add(sku: "hat-1", quantity: 10)
        },
        Refused("a discount has a known code", .discountInvalid, as: guest) {
            try await $0.cart.setDiscount(code: "TEN")
        },
        Refused("a sign-in needs the password", .invalidCredentials, as: guest) {
            try await $0.account.signIn(email: "ada@example.org", password: "wrong words")
        },
        Refused("an e-mail address has one account", .emailTaken, as: guest) {
            try await $0.account.signUp(name: "Ada", email: "ada@example.org", password: "12345678")
        },
        Refused("an order is known", .notFound) { _ = try await $0.orders.order(id: "ord_9") },
        Refused("a purchase needs shipping", .shippingRequired) {
            _ = try await $0.checkout.pay(for: try await $0.cart.add(sku: "hat-1"), with: .card(token: "tok_ok"))
        },
        Refused("a guest gives an e-mail address", .emailRequired, as: guest) {
            try await $0.cart.add(sku: "hat-1")
            let cart = try await $0.cart.setShipping(methodId: "standard", to: .sample())
            _ = try await $0.checkout.pay(for: cart, with: .card(token: "tok_ok"))
        },
        Refused("an order has known SKUs", .unknownSKU) {
            _ = try await $0.checkout.preview(OrderDraft(lines: [.init(sku: "cap-1", quantity: 1)]))
        },
        Refused("an order has lines", .validation([])) { _ = try await $0.checkout.preview(OrderDraft(lines: [])) },
        Refused("an order has units", .validation([])) {
            _ = try await $0.checkout.preview(OrderDraft(lines: [.init(sku: "hat-1", quantity: 0)]))
        },
        Refused("a line has at most 999 units", .validation([])) {
            try await $0.cart.add(sku: "hat-1", quantity: 1_000)
        },
        Refused("an address has a city", .validation([])) {
            _ = try await $0.account.addAddress(
                Address(name: "Ada", line1: "1 Main Rd", city: "", postalCode: "6000", country: "AU"))
        },
        Refused("a password has eight characters", .validation([])) {
            try await $0.account.changePassword(from: "secret words", to: "1")
        },
        Refused("an account is deleted with its password", .wrongPassword) {
            try await $0.account.deleteAccount(password: "wrong words")
        },
        Refused("an account that was deleted is gone", .invalidCredentials) {
            try await $0.account.deleteAccount(password: "secret words")
            try await $0.account.signIn(email: "ada@example.org", password: "secret words")
        },
        Refused("a trip has two ends", .validation([])) {
            let point = GeoPoint(latitude: 1, longitude: 2)
            _ = try await $0.rides.quotes(for: RideWaypoints(pickupLocation: point, dropoffLocation: point))
        },
        Refused("a ride is known", .notFound) { for try await _ in $0.rides.follow("rid_9") {} },
        Refused("relevance needs words", .unexpected(code: "invalid_query")) {
            _ = try await $0.catalog.products(ProductQuery(sort: .relevance))
        },
    ]

    @Test(arguments: refused)
    func `each request that the server refuses is refused`(_ case: Refused) async throws {
        let shop = TestShop()
        shop.change { $0.passwords["ada@example.org"] = "secret words" }
        let pouch = Pouch(testing: shop, signedInAs: `case`.session)
        let error = await #expect(throws: DataError.self) { try await `case`.call(pouch) }
        if case .validation(let fields) = error?.reason {
            #expect(`case`.expected == .validation([]) && !fields.isEmpty)
        } else {
            #expect(error?.reason == `case`.expected)
        }
    }

    @Test func `a smaller quantity is allowed above the stock, and a sign-in merges carts within it`() async throws {
        let shop = TestShop(products: [.sample(sku: "hat-1", stock: 3)])
        shop.change { $0.carts["acc_ada"] = [.init(sku: "hat-1", quantity: 9)] }
        let ada = Pouch(testing: shop, signedInAs: .sample())
        #expect(try await ada.cart.set(sku: "hat-1", quantity: 5).unitCount == 5)
        #expect(try await ada.cart.set(sku: "hat-1", quantity: 2).unitCount == 2)
        let guest = Pouch(testing: shop)
        try await guest.cart.add(sku: "hat-1", quantity: 2)
        try await guest.account.signIn(email: "ada@example.org", password: "any words")
        #expect(try await guest.cart.refresh().changes == [.quantity(sku: "hat-1", .quantityReduced, from: 4, to: 3)])
        try await ada.account.signOut()
        #expect(try await guest.cart.refresh().unitCount == 3, "another session of the account goes on")
        shop.change { $0.carts["acc_ada"] = (1...500).map { .init(sku: "\($0)", quantity: 1) } }
        #expect(await thrownReason { try await guest.cart.add(sku: "hat-1") } == .cartFull)
    }

    @Test func `failures are used up in their order, and only by the endpoint that they are for`() async throws {
        let shop = TestShop()
        let pouch = Pouch(testing: shop)
        shop.failNext(Contract.addCartLine, with: .problem(.cartFull))
        shop.failNext(Contract.addCartLine, with: .answer(NetworkResponse(status: 403)))
        _ = try await pouch.catalog.products()
        for expected in [DataError.Reason.cartFull, .unreadableAnswer] {
            #expect(await thrownReason { try await pouch.cart.add(sku: "hat-1") } == expected)
        }
        try await pouch.cart.add(sku: "hat-1")
        #expect(shop.requests(to: Contract.addCartLine).count == 3)
        #expect(shop.effects == ["add hat-1 1"])
    }

    @Test func `edits made offline wait for the shop, on the test's clock`() async throws {
        let (shop, clock) = (TestShop(), ManualClock())
        let pouch = Pouch(testing: shop, signedInAs: .sample(), store: MemoryStore(), clock: clock)
        _ = try await pouch.catalog.product(handle: "hat-1")
        try await pouch.cart.refresh()
        shop.connection = .down
        try await pouch.cart.add(sku: "hat-1")
        #expect(pouch.cart.state?.pendingCount == 1)
        shop.connection = .up
        clock.run()
        for await state in pouch.cart.states() where state?.isConfirmed == true { break }
        #expect(shop.effects == ["add hat-1 1"])
    }

    @Test func `requests are delayed by the test's clock`() async throws {
        let (shop, clock) = (TestShop(), ManualClock())
        let pouch = Pouch(testing: shop)
        shop.setLatency(.seconds(2), on: clock)
        let products = Task { try await pouch.catalog.products().items.count }
        await clock.tick()
        #expect(try await products.value == 1)
        #expect(clock.slept == [.seconds(2)])
    }

    @Test func `a shop that answers nothing refuses the call, and says what to write`() async throws {
        let shop = TestShop.unimplemented()
        let pouch = Pouch(testing: shop, signedInAs: .sample(), store: MemoryStore())
        let error = await #expect(throws: DataError.self) { _ = try await pouch.orders.orders() }
        #expect(
            error?.errorDescription
                == "The test provides no answer to orders (GET /v1/orders): "
                + "call answer(Contract.orders) on the TestShop.")
        // Neither queued nor answered from the store.
        await #expect(throws: DataError.self) { try await pouch.cart.add(sku: "hat-1") }
        await #expect(throws: DataError.self) { _ = try await pouch.catalog.products() }
        #expect(pouch.connection.connection == .online)
        #expect(shop.unanswered == ["orders", "cart", "products"])
        shop.answer(Contract.orders, with: Page(items: [.sample(id: "ord_7")]))
        #expect(try await pouch.orders.orders().items.map(\.id) == ["ord_7"])
    }

    @Test func `a token that is refused once is refreshed, and the customer stays one`() async throws {
        let shop = TestShop()
        let pouch = Pouch(testing: shop, signedInAs: .sample(Profile.sample(name: "Ada L."), kind: .admin))
        shop.failNext(Contract.addCartLine, with: .problem(.tokenExpired))
        try await pouch.cart.add(sku: "hat-1")
        #expect(shop.requests(to: Contract.refreshSession).count == 1)
        #expect(pouch.account.session?.kind == .admin && pouch.account.session?.profile?.name == "Ada L.")
        let cart = try await pouch.cart.setShipping(methodId: "standard", to: .sample())
        #expect(try await pouch.checkout.pay(for: cart, with: card).email == "ada@example.org")
    }

    @Test func `the owner is the one of the access token, also next to credentials for a proxy`() async throws {
        let shop = TestShop()
        var request = NetworkRequest(url: try #require(URL(string: "http://shop.test/v1/account")))
        request.headers = ["Authorization": "Basic YTpi", "Pouch-Access-Token": "acc_bea"]
        let answer = try await shop.send(request).collected()
        #expect(try Profile(json: answer.data).id == "acc_bea")
        request.headers = ["Authorization": "Basic YTpi"]
        #expect(try await shop.send(request).status == 401)
    }

    /// A test shop must not forget an endpoint of the contract without saying so.
    @Test func `the endpoints that a test shop does not have are known`() async throws {
        let shop = TestShop()
        for endpoint in Endpoint.all {
            let path = endpoint.template.path(
                Dictionary(uniqueKeysWithValues: endpoint.template.parameters.map { ($0, "x") }))
            var request = NetworkRequest(url: try #require(URL(string: "http://shop.test" + path)))
            request.method = endpoint.method.rawValue
            let session = UserSession.sample(Profile.sample(id: "acc_\(endpoint.name)"), kind: .admin)
            _ = Pouch(testing: shop, signedInAs: session)
            request.headers = [
                "Authorization": "Bearer " + session.remoteSession.accessToken, "Idempotency-Key": "key",
            ]
            _ = try await shop.send(request)
        }
        let ofCustomers: Set = [
            "openAPI", "orderEvents", "secondFactor", "beginSecondFactor", "enableSecondFactor", "removeSecondFactor",
            "acceptInvitation",
        ]
        #expect(Set(shop.unanswered) == ofCustomers.union(Endpoint.all.filter(\.access.isForStaff).map(\.name)))
    }
}
