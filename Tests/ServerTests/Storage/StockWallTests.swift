import PouchDomain
import PouchStorage
import Testing

@Suite("The last wall before negative stock")
struct StockWallTests {
    @Test(arguments: [
        "UPDATE stock SET on_hand = -1", "UPDATE stock SET held = -1", "UPDATE stock SET held = 11",
        "UPDATE stock SET on_hand = on_hand - 11", "UPDATE cart_lines SET quantity = 0",
        "UPDATE cart_lines SET quantity = 1000",
    ])
    func `The database refuses what no rule may do`(sql: String) async throws {
        try await TestShop.open([.stocked("cap", stock: 10)]) { shop in
            try await shop.guest().add("cap").good()
            await #expect(throws: (any Error).self) { try await shop.database { try $0.script(sql) } }
            #expect(try await shop.available("cap") == 10)
        }
    }

    @Test func `Each movement of stock is refused where it would go too far`() async throws {
        try await TestShop.open([.stocked("cap", stock: 3)]) { shop in
            let store = shop.store
            let refused = try await store.write { repositories in
                try [2, 2, 1, 1].map { try repositories.stock.hold(.one("cap", $0)).isEmpty }
            }
            #expect(refused == [false, true, false, true])
            for step in [
                { try $0.stock.sell(.one("cap", 4)) }, { try $0.stock.release(.one("cap", 4)) },
                { try $0.stock.sell(.one("nobody", 1)) }, { try $0.stock.putBack(.one("nobody", 1)) },
            ] as [@Sendable (any Repositories) throws -> Void] {
                await #expect(throws: (any Error).self) { try await store.write { try step($0) } }
            }
            try await store.write { try $0.stock.sell(.one("cap", 2)) }
            try await store.write { try $0.stock.release(.one("cap", 1)) }
            #expect(try await shop.available("cap") == 1)
        }
    }
}

extension [StockUnits] {
    static func one(_ sku: String, _ quantity: Int) -> [StockUnits] { [StockUnits(sku: sku, quantity: quantity)] }
}
