import PouchContract
import PouchEntities
import PouchWire
import Testing

@Suite("Paths and queries that are no good")
struct BadPathTests {
    @Test(arguments: [
        "limit=0", "limit=201", "limit=abc", "limit=", "limit=-1", "limit=1&limit=2", "limit=1.5", "unknown=1",
        "minPrice=-1", "minPrice=cheap", "maxPrice=9223372036854775808", "inStock=maybe", "inStock=1", "sort=random",
        "sort=relevance", "facets=yes", "season=%ZZ", "q=%C3%28", "q=%FF", "season=a%00b", "q=%00", "limit=%31%30x",
        "season=a&season=b", "%00=1", "sort=name&sort=name",
    ])
    func `A query that cannot be read is told with its parameter`(query: String) async throws {
        try await TestShop.open { shop in
            try await shop.anyone.call(Contract.products, query: query).problem(.invalidQuery)
        }
    }

    @Test(arguments: ["seasons", "themes", "categories", "promotions"])
    func `Every list refuses what it does not know`(list: String) async throws {
        try await TestShop.open { shop in
            for query in ["limit=0", "color=red", "cursor=a&cursor=b"] {
                try await shop.anyone.send("GET", "/v1/\(list)?\(query)").problem(.invalidQuery)
            }
        }
    }

    @Test(arguments: [
        "/v1/products/%00", "/v1/products/cap%00", "/v1/products/%C3%28", "/v1/products/%ZZ", "/v1/products/%",
        "/v1/products/%FF%FE", "/v1/products/..%2F..%2Fetc%2Fpasswd", "/v1/products/%2E%2E",
        "/v1/products/'%20OR%201=1",
        "/v1/products/cap;DROP%20TABLE%20products",
    ])
    func `A strange handle names no product`(path: String) async throws {
        try await TestShop.open { shop in
            let answer = try await shop.anyone.send("GET", path)
            #expect([400, 404].contains(answer.status), "\(answer.text)")
            answer.expectNoLeak()
        }
    }

    @Test(arguments: ["%00", "cap%00", "%C3%28", "%", "..%2F", "'"])
    func `A strange SKU names no line`(sku: String) async throws {
        try await TestShop.open { shop in
            let guest = try await shop.guest()
            let answer = try await guest.send("PUT", "/v1/cart/lines/\(sku)", #"{"quantity": 1}"#)
            #expect([400, 404].contains(answer.status), "\(answer.text)")
            answer.expectNoLeak()
            #expect(try await guest.cart().lines == [])
        }
    }

    @Test func `SKUs and handles are percent-decoded after the path was split`() async throws {
        let sku = "a b/c%é+~"
        try await TestShop.open([.stocked("cap", sku: sku, stock: 3)]) { shop in
            let guest = try await shop.guest()
            #expect(try await guest.set(sku, to: 2).good().lines.map(\.quantity) == [2])
            #expect(
                try await guest.send("PUT", "/v1/cart/lines/a%20b%2Fc%25%C3%A9%2B~", #"{"quantity": 3}"#).status == 200)
            #expect(try await guest.cart().lines.map(\.quantity) == [3])
            #expect(try await guest.call(Contract.product, path: ["handle": "%63ap"]).status == 404)
            #expect(try await guest.send("GET", "/v1/products/%63ap").status == 200)
            #expect(try await guest.call(Contract.removeCartLine, path: ["sku": sku]).good().lines == [])
        }
    }

    @Test(arguments: ["latitude=91&longitude=0", "latitude=x", "longitude=-181", "country=a&country=b", "planet=3"])
    func `Shipping methods refuse places that are not there`(query: String) async throws {
        try await TestShop.open { shop in
            try await shop.guest().call(Contract.shippingMethods, query: query).problem(.invalidQuery)
        }
    }
}
