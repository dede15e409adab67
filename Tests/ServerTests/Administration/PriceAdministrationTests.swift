import ServerTesting
import Testing

@Suite("Administration of prices, stock and discount codes", .inShop())
struct PriceAdministrationTests {
    private let shop = TestShop.current
    private let admin: Caller
    private let guest: Caller
    /// The start of scheduled prices, in a minute.
    private let start: Date

    init() async throws {
        (admin, guest) = (try await shop.admin(), try await shop.guest())
        start = shop.clock.now.addingTimeInterval(60)
    }

    private func version() async throws -> Int64 { try await shop.store.read { try $0.catalog.version() } }

    private func hold(_ units: Int, of sku: String) async throws {
        _ = try await shop.rows("UPDATE stock SET held = ? WHERE sku = ?", [.integer(units), .text(sku)])
    }

    @Test func `A new price changes the catalogue's ETag within a second and shows in carts`() async throws {
        try await guest.add("cap", 2).good()
        let before = try await shop.anyone.call(Contract.product, path: ["handle": "cap"])
        let changed = try await admin.change("cap", price: 1200).good()
        #expect(changed.price == Money(1200, .eur) && changed.available == 10)
        shop.clock.advance(by: 1)
        let etag = try #require(before.etag)
        let after = try await shop.anyone.call(
            Contract.product, path: ["handle": "cap"], headers: [HeaderName.ifNoneMatch: etag])
        #expect(try after.good().price == Money(1200, .eur) && after.etag != etag)
        let cart = try await guest.cart()
        #expect(cart.changes == [.priceChanged(sku: "cap", from: Money(1000, .eur), to: Money(1200, .eur))])
        #expect(cart.totals.items == Money(2400, .eur))
    }

    @Test func `Setting the same price does not change the catalogue version`() async throws {
        let before = try await version()
        try await admin.change("cap", price: 1000).good()
        #expect(try await version() == before)
    }

    @Test func `Setting available leaves held units aside, and adjust adds or removes units`() async throws {
        try await hold(2, of: "cap")
        let set = try await admin.change("cap", available: 5).good()
        #expect(set == ManagedVariant(sku: "cap", price: Money(1000, .eur), available: 5, onHand: 7, held: 2))
        #expect(try await admin.change("cap", adjust: 3).good().available == 8)
        #expect(try await admin.change("cap", adjust: -8).good().onHand == 2)
        #expect(try await admin.change("cap", available: 0).good().onHand == 2)
    }

    @Test func `Stock cannot be lowered below the held units`() async throws {
        try await hold(4, of: "cap")
        let problem = try await admin.change("cap", price: 900, adjust: -7).problem(.stockNegative)
        #expect(problem.problem.detail?.contains("6") == true)
        let variant = try await admin.change("cap", adjust: 0).good()
        // The price of the refused request is not set either.
        #expect(variant == ManagedVariant(sku: "cap", price: Money(1000, .eur), available: 6, onHand: 10, held: 4))
    }

