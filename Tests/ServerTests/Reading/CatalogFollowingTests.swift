import Foundation
import PouchContract
import PouchDomain
import PouchEntities
import PouchImport
import PouchWire
import Testing

@Suite("The catalogue follows what other servers change")
struct CatalogFollowingTests {
    @Test func `An import by another server is seen within a second`() async throws {
        try await TestShop.open { shop in
            try await shop.another { other in
                _ = try await shop.anyone.call(Contract.products).good()
                try await other.stock([.stocked("hat")])
                shop.clock.advance(by: 0.999)
                #expect(try await shop.anyone.call(Contract.products).good().items.count == 4)
                #expect(try await shop.anyone.call(Contract.product, path: ["handle": "hat"]).status == 200)
            }
        }
    }

    @Test func `Somebody who keeps asking sees it within a second too`() async throws {
        try await TestShop.open { shop in
            try await shop.another { other in
                _ = try await shop.anyone.call(Contract.products).good()
                try await other.stock([.stocked("hat")])
                for _ in 0..<9 {
                    shop.clock.advance(by: 0.1)
                    _ = try await shop.anyone.call(Contract.products).good()
                }
                try await eventually { try await shop.anyone.call(Contract.products).good().items.count == 4 }
            }
        }
    }

    @Test func `A sale shows in catalogue answers within 5 s, and in availability at once`() async throws {
        try await TestShop.open { shop in
            func listed() async throws -> Int? {
                try await shop.anyone.call(Contract.product, path: ["handle": "cap"]).good().variants.first?.available
            }
            #expect(try await listed() == 10)
            _ = try await shop.guest().buyNow().good()
            let exact = try await shop.anyone.call(Contract.availability, query: "sku=cap").good()
            #expect(exact.items.map(\.available) == [9])
            shop.clock.advance(by: 5)
            #expect(try await listed() == 9)
            #expect(
                try await shop.anyone.call(Contract.products, query: "q=cap").good().items.first?.variants.first?
                    .available == 9)
        }
    }

    @Test func `A sale of the last unit takes the product out of what is in stock`() async throws {
        try await TestShop.open([.stocked("cap", stock: 1), .stocked("hat", stock: 1)]) { shop in
            let query = "inStock=true&sort=name"
            #expect(
                try await shop.anyone.call(Contract.products, query: query).good().items.map(\.handle) == [
                    "cap", "hat",
                ])
            try await shop.another { other in
                let guest = try await other.guest()
                let order = try await guest.buyNow().good()
                shop.clock.advance(by: 5)
                #expect(
                    try await shop.anyone.call(Contract.products, query: query).good().items.map(\.handle) == ["hat"])
                try await guest.call(Contract.cancelOrder, path: ["id": order.id]).good()
                shop.clock.advance(by: 5)
                #expect(try await shop.anyone.call(Contract.products, query: query).good().items.count == 2)
            }
        }
    }

    @Test func `A cursor stays good over a sale`() async throws {
        try await TestShop.open((1...6).map { .stocked("thing-\($0)") }) { shop in
            let first = try await shop.anyone.call(Contract.products, query: "q=thing&limit=3").good()
            _ = try await shop.guest().buyNow("thing-1").good()
            shop.clock.advance(by: 5)
            let cursor = try #require(first.nextCursor)
            let rest = try await shop.anyone.call(Contract.products, query: "q=thing&limit=3&cursor=\(cursor)").good()
            #expect(Set((first.items + rest.items).map(\.handle)).count == 6)
        }
    }

    @Test(.timeLimit(.minutes(1)))
    func `Readers at once while an import is published see the catalogue before it or after it`() async throws {
        let before: [FeedProduct] = (0..<60).map { .stocked("thing-\($0)", price: 1000) }
        let after: [FeedProduct] = (0..<60).map { .stocked("thing-\($0)", price: 2000) }
        try await TestShop.open(before) { shop in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<4 {
                    group.addTask {
                        for _ in 0..<60 {
                            shop.clock.advance(by: 0.2)
                            let page = try await shop.anyone.call(Contract.products, query: "limit=200").good()
                            #expect(Set(page.items.map(\.price)).count == 1)
                            #expect(page.items.count == 60)
                        }
                    }
                }
                group.addTask { try await shop.stock(after) }
                try await group.waitForAll()
            }
            shop.clock.advance(by: 1)
            #expect(try await shop.anyone.call(Contract.products).good().items.first?.price == Money(2000, .eur))
        }
    }
}
