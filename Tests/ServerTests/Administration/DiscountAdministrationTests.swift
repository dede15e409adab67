import Foundation
import PouchContract
import PouchDomain
import PouchEntities
import PouchStorage
import PouchWire
import Testing

@Suite("Administration of discount codes", .inShop())
struct DiscountAdministrationTests {
    private let shop = TestShop.current
    private let admin: Caller

    init() async throws { admin = try await shop.admin() }

    private func discounts() async throws -> [ManagedDiscount] {
        try await admin.call(Contract.discounts).good().items
    }

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
        DiscountTerms.ten, DiscountTerms(code: "FIVE", kind: .amount, amount: Money(500, .eur)),
        DiscountTerms(code: "3FOR2", kind: .buyXGetY, buy: 2, get: 1), DiscountTerms(code: "POST", kind: .freeShipping),
    ])
    func `A discount of every kind is stored as sent`(terms: DiscountTerms) async throws {
        #expect(try await admin.addDiscount(terms).good().terms == terms)
        #expect(try await discounts().map(\.terms) == [terms])
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
    func `Invalid discounts are refused with the wrong fields, and nothing is stored`(body: String, fields: [String])
        async throws
    {
        #expect(try await admin.send("POST", "/v1/admin/discounts", body).invalidFields() == fields)
        #expect(try await discounts() == [])
    }

    @Test func `A discount names products in any status by their handles, and categories, that the shop has`()
        async throws
    {
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
            shop.clock.advance(by: 1)
            try await admin.addDiscount(DiscountTerms(code: "CODE\(number)", kind: .freeShipping)).good()
        }
        let first = try await admin.call(Contract.discounts, query: "limit=2").good()
        shop.clock.advance(by: 1)
        try await admin.addDiscount(.ten).good()
        let cursor = try #require(first.nextCursor)
        let second = try await admin.call(Contract.discounts, query: "limit=2&cursor=\(cursor)").good()
        #expect((first.items + second.items).map(\.terms.code) == ["CODE5", "CODE4", "CODE3", "CODE2"])
        try await admin.call(Contract.scheduledPrices, query: "cursor=\(cursor)").problem(.invalidCursor)
    }
}

@Suite("Uses of discount codes", .inShop([]))
struct DiscountUseTests {
    private let shop = TestShop.current

    private func discount(limit: Int?) async throws -> String {
        try await shop.admin().addDiscount(DiscountTerms(code: "LAST", kind: .freeShipping, limit: limit)).good().id
    }

    private func uses() async throws -> [String: Int] {
        let rows = try await shop.rows("SELECT owner_id, uses FROM discount_uses WHERE uses > 0")
        return Dictionary(uniqueKeysWithValues: try rows.map { (try $0.text(0), try $0.int(1)) })
    }

    @Test func `Concurrent claims get exactly the remaining uses`() async throws {
        let id = try await discount(limit: 5)
        let won = try await parallel(30) { _ in
            try await shop.store.write(.readCommitted) { try $0.discounts.claim(id: id) }
        }
        #expect(won.count { $0 } == 5)
        #expect(try await shop.store.read { try $0.discounts.record(id: id)?.used } == 5)
    }

    @Test func `Uses are counted per account`() async throws {
        let id = try await discount(limit: nil)
        let won = try await parallel(40) { number in
            let owner = number % 2 == 0 ? "acc_a" : "acc_b"
            return try await shop.store.write(.readCommitted) {
                try $0.discounts.claim(id: id, ownerId: owner, limit: owner == "acc_a" ? 3 : 1)
            }
        }
        #expect(won.count { $0 } == 4)
        #expect(try await uses() == ["acc_a": 3, "acc_b": 1])
    }

    @Test func `A returned use can be claimed again, and a use is returned only once`() async throws {
        let id = try await discount(limit: 1)
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
        let id = try await discount(limit: nil)
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
        let admin = try await shop.admin()
        let id = try await admin.addDiscount(.ten).good().id
        _ = try await shop.store.write { try $0.discounts.claim(id: id, ownerId: "acc_a", limit: 1) }
        try await admin.call(Contract.deleteDiscount, path: ["id": id]).good()
        #expect(try await uses().isEmpty)
        #expect(try await shop.store.read { try $0.discounts.usage(code: "TEN", ownerId: "acc_a") } == nil)
        #expect(try await shop.store.write { try $0.discounts.claim(id: id) } == false)
        try await admin.addDiscount(.ten).good()
    }
}
