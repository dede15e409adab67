import Benchmarking
import FoundationJSON
import PouchContract
import PouchEntities
import PouchJSON

/// Measures reading and writing JSON next to `JSONEncoder` and `JSONDecoder` with the same bytes, in CPU time of one
/// thread.
@main
struct JSONBench {
    private static let rounds = 41

    static func main() throws {
        readNoArguments(of: "Measures reading and writing JSON next to Foundation's coders, in CPU time of one thread.")
        say("JSON, MB/s of CPU time; medians of \(rounds) rounds, in turn")
        sayRow("", 34, ["bytes", "Foundation", "Pouch", "ratio"], 12)
        try compare("50 products", ProductPage(items: Samples.products), CodableProductPage.self)
        try compare("50 orders", Page(items: Samples.orders), CodableOrderPage.self)
        try compare("a request of 3 lines", Samples.purchase, CodablePurchase.self, rules: .request)
    }

    private static func compare<Model: JSONCodable & Equatable, Twin: Codable>(
        _ name: String, _ model: Model, _ twin: Twin.Type, rules: JSONRules = .answer
    ) throws {
        let bytes = try model.json()
        let twin = try FoundationCoder.decode(Twin.self, from: bytes)
        guard try FoundationCoder.encode(twin) == bytes, try Model(json: bytes, rules) == model else {
            throw BenchError("\(name): the coders do not agree")
        }
        try measure(
            "\(name), written", bytes.count, { _ = try FoundationCoder.encode(twin) }, by: { _ = try model.json() })
        try measure(
            "\(name), read", bytes.count, { _ = try FoundationCoder.decode(Twin.self, from: bytes) },
            by: { _ = try Model(json: bytes, rules) })
    }

    private static func measure(
        _ name: String, _ bytes: Int, _ foundation: () throws -> Void, by own: () throws -> Void
    ) throws {
        // About 2 MB for Foundation, and 20 for what is to be 10 times as fast.
        let repetitions = max(1, 2_000_000 / bytes)
        var (slow, fast) = ([Double](), [Double]())
        for _ in 0..<rounds {
            slow.append(try rate(bytes, repetitions, foundation))
            fast.append(try rate(bytes, repetitions * 10, own))
        }
        let ratio = zip(fast, slow).map { $0 / $1 }.median
        sayRow(name, 34, ["\(bytes)", slow.median.text(1), fast.median.text(0), ratio.text(1)], 12)
    }

    private static func rate(_ bytes: Int, _ repetitions: Int, _ work: () throws -> Void) rethrows -> Double {
        let start = Processors.ownSeconds
        for _ in 0..<repetitions { try work() }
        return Double(bytes * repetitions) / (Processors.ownSeconds - start) / 1e6
    }
}

/// Entities as a clothing shop has them.
enum Samples {
    private static let moment = Date(timeIntervalSince1970: 1_798_859_045.205)
    private static let sizes = ["XS", "S", "M", "L", "XL", "XXL"]

    /// 50 products with 9 variants on average.
    static let products: [Product] = (0..<50).map { number in
        let colours = number % 2 == 0 ? ["Navy", "Écru"] : ["Navy"]
        let variants = colours.flatMap { colour in
            sizes.map { size in
                Variant(
                    sku: "71\(100 + number)-\(colour.count)-\(size.lowercased())",
                    options: ["Colour": colour, "Size": size], price: money(12_900 + Int64(number)),
                    compareAtPrice: number % 5 == 0 ? money(15_900) : nil, available: number * 7 % 12, weightGrams: 420)
            }
        }
        let images = (0..<3).map {
            ProductImage(url: "/assets/products/71\(100 + number)-\($0).jpg", alt: "A ribbed cardigan, view \($0)")
        }
        return Product(
            id: "prd_01jz6b1w8f\(1000 + number)", handle: "samphire-cardigan-\(number)",
            styleCode: "71\(100 + number)", name: "Samphire Cardigan No. \(number)",
            description: "A ribbed cardigan of Scottish lambswool, knitted in one piece.\nWarm and light.",
            seasonId: "71", themeId: "711", category: "cardigans", tags: ["wool", "knit", "winter"],
            price: money(12_900 + Int64(number)), materials: ["80% lambswool", "20% nylon"],
            careInstructions: "Wash by hand at 30 °C.",
            options: [ProductOption(name: "Colour", values: colours), ProductOption(name: "Size", values: sizes)],
            images: images, updatedAt: moment.addingTimeInterval(Double(number)), variants: variants)
    }

    static let orders: [Order] = (0..<50).map { number in
        let lines = (0..<3).map { line in
            OrderLine(
                sku: "71\(100 + line)-4-m", name: "Samphire Cardigan No. \(line)",
                options: ["Colour": "Navy", "Size": "M"], quantity: line + 1, unitPrice: money(12_900),
                lineTotal: money(12_900 * Int64(line + 1)), discount: money(0), tax: money(2_150), refundedQuantity: 0)
        }
        return Order(
            id: "ord_01jz6b1w8f\(1000 + number)", number: "P-\(10_000 + number)", status: .paid, lines: lines,
            totals: Totals(
                items: money(77_400), discount: money(0), shipping: money(495), tax: money(12_900),
                total: money(77_895)),
            payment: Payment(
                id: "pay_01jz6b1w8f\(number)", status: .captured, amount: money(77_895), refunded: money(0)),
            shipping: Shipping(methodId: "standard", address: address, price: money(495)),
            email: "ann@example.com", createdAt: moment,
            history: [Order.Event(status: .pending, at: moment), Order.Event(status: .paid, at: moment)])
    }

    static let purchase = BuyNowRequest(
        lines: (0..<3).map { LineRequest(sku: "71\(100 + $0)-4-m", quantity: $0 + 1) },
        address: AddressInput(address), methodId: "standard", discount: "AUTUMN10",
        paymentMethod: .card(token: "tok_ok"), expectedTotal: money(77_895), email: "ann@example.com")

    private static let address = Address(
        name: "Ann Example", line1: "1 High Street", city: "Sydney", region: "NSW", postalCode: "2000",
        country: "AU", phone: "+61 400 000 000", location: GeoPoint(latitude: -33.87, longitude: 151.21))

    private static func money(_ amount: Int64) -> Money { Money(amount, .eur) }
}
