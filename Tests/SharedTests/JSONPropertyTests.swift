import Foundation
import FoundationJSON
import PouchContract
import PouchEntities
import PouchJSON
import SeededRandom
import Testing

/// The JSON of the contract compared with Foundation's, over random values and broken texts.
@Suite("JSON compared with Foundation's")
struct JSONPropertyTests {
    @Test func `Any JSON has the bytes of JSONEncoder, and is read as the same value`() throws {
        var random = SplitMix64(seed: 1)
        for _ in 0..<3_000 {
            let value = JSON.object(["value": random.json(depth: 4)])
            let bytes = try value.json()
            #expect(try bytes == FoundationCoder.encode(value), "\(value)")
            #expect(try JSON(json: bytes) == value, "\(value)")
        }
    }

    @Test func `Products and orders have the bytes of JSONEncoder, and are read as the same value`() throws {
        var random = SplitMix64(seed: 2)
        for _ in 0..<300 {
            let page = ProductPage(items: [random.product(), random.product()], nextCursor: random.maybe { $0.text() })
            let bytes = try page.json()
            #expect(try ProductPage(json: bytes) == page)
            #expect(try FoundationCoder.encode(FoundationCoder.decode(CodableProductPage.self, from: bytes)) == bytes)
            let order = random.order()
            let written = try order.json()
            #expect(try Order(json: written) == order)
            #expect(try FoundationCoder.encode(FoundationCoder.decode(CodableOrder.self, from: written)) == written)
        }
    }

    @Test func `White space, the order of keys and escapes make no difference`() throws {
        var random = SplitMix64(seed: 3)
        for _ in 0..<300 {
            let order = random.order()
            #expect(try Order(json: random.spelling(of: JSON(json: order.json()))) == order)
        }
    }

