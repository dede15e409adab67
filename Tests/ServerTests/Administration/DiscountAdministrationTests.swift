import Foundation
import PouchContract
import PouchDomain
import PouchEntities
import PouchStorage
import PouchWire
import Testing

@Suite("Keeping discount codes")
struct DiscountAdministrationTests {
    @Test func `A discount is added, listed, changed and removed`() async throws {
        try await TestShop.open { shop in
            let admin = try await shop.admin()
            var terms = DiscountTerms(
                code: "summer", kind: .percentage, basisPoints: 1250, startsAt: shop.clock.now,
                endsAt: shop.clock.now.addingTimeInterval(60), minimum: Money(5000, .eur), products: ["cap"],
                categories: ["hats"], limit: 100, limitPerAccount: 1)
            let added = try await admin.addDiscount(terms).good()
            terms.code = "SUMMER"
            #expect(added.id.hasPrefix("dis_") && added.terms == terms && added.used == 0)
            #expect(try await admin.call(Contract.discounts).good().items == [added])

            let changed = try await admin.changeDiscount(added.id) {
                $0.basisPoints = .set(2000)
                $0.endsAt = .clear
                $0.products = .clear
            }.good()
            (terms.basisPoints, terms.endsAt, terms.products) = (2000, nil, nil)
            #expect(changed.terms == terms)
            #expect(try await admin.call(Contract.discounts).good().items == [changed])

            try await admin.call(Contract.deleteDiscount, path: ["id": added.id]).good()
            #expect(try await admin.call(Contract.discounts).good().items == [])
            try await admin.call(Contract.deleteDiscount, path: ["id": added.id]).problem(.notFound)
            try await admin.changeDiscount(added.id) { $0.code = "ELSE" }.problem(.notFound)
        }
    }

    @Test(arguments: [
        DiscountTerms.ten,
        DiscountTerms(code: "FIVE", kind: .amount, amount: Money(500, .eur)),
        DiscountTerms(code: "3FOR2", kind: .buyXGetY, buy: 2, get: 1),
        DiscountTerms(code: "POST", kind: .freeShipping),
    ])
    func `Every kind comes back as it was given`(terms: DiscountTerms) async throws {
        try await TestShop.open([]) { shop in
            let admin = try await shop.admin()
            #expect(try await admin.addDiscount(terms).good().terms == terms)
            #expect(try await admin.call(Contract.discounts).good().items.map(\.terms) == [terms])
        }
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
        (#"{"code":"OFF","kind":"freeShipping","categories":["a",""]}"#, ["categories.1"]),
        (#"{"code":"OFF","kind":"freeShipping","limit":0,"limitPerAccount":0}"#, ["limit", "limitPerAccount"]),
        (
            #"{"code":"OFF","kind":"freeShipping","startsAt":"2027-01-02T00:00:00Z","endsAt":"2027-01-02T00:00:00Z"}"#,
            ["endsAt"]
        ),
    ])
    func `What makes no sense is refused by name, and nothing is written`(body: String, fields: [String]) async throws {
        try await TestShop.open([]) { shop in
            let admin = try await shop.admin()
            let problem = try await admin.send("POST", "/v1/admin/discounts", body).problem(.validationFailed)
            #expect(problem.problem.errors?.map(\.field) == fields)
            #expect(try await admin.call(Contract.discounts).good().items == [])
        }
    }

    @Test func `A code is taken once, whatever its letters' case, also at the same time`() async throws {
        try await TestShop.open([]) { shop in
            let admin = try await shop.admin()
            let statuses = try await parallel(10) { number in
                try await admin.addDiscount(DiscountTerms(code: number % 2 == 0 ? "ten" : "TEN", kind: .freeShipping))
                    .status
            }
            #expect(statuses.sorted() == [201] + Array(repeating: 409, count: 9))
            try await admin.addDiscount(.ten).problem(.codeTaken)
            let other = try await admin.addDiscount(DiscountTerms(code: "other", kind: .freeShipping)).good()
            try await admin.changeDiscount(other.id) { $0.code = "Ten" }.problem(.codeTaken)
            #expect(try await admin.changeDiscount(other.id) { $0.code = "Other" }.good().terms.code == "OTHER")
        }
    }

    @Test func `With another kind the values of the old one go`() async throws {
        try await TestShop.open([]) { shop in
            let admin = try await shop.admin()
            let added = try await admin.addDiscount(.ten).good()
            let changed = try await admin.changeDiscount(added.id) {
                $0.kind = .amount
                $0.amount = .set(Money(300, .eur))
            }.good()
            #expect(changed.terms == DiscountTerms(code: "TEN", kind: .amount, amount: Money(300, .eur)))
            let problem = try await admin.changeDiscount(added.id) { $0.kind = .percentage }.problem(.validationFailed)
            #expect(problem.problem.errors?.map(\.field) == ["basisPoints"])
        }
    }

    @Test func `A limit cannot fall below the uses so far`() async throws {
        try await TestShop.open([]) { shop in
            let admin = try await shop.admin()
            let added = try await admin.addDiscount(.ten).good()
            for _ in 0..<3 {
                _ = try await shop.store.write { try $0.discounts.claim(id: added.id) }
            }
            let problem = try await admin.changeDiscount(added.id) { $0.limit = .set(2) }.problem(.validationFailed)
            #expect(problem.problem.errors?.map(\.field) == ["limit"])
            let changed = try await admin.changeDiscount(added.id) { $0.limit = .set(3) }.good()
            #expect(changed.used == 3 && changed.terms.limit == 3)
        }
    }

    @Test func `With a key a discount is added once, and the answer is repeated`() async throws {
        try await TestShop.open([]) { shop in
            let admin = try await shop.admin()
            let key = [HeaderName.idempotencyKey: "add"]
            let first = try await admin.addDiscount(.ten, headers: key)
            let again = try await admin.addDiscount(.ten, headers: key)
            try first.good()
            #expect(again.body == first.body && again.header(HeaderName.idempotentReplayed) == "true")
            try await admin.addDiscount(DiscountTerms(code: "ELSE", kind: .freeShipping), headers: key)
                .problem(.idempotencyKeyReused)
        }
    }

    @Test func `The list comes in pages, the latest first, while others are added`() async throws {
        try await TestShop.open([]) { shop in
            let admin = try await shop.admin()
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
}
