import PouchDomain
import PouchEntities
import PouchStorage
import Testing

@Suite("Lines that come back into the cart")
struct CartPutBackTests {
    private func quantities(_ shop: TestShop, _ ownerId: String) async throws -> [String: Int] {
        let rows = try await shop.rows(
            "SELECT sku, quantity FROM cart_lines WHERE owner_id = ?", [.text(ownerId)])
        return try Dictionary(rows.map { (try $0.text(0), try $0.int(1)) }, uniquingKeysWith: +)
    }

    private func units(_ skus: [String], _ quantity: Int) -> [CartUnits] {
        skus.map { CartUnits(sku: $0, quantity: quantity, seenPrice: Money(1000, .eur)) }
    }

    @Test func `As many as a cart can have come back, in their order, and those that are there are raised`()
        async throws
    {
        try await TestShop.open([]) { shop in
            let skus = (0..<510).map { "thing-\($0)" }
            let here = units(["other", skus[500]], 998)
            let back = units(skus, 2)
            let leftOut = try await shop.store.write { repositories in
                let none = try repositories.carts.putBack(ownerId: "ses_1", here)
                return (none, try repositories.carts.putBack(ownerId: "ses_1", back))
            }
            #expect(leftOut.0 == [])
            #expect(leftOut.1.map(\.sku) == (498..<510).filter { $0 != 500 }.map { skus[$0] })
            let found = try await quantities(shop, "ses_1")
            #expect(found.count == ModelLimits.lines)
            #expect(found["other"] == 998 && found[skus[500]] == 999 && found[skus[497]] == 2)
            let kept = try await shop.store.write { try $0.carts.removeLines(ownerId: "ses_1") }
            #expect(kept.map(\.sku) == ["other", skus[500]] + skus.prefix(498))
        }
    }

    @Test func `What finds no room when an order comes to nothing is told in the cart`() async throws {
        try await SettlementDesk.open { desk in
            await desk.provider.script(charge: .failure(.noAnswer), settle: .success(.voided))
            let order = try await desk.pay()
            let owner = desk.principal.ownerId
            try await desk.shop.database { connection in
                for number in 0..<ModelLimits.lines {
                    try connection.run(
                        """
                        INSERT INTO cart_lines (owner_id, sku, position, quantity, seen_price) VALUES (?, ?, ?, 1, 1)
                        """, [.text(owner), .text("thing-\(number)"), .integer(number)])
                }
            }
            desk.shop.clock.advance(by: 60)
            #expect(try await desk.settle().settled == 1)
            #expect(try await desk.guest.order(id: order.id).status == .cancelled)
            let found = try await quantities(desk.shop, owner)
            #expect(found.count == ModelLimits.lines && found["cap"] == nil)
            #expect(try await desk.guest.cart().changes == [.quantity(sku: "cap", .removed, from: 2, to: 0)])
        }
    }
}
