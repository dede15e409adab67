import Foundation
import PouchContract
import PouchEntities
import PouchWire
import SeededRandom
import Testing

@Suite("Path templates")
struct PathTemplateTests {
    @Test func `A value stays within its segment and survives percent-decoding`() {
        let template = PathTemplate("/v1/cart/lines/{sku}/x")
        var random = SplitMix64(seed: 1)
        for _ in 0..<500 {
            let value = RandomText.make(using: &random, length: 1...12)
            let pieces = template.path(["sku": value]).split(separator: "/", omittingEmptySubsequences: false)
            #expect(pieces.count == 6)
            #expect(pieces[4].removingPercentEncoding == value)
            #expect(pieces[5] == "x")
        }
    }

    @Test func `Templates are parsed into segments`() {
        #expect(PathTemplate("/v1/{id}/x").segments == [.literal("v1"), .parameter("id"), .literal("x")])
        #expect(PathTemplate("/assets/{path...}").segments == [.literal("assets"), .rest("path")])
    }

    @Test func `The rest of a path keeps its slashes; other characters are encoded`() {
        let template = PathTemplate("/assets/{path...}")
        #expect(template.path(["path": "a b/c?d"]) == "/assets/a%20b/c%3Fd")
    }

    @Test func `A parameter without a value is an empty segment`() {
        #expect(PathTemplate("/v1/orders/{id}").path() == "/v1/orders/")
    }
}

@Suite("Query strings")
struct QueryStringTests {
    @Test func `Items survive a round trip in the same order`() {
        var random = SplitMix64(seed: 1)
        for _ in 0..<500 {
            let items = (0..<Int.random(in: 0...5, using: &random)).map { _ in
                QueryString.Item(
                    name: RandomText.make(using: &random, length: 1...8), value: RandomText.make(using: &random))
            }
            let query = QueryString(items)
            #expect(QueryString(parsing: query.encoded) == query)
            #expect(query.encoded.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"\"#<>\\^`{|}[]".utf8.contains($0) })
        }
    }

    @Test func `A plus sign is a space, and a name without a value has an empty value`() {
        let query = QueryString(parsing: "q=red+socks&flag&a=b=c&&x=%2B")
        #expect(query?.items.map(\.name) == ["q", "flag", "a", "x"])
        #expect(query?.items.map(\.value) == ["red socks", "", "b=c", "+"])
    }

    @Test(arguments: ["a=%", "a=%2", "a=%zz", "%=a", "a=%ff", "a=%C0%AF", "a=%ED%A0%80", "a=%00", "%00=a"])
    func `Broken percent escapes are refused`(text: String) {
        #expect(QueryString(parsing: text) == nil)
    }

    @Test func `nil is omitted, an empty value is not`() {
        var query = QueryString()
        query.append("a", nil)
        query.append("b", "")
        #expect(query.encoded == "b=")
        #expect(QueryString().encoded.isEmpty)
    }
}

@Suite("Product queries on the wire")
struct ProductQueryStringTests {
    @Test func `Queries survive a round trip`() throws {
        var random = SplitMix64(seed: 1)
        func text() -> String? { Bool.random(using: &random) ? "x" + RandomText.make(using: &random) + "y" : nil }
        func price() -> Money? {
            Bool.random(using: &random) ? Money(Int64.random(in: 0 ... .max, using: &random), .eur) : nil
        }
        for _ in 0..<500 {
            var query = ProductQuery(
                season: text(), theme: text(), category: text(), tag: text(), minPrice: price(), maxPrice: price(),
                inStock: [nil, true, false].randomElement(using: &random) ?? nil, search: text(),
                sort: ([nil] + ProductSort.allCases).randomElement(using: &random) ?? nil,
                facets: Bool.random(using: &random),
                limit: Bool.random(using: &random) ? Int.random(in: 1...200, using: &random) : nil, cursor: text())
            for _ in 0..<Int.random(in: 0...3, using: &random) {
                query.options[text() ?? "Size"] = ["S", text() ?? "M", "L"]
            }
            if query.search == nil, query.sort == .relevance { query.sort = nil }
            let parsed = try #require(QueryString(parsing: query.queryString.encoded))
            #expect(try ProductQuery(parsed) == query)
        }
    }

    @Test func `The default query is empty, and options are in the order of their names`() {
        #expect(ProductQuery().queryString.encoded.isEmpty)
        let query = ProductQuery(options: ["Size": ["M", "S"], "Colour": ["Navy"]], search: "red socks", facets: true)
        #expect(query.queryString.encoded == "option.Colour=Navy&option.Size=M&option.Size=S&q=red%20socks&facets=true")
    }

    @Test(arguments: [
        ("limit=0", "limit"), ("limit=201", "limit"), ("limit=x", "limit"), ("limit=", "limit"),
        ("minPrice=-1", "minPrice"), ("maxPrice=1.5", "maxPrice"), ("maxPrice=9223372036854775808", "maxPrice"),
        ("minPrice=1", "currency"), ("maxPrice=1&currency=eur", "currency"), ("currency=QQQ", "currency"),
        ("minPrice=1&maxPrice=2&currency=EUR&currency=USD", "currency"), ("inStock=yes", "inStock"),
        ("facets=1", "facets"), ("sort=cheapest", "sort"), ("sort=relevance", "sort"), ("sort=relevance&q=%20", "sort"),
        ("q=a&q=b", "q"), ("colour=navy", "colour"), ("option.=x", "option."), ("Limit=1", "Limit"),
    ])
    func `Invalid parameters are refused by name`(text: String, name: String) throws {
        let query = try #require(QueryString(parsing: text))
        let problem = #expect(throws: QueryProblem.self) { try ProductQuery(query) }
        #expect(problem?.name == name)
    }

    @Test func `Prices are in the shop's currency, and no other is accepted`() throws {
        let plain = try #require(QueryString(parsing: "minPrice=100"))
        #expect(try ProductQuery(plain, currency: .eur).minPrice == Money(100, .eur))
        let dollars = try #require(QueryString(parsing: "maxPrice=100&currency=USD"))
        let problem = #expect(throws: QueryProblem.self) { try ProductQuery(dollars, currency: .eur) }
        #expect(problem?.detail == "The shop's currency is EUR.")
        let usd = try #require(Currency(code: "USD"))
        let mixed = ProductQuery(minPrice: Money(1, .eur), maxPrice: Money(2, usd)).queryString
        #expect(throws: QueryProblem.self) { try ProductQuery(mixed, currency: .eur) }
    }

    @Test func `A blank search text counts as absent`() throws {
        let query = try #require(QueryString(parsing: "q=+++"))
        #expect(try ProductQuery(query) == ProductQuery())
    }
}

/// Random text with characters that need encoding.
enum RandomText {
    static func make(using random: inout SplitMix64, length: ClosedRange<Int> = 0...12) -> String {
        let characters = Array("aZ09-._~ +&=%/?#;:@!$'()*,[]{}\"\\<>|^`äß語🦘\u{301}\n\t")
        return String(
            (0..<Int.random(in: length, using: &random)).map { _ in
                characters[Int.random(in: characters.indices, using: &random)]
            })
    }
}