    @Test(arguments: 0..<20)
    func `Numbers are read like Foundation's`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        for _ in 0..<500 {
            let number = Double(bitPattern: random.next())
            guard number.isFinite else { continue }
            let bytes = try [number].json()
            #expect(try [Double](json: bytes) == [number])
            #expect(try bytes == FoundationCoder.encode([number]))
        }
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity])
    func `A number that JSON cannot hold is an error`(number: Double) {
        #expect(throws: JSONWriter.NotFinite.self) { try GeoPoint(latitude: number, longitude: 0).json() }
    }

    @Test(arguments: WireShape.answers + WireShape.requests)
    func `A text that ends early is malformed, wherever it ends`(shape: WireShape) throws {
        let bytes = try shape.document.json()
        for end in 0..<bytes.count {
            #expect(throws: JSONError.malformed, "\(end)") { try shape.read(bytes.prefix(end)) }
        }
    }

    @Test(arguments: WireShape.answers)
    func `No text with a broken byte is accepted that Foundation refuses`(shape: WireShape) throws {
        var random = SplitMix64(seed: 4)
        let bytes = try shape.document.json()
        for _ in 0..<200 {
            var broken = bytes
            broken[Int.random(in: 0..<broken.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            guard (try? JSON(json: broken)) != nil else { continue }
            #expect(throws: Never.self, "\(String(decoding: broken, as: UTF8.self))") {
                try JSONSerialization.jsonObject(with: broken, options: .fragmentsAllowed)
            }
        }
    }

    /// Koober stores sessions and recordings of its actions with Foundation's coders. Models that it does not store
    /// have `JSONModel` alone.
    @Test func `Foundation's coders write and read the models that Koober stores, with the same fields`() throws {
        var random = SplitMix64(seed: 5)
        for _ in 0..<50 {
            let quote = FareQuote(
                id: random.text(), rideOptionID: random.text(), fare: random.money(), distanceMetres: 1_200,
                etaSeconds: 300, expiresAt: random.time())
            let encoded = try JSONEncoder().encode(quote)
            #expect(try JSON(json: encoded) == JSON(json: quote.json()))
            #expect(try JSONDecoder().decode(FareQuote.self, from: encoded) == quote)
            let list = try PropertyListEncoder().encode([quote])
            #expect(try PropertyListDecoder().decode([FareQuote].self, from: list) == [quote])
        }
    }

    @Test func `Stored times are numbers, and read in both forms`() throws {
        let event = Order.Event(status: .paid, at: Date(timeIntervalSinceReferenceDate: 1.25))
        #expect(try String(decoding: event.json(.stored), as: UTF8.self) == #"{"at":1.25,"status":"paid"}"#)
        #expect(try Order.Event(json: #"{"at":1.25,"status":"paid"}"#, .stored) == event)
        #expect(try Order.Event(json: event.json(), .stored) == event)
        #expect(throws: JSONError.self) { try Order.Event(json: #"{"at":1.25,"status":"paid"}"#) }
    }

    @Test func `A bad element of a list is skipped with its error`() throws {
        let rows = try [Row](json: #"[{"sku":"a","available":1},{"sku":[{"a":"]"}],"available":1},{"sku":"c"},7]"#)
        #expect(rows.map { try? $0.result.get() } == [StockShortfall(sku: "a", available: 1), nil, nil, nil])
        #expect(rows.map(\.fields) == [[], ["sku"], ["available"], [""]])
        #expect(throws: JSONError.malformed) { try [Row](json: #"[{"sku":"a",,},1]"#) }
    }

    private struct Row: JSONCodable {
        let result: Result<StockShortfall, JSONError>

        init(reading json: inout JSONReader) throws(JSONError) { result = try json.attempt(StockShortfall.self) }
        func write(to json: inout JSONWriter) { json.null() }
        static var jsonShape: JSONShape { .any }

        var fields: [String] {
            guard case .failure(.fields(let fields)) = result else { return [] }
            return fields.map(\.path)
        }
    }
}

// MARK: - Random values
extension SplitMix64 {
    fileprivate mutating func maybe<Value>(_ value: (inout SplitMix64) -> Value) -> Value? {
        chance(50) ? value(&self) : nil
    }

    fileprivate mutating func list<Value>(_ most: Int, _ value: (inout SplitMix64) -> Value) -> [Value] {
        (0..<Int.random(in: 0...most, using: &self)).map { _ in value(&self) }
    }

    /// Letters, signs that need escapes, and characters of two to four bytes.
    fileprivate mutating func text() -> String {
        let pieces = [
            "a", "Samphire", " ", "\"", "\\", "/", "\n", "\t", "\r", "\u{0}", "\u{1F}", "\u{7F}", "é", "Ω", "€", "😀",
            "e\u{301}", "\u{2028}", "12345678", "",
        ]
        return list(12) { pieces[Int.random(in: 0..<pieces.count, using: &$0)] }.joined()
    }

    fileprivate mutating func json(depth: Int) -> JSON {
        switch Int.random(in: 0..<(depth > 0 ? 7 : 5), using: &self) {
        case 0: return .null
        case 1: return .bool(chance(50))
        case 2: return .integer(Int64(truncatingIfNeeded: next()) >> Int64.random(in: 0...63, using: &self))
        case 3: return .number(Double.random(in: -1e9...1e9, using: &self) + 0.5)
        case 4: return .string(text())
        case 5: return .array(list(4) { $0.json(depth: depth - 1) })
        default:
            return .object(Dictionary(list(4) { ($0.text(), $0.json(depth: depth - 1)) }) { _, last in last })
        }
    }

    fileprivate mutating func money() -> Money {
        Money(Int64.random(in: -1_000_000...1_000_000_000_000, using: &self), .eur)
    }

    /// With milliseconds, in the years 1600 to 2400, among them the ends of months.
    fileprivate mutating func time() -> Date {
        Date(
            timeIntervalSince1970: Double(Int64.random(in: -11_676_096_000_000...13_569_465_600_000, using: &self))
                / 1000)
    }

    fileprivate mutating func options() -> [String: String] {
        Dictionary(list(3) { ($0.text(), $0.text()) }) { _, last in last }
    }

    fileprivate mutating func image() -> ProductImage { ProductImage(url: text(), alt: text()) }

    fileprivate mutating func product() -> Product {
        Product(
            id: text(), handle: text(), styleCode: maybe { $0.text() }, name: text(),
            description: maybe { $0.text() }, seasonId: maybe { $0.text() }, themeId: maybe { $0.text() },
            category: text(), tags: list(3) { $0.text() }, price: money(), compareAtPrice: maybe { $0.money() },
            materials: maybe { $0.list(2) { $0.text() } }, careInstructions: maybe { $0.text() },
            options: list(2) { ProductOption(name: $0.text(), values: $0.list(3) { $0.text() }) },
            images: list(3) { $0.image() }, promoImage: maybe { $0.image() }, updatedAt: time(),
            variants: list(4) {
                Variant(
                    sku: $0.text(), options: $0.options(), price: $0.money(), compareAtPrice: $0.maybe { $0.money() },
                    available: Int.random(in: -5...1_000_000, using: &$0), weightGrams: $0.maybe { _ in 420 })
            })
    }

    fileprivate mutating func order() -> Order {
        Order(
            id: text(), number: text(), status: .paid,
            lines: list(3) {
                OrderLine(
                    sku: $0.text(), name: $0.text(), options: $0.options(), quantity: 3, unitPrice: $0.money(),
                    lineTotal: $0.money(), discount: $0.money(), tax: $0.money(), refundedQuantity: 0)
            },
            totals: Totals(items: money(), discount: money(), shipping: money(), tax: money(), total: money()),
            payment: Payment(id: text(), status: .captured, amount: money(), refunded: money()),
            shipping: maybe { random in
                Shipping(
                    methodId: random.text(),
                    address: Address(
                        name: random.text(), line1: random.text(), city: random.text(), postalCode: "2000",
                        country: "AU",
                        location: random.maybe {
                            GeoPoint(
                                latitude: Double.random(in: -90...90, using: &$0),
                                longitude: Double.random(in: -180...180, using: &$0))
                        }),
                    price: random.money())
            },
            rideId: maybe { $0.text() }, email: maybe { $0.text() }, createdAt: time(),
            history: list(3) { Order.Event(status: .pending, at: $0.time()) })
    }

    /// The same JSON in another order of keys, with white space, and with escapes that are not needed.
    fileprivate mutating func spelling(of json: JSON) -> String {
        func space() -> String { ["", " ", "\n", "\t", "\r\n  "][Int.random(in: 0..<5, using: &self)] }
        let text =
            switch json {
            case .array(let elements):
                "[" + elements.map { spelling(of: $0) }.joined(separator: ",") + space() + "]"
            case .object(let members):
                "{"
                    + members.shuffled(using: &self).map {
                        space() + spelling(of: .string($0.key)) + ":" + spelling(of: $0.value)
                    }.joined(separator: ",") + space() + "}"
            case .string(let text):
                "\""
                    + text.utf16.map { unit in
                        let isPlain = (0x20..<0x7F).contains(unit) && unit != 0x22 && unit != 0x5C && chance(80)
                        return isPlain
                            ? String(UnicodeScalar(UInt8(unit)))
                            : String(format: chance(50) ? "\\u%04x" : "\\u%04X", Int(unit))
                    }.joined() + "\""
            case .null: "null"
            case .bool(let value): String(value)
            case .integer(let value): String(value)
            case .number(let value): String(value)
            }
        return space() + text + space()
    }
}
