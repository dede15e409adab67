import Foundation
import PouchContract
import PouchEntities
import PouchJSON
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

    @Test func `The rest of a path keeps its slashes, and a parameter without a value is an empty segment`() {
        #expect(PathTemplate("/assets/{path...}").path(["path": "a b/c?d"]) == "/assets/a%20b/c%3Fd")
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
            #expect(try ProductQuery(#require(QueryString(parsing: query.queryString.encoded))) == query)
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
        #expect(try ProductQuery(#require(QueryString(parsing: "q=+++"))) == ProductQuery())
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

@Suite("Cursors")
struct CursorCodecTests {
    /// FNV-1a over key and payload replaces the server's HMAC; it changes with every byte.
    private static func codec(key: UInt64) -> CursorCodec {
        CursorCodec { payload in
            let hash = payload.reduce(0xcbf2_9ce4_8422_2325 ^ key) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
            return withUnsafeBytes(of: hash) { Data($0) }
        }
    }

    private let codec = codec(key: 1)

    @Test func `Payloads of any length survive a round trip`() {
        var random = SplitMix64(seed: 1)
        for length in 0..<70 {
            let payload = Data((0..<length).map { _ in UInt8.random(in: 0...255, using: &random) })
            let cursor = codec.encode(payload)
            #expect(codec.decode(cursor) == payload)
            #expect(cursor.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_.".contains($0)) })
        }
    }

    @Test func `A cursor with any changed character is refused`() {
        let cursor = Array(codec.encode(Data(#"{"id":"prd_0123"}"#.utf8)))
        for place in cursor.indices {
            for character in "Aa0-_.é=" where character != cursor[place] {
                var changed = cursor
                changed[place] = character
                #expect(codec.decode(String(changed)) == nil, "\(place) \(character)")
            }
            var shorter = cursor
            shorter.remove(at: place)
            #expect(codec.decode(String(shorter)) == nil, "\(place)")
        }
    }

    @Test func `Unused bits of the last characters must be zero`() {
        let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
        for length in 0..<3 {
            let cursor = codec.encode(Data(repeating: 7, count: length))
            let halves = cursor.split(separator: ".", omittingEmptySubsequences: false)
            for character in alphabet {
                let payload = halves[0].dropLast() + String(character) + "." + halves[1]
                let code = halves[0] + "." + halves[1].dropLast() + String(character)
                for changed in [String(payload), String(code)] where changed != cursor {
                    #expect(codec.decode(changed) == nil, "\(changed)")
                }
            }
        }
    }

    @Test(arguments: ["A", ".", ".AAAA", "=", " ", "\n"])
    func `A cursor with added text is refused`(text: String) {
        let cursor = codec.encode(Data("payload".utf8))
        #expect(codec.decode(cursor + text) == nil && codec.decode(text + cursor) == nil)
    }

    @Test func `A cursor of another key is refused`() {
        #expect(Self.codec(key: 2).decode(codec.encode(Data("payload".utf8))) == nil)
    }

    @Test(arguments: ["", ".", "..", "a", "a.b", "é.é", "%00.%00"])
    func `Text that is not a cursor is refused`(text: String) {
        #expect(codec.decode(text) == nil)
    }

    @Test func `The constant-time comparison is equality`() {
        #expect(Data([1, 2]).equalsInConstantTime(Data([1, 2])))
        #expect(!Data([1, 2]).equalsInConstantTime(Data([1, 3])))
        #expect(!Data([1, 2]).equalsInConstantTime(Data([1])))
        #expect(!Data().equalsInConstantTime(Data([0])))
        // A slice does not start at index 0.
        #expect(Data([9, 1, 2]).dropFirst().equalsInConstantTime(Data([1, 2])))
    }
}

/// Bytes written as text, compared with the vectors of RFC 4648 §10 and with Foundation.
@Suite("Bytes as text")
struct ByteAlphabetTests {
    @Test(arguments: [
        ("", "", "", ""), ("f", "66", "cr", "Zg"), ("fo", "666f", "csqg", "Zm8"), ("foo", "666f6f", "csqpy", "Zm9v"),
        ("foob", "666f6f62", "csqpyrg", "Zm9vYg"), ("fooba", "666f6f6261", "csqpyrk1", "Zm9vYmE"),
        ("foobar", "666f6f626172", "csqpyrk1e8", "Zm9vYmFy"),
    ])
    func `The texts are those of RFC 4648 without padding`(
        bytes: String, base16: String, base32: String, base64URL: String
    ) {
        #expect(ByteAlphabet.base16.text(bytes.utf8) == base16)
        // The vectors in Crockford's alphabet.
        #expect(ByteAlphabet.base32.text(bytes.utf8) == base32)
        #expect(ByteAlphabet.base64URL.text(bytes.utf8) == base64URL)
    }

    @Test func `Random bytes have the base64 of Foundation, and are read back in every alphabet`() {
        var random = SplitMix64(seed: 3)
        for length in 0..<200 {
            let bytes = Data((0..<length).map { _ in UInt8.random(in: 0...255, using: &random) })
            #expect(
                bytes.base64URL
                    == bytes.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
                    .replacing("=", with: ""))
            for alphabet in [ByteAlphabet.base16, .base32, .base64URL] {
                #expect(alphabet.bytes(alphabet.text(bytes).utf8) == Array(bytes))
            }
        }
    }

    @Test func `Every text of up to three characters is refused, or is the one spelling of its bytes`() {
        let characters = Array("0AaFfgzZ_-+/= é".utf8)
        let texts = characters.flatMap { first in
            [[first]] + characters.flatMap { second in [[first, second]] + characters.map { [first, second, $0] } }
        }
        for alphabet in [ByteAlphabet.base16, .base32, .base64URL] {
            let (read, refused) = texts.reduce(into: (0, 0)) { counts, text in
                guard let bytes = alphabet.bytes(text) else { return counts.1 += 1 }
                counts.0 += 1
                #expect(Array(alphabet.text(bytes).utf8) == text)
            }
            #expect(read > 0 && refused > 0)
        }
    }
}
