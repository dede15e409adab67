import Foundation
import PouchContract
import PouchDomain
import PouchEntities
import PouchImport
import PouchStorage
import PouchWire
import Testing

@Suite("The catalogue by the clock")
struct CatalogClockTests {
    private func open(_ body: @escaping @Sendable (TestShop) async throws -> Void) async throws {
        try await TestShop.open([]) { shop in
            let now = shop.clock.now
            try await shop.feed([
                .season(Season(id: "71", name: "Past", endsAt: now.addingTimeInterval(100))),
                .season(Season(id: "72", name: "Coming", startsAt: now.addingTimeInterval(100))),
                .product(.stocked("old", season: "71")), .product(.stocked("new", season: "72")),
                .product(.stocked("always")),
            ])
            shop.clock.advance(by: 1)
            try await body(shop)
        }
    }

    private func listed(_ shop: TestShop) async throws -> [String] {
        try await shop.anyone.call(Contract.products, query: "sort=name").good().items.map(\.handle)
    }

    @Test func `A season's products come and go at its moment, and the ETag with them`() async throws {
        try await open { shop in
            #expect(try await listed(shop) == ["always", "old"])
            #expect(try await shop.anyone.call(Contract.seasons).good().items.map(\.id) == ["71"])
            try await shop.anyone.call(Contract.product, path: ["handle": "new"]).problem(.notFound)
            let guest = try await shop.guest()
            #expect(try await guest.buyNow("new", 1, total: 1490).status == 404)
            let before = try await shop.anyone.call(Contract.products)
            shop.clock.advance(by: 98.999)
            #expect(try await shop.anyone.call(Contract.products).etag == before.etag)
            shop.clock.advance(by: 0.001)
            let after = try await shop.anyone.call(
                Contract.products, headers: ["If-None-Match": #require(before.etag)])
            #expect(after.status == 200 && after.etag != before.etag)
            #expect(try await listed(shop) == ["always", "new"])
            #expect(try await shop.anyone.call(Contract.seasons).good().items.map(\.id) == ["72"])
            #expect(try await shop.anyone.call(Contract.product, path: ["handle": "old"]).status == 200)
            #expect(try await guest.buyNow("old", 1, total: 1490).status == 201)
            #expect(try await guest.buyNow("new", 1, total: 1490).status == 201)
        }
    }

    @Test func `A scheduled price is on from its beginning until its end`() async throws {
        try await TestShop.open { shop in
            let now = shop.clock.now
            try await shop.database { connection in
                for (id, price, from, to) in [("a", 800, 10.0, 40.0), ("b", 600, 20, 30)] {
                    try connection.run(
                        """
                        INSERT INTO scheduled_prices (id, sku, price, starts_at, ends_at, created_at)
                        VALUES (?, 'cap', ?, ?, ?, 0)
                        """,
                        [
                            .text(id), .integer(price), .time(now.addingTimeInterval(from)),
                            .time(now.addingTimeInterval(to)),
                        ])
                }
                try connection.run("UPDATE catalog_version SET version = version + 1", [])
            }
            shop.clock.advance(by: 1)
            var seen: [Int64] = []
            for _ in 0..<5 {
                let cap = try await shop.anyone.call(Contract.product, path: ["handle": "cap"]).good()
                let exact = try await shop.anyone.call(Contract.availability, query: "sku=cap").good().items[0]
                #expect(cap.price == exact.price)
                let own: Money? = cap.price.amount == 1000 ? nil : Money(1000, .eur)
                #expect(cap.compareAtPrice == own)
                seen.append(cap.price.amount)
                shop.clock.advance(by: 10)
            }
            #expect(seen == [1000, 800, 600, 800, 1000])
        }
    }

    @Test func `Many readers at a boundary all see what is new`() async throws {
        try await open { shop in
            _ = try await listed(shop)
            shop.clock.advance(by: 99)
            let found = try await parallel(30) { _ in try await listed(shop) }
            #expect(Set(found) == [["always", "new"]])
        }
    }
}
