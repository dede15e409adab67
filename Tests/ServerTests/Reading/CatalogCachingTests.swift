import PouchContract
import PouchEntities
import PouchWire
import Testing

@Suite("ETags of the catalogue")
struct CatalogCachingTests {
    private static let paths = [
        "/v1/products", "/v1/products?limit=1&sort=name", "/v1/products/cap", "/v1/seasons", "/v1/themes",
        "/v1/categories",
        "/v1/promotions",
    ]

    @Test(arguments: paths)
    func `An answer has a strong ETag that stays, and with it comes 304`(path: String) async throws {
        try await TestShop.open { shop in
            let first = try await shop.anyone.send("GET", path)
            let etag = try #require(first.etag)
            #expect(etag.hasPrefix("\"") && etag.hasSuffix("\"") && etag.count > 10)
            #expect(first.header("Cache-Control")?.hasPrefix("public, max-age=") == true)
            #expect(first.header("Cache-Control")?.contains("stale-while-revalidate=") == true)
            shop.clock.advance(by: 600)
            let second = try await shop.anyone.send("GET", path)
            #expect(second.etag == etag && second.body == first.body)
            for known in [etag, "W/" + etag, "\"other\", \(etag)", "\"other\" ,W/\(etag),\"more\"", "*"] {
                let answer = try await shop.anyone.send("GET", path, headers: [HeaderName.ifNoneMatch: known])
                #expect(answer.status == 304 && answer.body.isEmpty && answer.etag == etag, "\(known)")
                #expect(answer.header("Cache-Control") == first.header("Cache-Control"))
                #expect(answer.header(HeaderName.requestId)?.isEmpty == false)
            }
            for other in ["\"other\"", String(etag.dropLast()), "", "W/\"other\"", etag.replacing("\"", with: "")] {
                #expect(try await shop.anyone.send("GET", path, headers: [HeaderName.ifNoneMatch: other]).status == 200)
            }
        }
    }

    @Test(arguments: paths)
    func `Two servers on one database give the same ETag and the same bytes`(path: String) async throws {
        try await TestShop.open { shop in
            try await shop.another { other in
                let (one, two) = (try await shop.anyone.send("GET", path), try await other.anyone.send("GET", path))
                #expect(one.etag == two.etag && one.body == two.body)
            }
        }
    }

    @Test func `Other queries have other ETags`() async throws {
        try await TestShop.open { shop in
            var etags: Set<String?> = []
            for query in ["limit=1", "limit=2", "sort=name&limit=1&inStock=false", "q=scarf", "facets=true"] {
                etags.insert(try await shop.anyone.call(Contract.products, query: query).etag)
            }
            #expect(etags.count == 5)
        }
    }

    @Test func `An import changes the ETags of what it changes`() async throws {
        try await TestShop.open { shop in
            let (products, seasons) = (
                try await shop.anyone.send("GET", "/v1/products"), try await shop.anyone.send("GET", "/v1/seasons")
            )
            try await shop.stock([.stocked("cap", price: 1100, category: "Hats")])
            shop.clock.advance(by: 1)
            let known = [HeaderName.ifNoneMatch: try #require(products.etag)]
            let changed = try await shop.anyone.send("GET", "/v1/products", headers: known)
            #expect(changed.status == 200 && changed.etag != products.etag)
            #expect(try await shop.anyone.send("GET", "/v1/seasons").etag == seasons.etag)
        }
    }

    @Test func `An error is never answered with 304, nor kept`() async throws {
        try await TestShop.open { shop in
            let answer = try await shop.anyone.send("GET", "/v1/products/new", headers: [HeaderName.ifNoneMatch: "*"])
            try answer.problem(.notFound)
            #expect(answer.header("Cache-Control") == "no-store")
            try await shop.stock([.stocked("new")])
            shop.clock.advance(by: 1)
            #expect(try await shop.anyone.send("GET", "/v1/products/new").status == 200)
        }
    }

    @Test(.timeLimit(.minutes(1)))
    func `Thousands of different queries are answered, each with its own`() async throws {
        try await TestShop.open { shop in
            for index in 0..<2_500 {
                let answer = try await shop.anyone.call(Contract.products, query: "minPrice=\(index)&maxPrice=\(index)")
                #expect(answer.status == 200)
                if index == 1_000 { #expect(try answer.good().items.map(\.handle) == ["cap"]) }
            }
            #expect(
                try await shop.anyone.call(Contract.products, query: "minPrice=1000&maxPrice=1000").good().items.count
                    == 1)
        }
    }
}
