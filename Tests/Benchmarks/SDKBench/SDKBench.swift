import Benchmarking
import Hummingbird
import NIOCore
import PouchEntities
import PouchJSON

/// Measures the SDK: limits of requests at once (alone with the argument `limits`), a call (alone with `calls`, or some of
/// its rows with `calls in memory`), the import of a catalogue (alone with `import`), and a thousand shoppers in one
/// process.
///
/// The program also runs as its own server (`serve`), and as one of the processes with shoppers (`shoppers`).
@main
struct SDKBench {
    static func main() async throws {
        let arguments = wordsOfProgram(
            ["limits": 0...0, "calls": 0...9, "import": 0...0, "serve": 0...0, "shoppers": 2...2],
            help: """
                usage: sdk-bench [limits | calls [ROW] | import]
                       sdk-bench serve | shoppers TRANSPORT URL   (the processes of a measurement)

                Measures the SDK: limits of requests at once, a call or some of its rows (`calls in memory`), the import of a
                catalogue, and a thousand shoppers in one process; without a word, all.
                """)
        switch arguments.first {
        case "serve": try await ConstantServer.serve()
        case "shoppers":
            guard let server = URL(string: arguments[2]) else { throw BenchError("\(arguments[2]) is no URL") }
            try await ThousandShoppers.run(arguments[1], at: server)
        case "limits": try await ConstantServer.running { try await RequestLimits(server: $0).show() }
        case "calls":
            let rows = arguments.dropFirst().joined(separator: " ")
            try await ConstantServer.running { try await CallOverhead(server: $0, rows: rows).show() }
        case "import": try await ConstantServer.running { try await CatalogImport(server: $0).show() }
        default:
            try await ConstantServer.running { server in
                try await RequestLimits(server: server).show()
                try await CallOverhead(server: server).show()
                try await CatalogImport(server: server).show()
            }
            try await ThousandShoppers(folder: Bundle.main.bundleURL).show()
        }
    }
}

/// A server of constant bytes: one product, a page of 50, and a catalogue in pages.
///
/// It runs in its own process, so that it shares only the machine with the measured code.
enum ConstantServer {
    static let products = 10_000
    static let pageSize = 200

    static func serve() async throws {
        let product = try json(SampleProducts.product(1))
        let page = try json(SampleProducts.page(0..<50))
        let catalogue = try stride(from: 0, to: products, by: pageSize).map { start in
            let next = start + pageSize
            return try json(
                SampleProducts.page(start..<next, nextCursor: next < products ? String(next / pageSize) : nil))
        }
        let router = Router()
        router.get("v1/products/:handle") { _, _ in answer(product) }
        router.get("v1/products") { request, _ in
            if request.uri.queryParameters["limit"] == "50" { return answer(page) }
            let cursor = request.uri.queryParameters["cursor"].flatMap { Int($0) } ?? 0
            return answer(catalogue[min(cursor, catalogue.count - 1)])
        }
        for line in Line.all { router.get(RouterPath(line.path)) { _, _ in try await line.response() } }
        for list in ["seasons", "themes", "categories", "promotions"] {
            router.get("v1/\(list)") { _, _ in answer(ByteBuffer(string: #"{"items":[]}"#)) }
        }
        let application = Application(
            router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { say("http://127.0.0.1:\($0.localAddress?.port ?? 0)") }, logger: .bench(.critical))
        try await application.runService()
    }

    /// Runs this program as the server while the closure runs.
    static func running(_ body: @escaping @Sendable (URL) async throws -> Void) async throws {
        try await ServerProcess.running(Program.own, ["serve"]) { try await body($0.url) }
    }

    private static func json(_ value: some JSONCodable) throws -> ByteBuffer { ByteBuffer(bytes: try value.json()) }

    private static func answer(_ bytes: ByteBuffer) -> Response {
        Response(
            status: .ok, headers: [.contentType: "application/json", .cacheControl: "no-store"],
            body: .init(byteBuffer: bytes))
    }
}

enum SampleProducts {
    private static let sizes = ["XS", "S", "M", "L", "XL", "XXL"]
    private static let colours = ["Navy", "Forest"]
    private static let kinds = ["Cardigan", "Jumper", "Skirt", "Scarf", "Coat", "Dress"]

    static func product(_ number: Int) -> Product {
        let kind = kinds[number % kinds.count]
        let handle = "\(kind.lowercased())-\(number)"
        let price = Money(Int64(4_900 + number % 80 * 100), .eur)
        return Product(
            id: "prd_\(number)", handle: handle, name: "\(kind) No. \(number)",
            description: "A \(kind.lowercased()) of soft wool in pattern \(number % 17), knitted in one piece.",
            category: kind.lowercased() + "s", tags: ["wool", "knit"], price: price,
            options: [ProductOption(name: "Colour", values: colours), ProductOption(name: "Size", values: sizes)],
            images: [ProductImage(url: "/assets/\(handle).jpg", alt: "\(kind) No. \(number)")],
            updatedAt: Date(timeIntervalSince1970: 1_780_000_000),
            variants: colours.flatMap { colour in
                sizes.map { size in
                    Variant(
                        sku: "\(number)-\(colour)-\(size)", options: ["Colour": colour, "Size": size], price: price,
                        available: number % 20, weightGrams: 380)
                }
            })
    }

    static func page(_ range: Range<Int>, nextCursor: String? = nil) -> ProductPage {
        ProductPage(items: range.map(product), nextCursor: nextCursor)
    }
}
