import PouchContract
import PouchDomain
import PouchEntities
import PouchServer
import Testing

/// The first number of a shop is 10001, and servers reserve numbers in blocks of 32.
@Suite("Order numbers", .timeLimit(.minutes(1)))
struct OrderNumberTests {
    private func buy(at shop: TestShop) async throws -> String { try await shop.guest().buyNow().good().number }

    @Test func `A server that starts again continues with the next number`() async throws {
        try await TestShop.open { shop in
            for expected in ["P-10001", "P-10002", "P-10003"] {
                try await shop.another { server in #expect(try await buy(at: server) == expected) }
            }
        }
    }

    @Test func `A refused checkout leaves no gap, also across a restart`() async throws {
        try await TestShop.open { shop in
            try await shop.another { server in
                try await server.guest().buyNow(total: 1).problem(.priceChanged)
                #expect(try await buy(at: server) == "P-10001")
                try await server.guest().buyNow(total: 1).problem(.priceChanged)
            }
            #expect(try await buy(at: shop) == "P-10002")
        }
    }

    /// Giving a block back under a later one would let a third server reserve the numbers of the later one again.
    @Test func `Numbers are not given back once another server has reserved later ones`() async throws {
        try await TestShop.open { shop in
            try await shop.another { server in
                #expect(try await buy(at: server) == "P-10001")
                #expect(try await buy(at: shop) == "P-10033")
                #expect(try await buy(at: server) == "P-10002")
            }
            #expect(try await buy(at: shop) == "P-10034")
            try await shop.another { server in #expect(try await buy(at: server) == "P-10065") }
            try await shop.another { server in #expect(try await buy(at: server) == "P-10066") }
            #expect(try await buy(at: shop) == "P-10035")
        }
    }

    @Test func `The numbers of a server that ended without a stop are skipped`() async throws {
        try await TestShop.open { shop in
            // A server that is killed after it has reserved a block.
            let first = try await shop.store.write { try $0.orders.reserveNumbers(32) }
            #expect(first == 10_001)
            #expect(try await buy(at: shop) == "P-10033")
        }
    }
}
