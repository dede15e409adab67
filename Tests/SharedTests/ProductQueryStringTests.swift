import PouchContract
import PouchEntities
import PouchWire
import SeededRandom
import Testing

@Suite("Product queries on the wire")
struct ProductQueryStringTests {
    @Test("What is written is read as the same query")
    func roundTrip() throws {
        var random = SplitMix64(seed: 1)
        func text() -> String? {
            Bool.random(using: &random) ? "x" + RandomText.make(using: &random) + "y" : nil
        }
        func number() -> Int64? {
            Bool.random(using: &random) ? Int64.random(in: 0 ... .max, using: &random) : nil
        }
        for _ in 0..<500 {
            var query = ProductQuery(
                season: text(), theme: text(), category: text(), tag: text(), minPrice: number(), maxPrice: number(),
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

    @Test("The plain query is empty, and options are in the order of their names")
    func written() {
        #expect(ProductQuery().queryString.encoded.isEmpty)
        let query = ProductQuery(options: ["Size": ["M", "S"], "Colour": ["Navy"]], search: "red socks", facets: true)
        #expect(
            query.queryString.encoded
                == "option.Colour=Navy&option.Size=M&option.Size=S&q=red%20socks&facets=true")
    }

    @Test(
        "What cannot be read is refused by name",
        arguments: [
            ("limit=0", "limit"), ("limit=201", "limit"), ("limit=x", "limit"), ("limit=", "limit"),
            ("minPrice=-1", "minPrice"), ("maxPrice=1.5", "maxPrice"), ("maxPrice=9223372036854775808", "maxPrice"),
            ("inStock=yes", "inStock"), ("facets=1", "facets"), ("sort=cheapest", "sort"), ("sort=relevance", "sort"),
            ("sort=relevance&q=%20", "sort"), ("q=a&q=b", "q"), ("colour=navy", "colour"),
            ("option.=x", "option."), ("Limit=1", "Limit"),
        ])
    func refused(text: String, name: String) throws {
        let query = try #require(QueryString(parsing: text))
        let problem = #expect(throws: QueryProblem.self) { try ProductQuery(query) }
        #expect(problem?.name == name)
    }

    @Test("A search text without words is none")
    func blankSearch() throws {
        let query = try #require(QueryString(parsing: "q=+++"))
        #expect(try ProductQuery(query) == ProductQuery())
    }
}