    @Test(arguments: [
        (#"{"available": 1, "adjust": 1}"#, "adjust"), (#"{"available": -1}"#, "available"),
        (#"{"available": 1000000001}"#, "available"), (#"{"adjust": -1000000001}"#, "adjust"),
        (#"{"price": {"amount": -1, "currency": "EUR"}}"#, "price.amount"),
        (#"{"price": {"amount": 1000000000001, "currency": "EUR"}}"#, "price.amount"),
        (#"{"price": {"amount": 1, "currency": "USD"}}"#, "price.currency"), (#"{"price": null}"#, "price"),
        (#"{"available": 1.5}"#, "available"),
    ])
    func `An invalid patch is refused with the wrong field`(body: String, field: String) async throws {
        #expect(try await admin.send("PATCH", "/v1/admin/variants/cap", body).invalidFields() == [field])
        #expect(try await shop.available("cap") == 10)
    }

    /// Cents would read like a limit that is a hundred times as high.
    @Test func `The limits of a refused amount are amounts of the shop's currency`() async throws {
        let price = try await admin.change("cap", price: 1_000_000_000_001).problem(.validationFailed).problem
        #expect(price.errors?.map(\.detail) == ["The amount must be from 0.00 to 10000000000.00 EUR."])
        let terms = DiscountTerms(code: "NONE", kind: .amount, amount: Money(0, .eur))
        let discount = try await admin.addDiscount(terms).problem(.validationFailed).problem
        #expect(discount.errors?.map(\.detail) == ["The amount must be from 0.01 to 10000000000.00 EUR."])
    }

    @Test func `An unknown SKU is refused, and an empty patch returns the variant`() async throws {
        try await admin.change("nothing", price: 1).problem(.unknownSKU)
        try await admin.change("nothing", available: 1).problem(.unknownSKU)
        #expect(try await admin.change("cap").good().onHand == 10)
    }

    @Test func `Concurrent adjustments take exactly the units in stock`() async throws {
        let statuses = try await parallel(40) { _ in try await admin.change("cap", adjust: -1).status }
        #expect(statuses.count { $0 == 200 } == 10 && statuses.count { $0 == 409 } == 30)
        #expect(try await shop.available("cap") == 0)
    }

    // MARK: Scheduled prices

    /// Schedules a price for a minute.
    @discardableResult
    private func schedule(_ sku: String) async throws -> ScheduledPrice {
        try await admin.schedule(sku, from: start, until: start.addingTimeInterval(60)).good()
    }

    @Test func `Scheduling and deleting a price each raise the catalogue version`() async throws {
        let before = try await version()
        let cap = try await schedule("cap")
        #expect(cap.id.hasPrefix("scp_") && cap.sku == "cap" && cap.price == Money(500, .eur))
        #expect(cap.startsAt == start && cap.endsAt == start.addingTimeInterval(60))
        #expect(try await version() == before + 1)
        let scarf = try await schedule("scarf-s")
        #expect(try await admin.call(Contract.scheduledPrices).good().items == [scarf, cap])
        #expect(try await admin.call(Contract.scheduledPrices, query: "sku=cap").good().items == [cap])
        #expect(try await admin.pages(Contract.scheduledPrices, limit: 1) == [[scarf], [cap]])
        try await admin.call(Contract.deleteScheduledPrice, path: ["id": cap.id]).good()
        #expect(try await version() == before + 3)
        #expect(try await admin.call(Contract.scheduledPrices).good().items == [scarf])
        try await admin.call(Contract.deleteScheduledPrice, path: ["id": cap.id]).problem(.notFound)
        #expect(try await version() == before + 3)
    }

    @Test func `A cart reports a scheduled price as a change, and checkout uses it from start to end`() async throws {
        try await guest.add("cap").good()
        try await guest.ship().good()
        try await schedule("cap")
        shop.clock.advance(by: 59.999)
        #expect(try await guest.cart().changes == [])
        try await guest.checkout(total: 990).problem(.priceChanged)

        shop.clock.advance(by: 0.001)
        let lower = CartChange.priceChanged(sku: "cap", from: Money(1000, .eur), to: Money(500, .eur))
        #expect(try await guest.cart().changes == [lower])
        #expect(try await guest.checkout(total: 1490).problem(.priceChanged).changes == [lower])
        #expect(try await admin.change("cap").good().price == Money(1000, .eur))
        #expect(try await guest.checkout(total: 990).good().lines.map(\.unitPrice) == [Money(500, .eur)])

        try await guest.add("cap").good()
        shop.clock.advance(by: 60)
        let higher = CartChange.priceChanged(sku: "cap", from: Money(500, .eur), to: Money(1000, .eur))
        #expect(try await guest.cart().changes == [higher])
        try await guest.buyNow(total: 990).problem(.priceChanged)
        try await guest.buyNow(total: 1490).good()
    }

    @Test func `A scheduled price needs an end after its start, the shop's currency and a known SKU`() async throws {
        for end in [start, start.addingTimeInterval(-1)] {
            #expect(try await admin.schedule("cap", from: start, until: end).invalidFields() == ["endsAt"])
        }
        let end = start.addingTimeInterval(1)
        #expect(try await admin.schedule("cap", price: -1, from: start, until: end).invalidFields() == ["price.amount"])
        let yen = Money(1, try #require(Currency(code: "JPY")))
        let foreign = ScheduledPriceRequest(sku: "cap", price: yen, startsAt: start, endsAt: end)
        #expect(try await admin.call(Contract.schedulePrice, foreign).invalidFields() == ["price.currency"])
        try await admin.schedule("nothing", from: start, until: end).problem(.unknownSKU)
        #expect(try await admin.call(Contract.scheduledPrices).good().items == [])
    }

    // MARK: Discount codes

    private func discounts() async throws -> [ManagedDiscount] { try await admin.call(Contract.discounts).good().items }

    @Test func `A discount is added, listed, changed and deleted`() async throws {
        var terms = DiscountTerms(
            code: "summer", kind: .percentage, basisPoints: 1250, startsAt: shop.clock.now,
            endsAt: shop.clock.now.addingTimeInterval(60), minimum: Money(5000, .eur), products: ["cap"],
            categories: ["hats"], limit: 100, limitPerAccount: 1)
        let added = try await admin.addDiscount(terms).good()
        terms.code = "SUMMER"
        #expect(added.id.hasPrefix("dis_") && added.terms == terms && added.used == 0)
        #expect(try await discounts() == [added])

        let changed = try await admin.changeDiscount(added.id) {
            $0.basisPoints = .set(2000)
            $0.endsAt = .clear
            $0.products = .clear
        }.good()
        (terms.basisPoints, terms.endsAt, terms.products) = (2000, nil, nil)
        #expect(changed.terms == terms)
        #expect(try await discounts() == [changed])

        try await admin.call(Contract.deleteDiscount, path: ["id": added.id]).good()
        #expect(try await discounts() == [])
        try await admin.call(Contract.deleteDiscount, path: ["id": added.id]).problem(.notFound)
        try await admin.changeDiscount(added.id) { $0.code = "ELSE" }.problem(.notFound)
    }

    @Test(arguments: [
        (#"{"code":"AB","kind":"freeShipping"}"#, ["code"]),
        (#"{"code":"A B C","kind":"freeShipping"}"#, ["code"]),
        (#"{"code":"ÄÖÜ","kind":"freeShipping"}"#, ["code"]),
        (#"{"code":"OFF","kind":"percentage"}"#, ["basisPoints"]),
        (#"{"code":"OFF","kind":"percentage","basisPoints":0}"#, ["basisPoints"]),
        (#"{"code":"OFF","kind":"percentage","basisPoints":10001}"#, ["basisPoints"]),
        (#"{"code":"OFF","kind":"amount"}"#, ["amount"]),
        (#"{"code":"OFF","kind":"amount","amount":{"amount":0,"currency":"EUR"}}"#, ["amount.amount"]),
        (#"{"code":"OFF","kind":"amount","amount":{"amount":5,"currency":"USD"}}"#, ["amount.currency"]),
        (#"{"code":"OFF","kind":"buyXGetY","buy":2}"#, ["get"]),
        (#"{"code":"OFF","kind":"buyXGetY","buy":0,"get":1000}"#, ["buy", "get"]),
        (#"{"code":"OFF","kind":"freeShipping","basisPoints":5}"#, ["basisPoints"]),
        (#"{"code":"OFF","kind":"percentage","basisPoints":5,"buy":1,"get":1}"#, ["buy", "get"]),
        (#"{"code":"OFF","kind":"moonPhase"}"#, ["kind"]),
        (#"{"code":"OFF","kind":"freeShipping","minimum":{"amount":-1,"currency":"EUR"}}"#, ["minimum.amount"]),
        (#"{"code":"OFF","kind":"freeShipping","products":[]}"#, ["products"]),
        (
            #"{"code":"OFF","kind":"freeShipping","products":["a"],"categories":["b",""]}"#,
            ["products.0", "categories.0", "categories.1"]
        ),
        (#"{"code":"OFF","kind":"freeShipping","endsAt":"2020-01-01T00:00:00Z"}"#, ["endsAt"]),
        (#"{"code":"OFF","kind":"freeShipping","limit":0,"limitPerAccount":0}"#, ["limit", "limitPerAccount"]),
        (
            #"{"code":"OFF","kind":"freeShipping","startsAt":"2027-01-02T00:00:00Z","endsAt":"2027-01-02T00:00:00Z"}"#,
            ["endsAt"]
        ),
    ])
    func `An invalid discount is refused with its fields, and not stored`(body: String, fields: [String]) async throws {
        #expect(try await admin.send("POST", "/v1/admin/discounts", body).invalidFields() == fields)
        #expect(try await discounts() == [])
    }

    @Test func `A discount names products in any status by handles, and categories, that the shop has`() async throws {
        let draft = try await admin.addProduct(ProductTerms(name: "Felt hat")).good()
        var terms = DiscountTerms(
            code: "HATS", kind: .freeShipping, products: ["cap", "bonnet", draft.id], categories: ["hats", "Hats"])
        let problem = try await admin.addDiscount(terms).problem(.validationFailed).problem
        #expect(problem.errors?.map(\.field) == ["products.1", "products.2", "categories.1"])
        #expect(problem.errors?.first?.detail == "The shop has no product “bonnet”.")
        (terms.products, terms.categories) = (["cap", draft.handle], ["hats"])
        let added = try await admin.addDiscount(terms).good()
        // A name that has gone stays, others are refused.
        try await admin.change(product: "cap") { $0.handle = "bonnet" }.good()
        let kept = try await admin.changeDiscount(added.id) { $0.limit = .set(5) }.good()
        #expect(kept.terms.products == terms.products && kept.terms.limit == 5)
        let change = try await admin.changeDiscount(added.id) { $0.products = .set(["bonnet", "cap", "fez"]) }
        #expect(try change.invalidFields() == ["products.2"])
        try await admin.changeDiscount(added.id) { $0.products = .set(["bonnet"]) }.good()
        let back = try await admin.changeDiscount(added.id) { $0.products = .set(["cap"]) }
        #expect(try back.invalidFields() == ["products.0"])
    }

    @Test func `An end has to lie in the future when it is set, and stays once it has passed`() async throws {
        let end = shop.clock.now.addingTimeInterval(60)
        let added = try await admin.addDiscount(DiscountTerms(code: "SOON", kind: .freeShipping, endsAt: end)).good()
        let other = try await admin.addDiscount(.ten).good()
        shop.clock.advance(by: 60)
        let late = try await admin.changeDiscount(other.id) { $0.endsAt = .set(end) }
        #expect(try late.invalidFields() == ["endsAt"])
        #expect(try await admin.changeDiscount(added.id) { $0.limit = .set(5) }.good().terms.endsAt == end)
        try await admin.changeDiscount(added.id) { $0.endsAt = .set(end.addingTimeInterval(1)) }.good()
    }

    @Test func `A code is unique in any letter case, also among concurrent requests`() async throws {
        let statuses = try await parallel(10) { number in
            let terms = DiscountTerms(code: number % 2 == 0 ? "ten" : "TEN", kind: .freeShipping)
            return try await admin.addDiscount(terms).status
        }
        #expect(statuses.sorted() == [201] + Array(repeating: 409, count: 9))
        try await admin.addDiscount(.ten).problem(.codeTaken)
        let other = try await admin.addDiscount(DiscountTerms(code: "other", kind: .freeShipping)).good()
        try await admin.changeDiscount(other.id) { $0.code = "Ten" }.problem(.codeTaken)
        #expect(try await admin.changeDiscount(other.id) { $0.code = "Other" }.good().terms.code == "OTHER")
    }

    @Test func `Changing the kind removes the values of the old kind`() async throws {
        let added = try await admin.addDiscount(.ten).good()
        let changed = try await admin.changeDiscount(added.id) {
            $0.kind = .amount
            $0.amount = .set(Money(300, .eur))
        }.good()
        #expect(changed.terms == DiscountTerms(code: "TEN", kind: .amount, amount: Money(300, .eur)))
        let back = try await admin.changeDiscount(added.id) { $0.kind = .percentage }
        #expect(try back.invalidFields() == ["basisPoints"])
    }

    @Test func `A limit cannot be lowered below the uses so far`() async throws {
        let added = try await admin.addDiscount(.ten).good()
        for _ in 0..<3 { _ = try await shop.store.write { try $0.discounts.claim(id: added.id) } }
        let lower = try await admin.changeDiscount(added.id) { $0.limit = .set(2) }
        #expect(try lower.invalidFields() == ["limit"])
        let changed = try await admin.changeDiscount(added.id) { $0.limit = .set(3) }.good()
        #expect(changed.used == 3 && changed.terms.limit == 3)
    }

    @Test func `Discounts are listed latest first, in pages, while others are added`() async throws {
        for number in 1...5 {
            try await admin.addDiscount(DiscountTerms(code: "CODE\(number)", kind: .freeShipping)).good()
        }
        let first = try await admin.call(Contract.discounts, query: "limit=2").good()
        try await admin.addDiscount(.ten).good()
        let cursor = try #require(first.nextCursor)
        let second = try await admin.call(Contract.discounts, query: "limit=2&cursor=\(cursor)").good()
        #expect((first.items + second.items).map(\.terms.code) == ["CODE5", "CODE4", "CODE3", "CODE2"])
        try await admin.call(Contract.scheduledPrices, query: "cursor=\(cursor)").problem(.invalidCursor)
    }

    // MARK: Uses

    private func uses() async throws -> [String: Int] {
        let rows = try await shop.rows("SELECT owner_id, uses FROM discount_uses WHERE uses > 0")
        return Dictionary(uniqueKeysWithValues: try rows.map { (try $0.text(0), try $0.int(1)) })
    }

    @Test func `A returned use can be claimed again, and a use is returned only once`() async throws {
        let terms = DiscountTerms(code: "LAST", kind: .freeShipping, limit: 1)
        let id = try await admin.addDiscount(terms).good().id
        try await shop.store.write { repositories in
            let discounts = repositories.discounts
            #expect(try discounts.claim(id: id))
            #expect(try discounts.claim(id: id, ownerId: "acc_a", limit: 1))
            #expect(try !discounts.claim(id: id))
            for _ in 0..<2 { try discounts.giveBack(id: id, owners: ["acc_a"]) }
            #expect(try discounts.record(id: id)?.used == 0)
            #expect(try discounts.claim(id: id))
            #expect(try discounts.claim(id: id, ownerId: "acc_a", limit: 1))
        }
        #expect(try await uses() == ["acc_a": 1])
    }

    @Test func `A guest's uses move to the account at sign-in`() async throws {
        let id = try await admin.addDiscount(.ten).good().id
        try await shop.store.write { repositories in
            let discounts = repositories.discounts
            _ = try discounts.claim(id: id, ownerId: "ses_a", limit: 2)
            _ = try discounts.claim(id: id, ownerId: "acc_a", limit: 2)
            for _ in 0..<2 { try discounts.move(from: "ses_a", to: "acc_a") }
            #expect(try !discounts.claim(id: id, ownerId: "acc_a", limit: 2))
        }
        #expect(try await uses() == ["acc_a": 2])
    }

    @Test func `A deleted code is free again, and its uses are deleted`() async throws {
        let id = try await admin.addDiscount(.ten).good().id
        _ = try await shop.store.write { try $0.discounts.claim(id: id, ownerId: "acc_a", limit: 1) }
        try await admin.call(Contract.deleteDiscount, path: ["id": id]).good()
        #expect(try await uses().isEmpty)
        #expect(try await shop.store.read { try $0.discounts.usage(code: "TEN", ownerId: "acc_a") } == nil)
        #expect(try await shop.store.write { try $0.discounts.claim(id: id) } == false)
        try await admin.addDiscount(.ten).good()
    }
}
