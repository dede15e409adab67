import PouchContract
import PouchDomain
import PouchEntities
import PouchStorage
import Testing

@Suite("Counting the uses of discount codes")
struct DiscountUseTests {
    private func discount(_ limit: Int?, in shop: TestShop) async throws -> String {
        try await shop.admin().addDiscount(DiscountTerms(code: "LAST", kind: .freeShipping, limit: limit)).good().id
    }

    private func uses(in shop: TestShop) async throws -> [String: Int] {
        var uses: [String: Int] = [:]
        for row in try await shop.rows("SELECT owner_id, uses FROM discount_uses WHERE uses > 0") {
            uses[try row.text(0)] = try row.int(1)
        }
        return uses
    }

    @Test func `Of many who want the last uses at once exactly so many get one`() async throws {
        try await TestShop.open([]) { shop in
            let id = try await discount(5, in: shop)
            let store = shop.store
            let won = try await parallel(30) { _ in
                try await store.write(.readCommitted) { try $0.discounts.claim(id: id) }
            }
            #expect(won.count { $0 } == 5)
            #expect(try await store.read { try $0.discounts.record(id: id)?.used } == 5)
        }
    }

    @Test func `Each account has uses of its own`() async throws {
        try await TestShop.open([]) { shop in
            let id = try await discount(nil, in: shop)
            let store = shop.store
            let won = try await parallel(40) { number in
                let owner = number % 2 == 0 ? "acc_a" : "acc_b"
                return try await store.write(.readCommitted) {
                    try $0.discounts.claim(id: id, ownerId: owner, limit: owner == "acc_a" ? 3 : 1)
                }
            }
            #expect(won.count { $0 } == 4)
            #expect(try await uses(in: shop) == ["acc_a": 3, "acc_b": 1])
        }
    }

    @Test func `A use that is given back can be had again, and none is invented`() async throws {
        try await TestShop.open([]) { shop in
            let id = try await discount(1, in: shop)
            try await shop.store.write { repositories in
                let discounts = repositories.discounts
                #expect(try discounts.claim(id: id))
                #expect(try discounts.claim(id: id, ownerId: "acc_a", limit: 1))
                #expect(try !discounts.claim(id: id))
                for _ in 0..<2 { try discounts.giveBack(id: id, ownerId: "acc_a") }
                #expect(try discounts.record(id: id)?.used == 0)
                #expect(try discounts.claim(id: id))
                #expect(try discounts.claim(id: id, ownerId: "acc_a", limit: 1))
            }
            #expect(try await uses(in: shop) == ["acc_a": 1])
        }
    }

    @Test func `What a guest used counts for the account that they sign in to`() async throws {
        try await TestShop.open([]) { shop in
            let id = try await discount(nil, in: shop)
            try await shop.store.write { repositories in
                let discounts = repositories.discounts
                _ = try discounts.claim(id: id, ownerId: "ses_a", limit: 2)
                _ = try discounts.claim(id: id, ownerId: "acc_a", limit: 2)
                for _ in 0..<2 { try discounts.move(from: "ses_a", to: "acc_a") }
                #expect(try !discounts.claim(id: id, ownerId: "acc_a", limit: 2))
            }
            #expect(try await uses(in: shop) == ["acc_a": 2])
        }
    }

    @Test func `A code that was removed is free again, and its uses are forgotten`() async throws {
        try await TestShop.open([]) { shop in
            let admin = try await shop.admin()
            let id = try await admin.addDiscount(.ten).good().id
            _ = try await shop.store.write { try $0.discounts.claim(id: id, ownerId: "acc_a", limit: 1) }
            try await admin.call(Contract.deleteDiscount, path: ["id": id]).good()
            #expect(try await uses(in: shop).isEmpty)
            #expect(
                try await shop.store.read { try $0.discounts.usage(code: "TEN", ownerId: "acc_a") } == nil)
            #expect(try await shop.store.write { try $0.discounts.claim(id: id) } == false)
            try await admin.addDiscount(.ten).good()
        }
    }
}
