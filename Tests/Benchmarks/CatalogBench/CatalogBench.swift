import Benchmarking
import Foundation
import Hummingbird
import Logging
import NIOCore
import PouchDomain
import PouchEntities
import PouchImport
import PouchServer
import PouchStorage
import ServiceLifecycle
import Synchronization

/// Measures catalogue reads next to the same bytes from a constant, and to nginx, which sends them from files.
///
/// One application serves the shop, "hello" and the constant bytes behind the same middleware. A bare application shows
/// the share of the framework. The loads alternate, so that a slow moment of the machine affects all of them.
@main
struct CatalogBench {
    static let rounds = 5
    static let secondsPerRound = 3
    /// Pages of about 8 kB and 108 kB.
    static let (small, large) = ("/v1/products?limit=4", "/v1/products?limit=56")

    static func main() async throws {
        let words = wordsOfProgram(
            ["edits": 0...0, "fill": 1...1, "serve": 1...1],
            help: """
                usage: catalog-bench [edits]
                       catalog-bench fill|serve FOLDER   (the server of a measurement)

                Measures catalogue reads next to the same bytes from a constant, and to nginx; with `edits` only those of a
                catalogue that changes.
                """)
        if words.count == 2 {
            let folder = URL(fileURLWithPath: words[1])
            return try await words[0] == "fill" ? EditedCatalog.fill(in: folder) : EditedCatalog.serve(in: folder)
        }
        if words.isEmpty { try await withTemporaryFolder { try await run(in: $0) } }
        try await EditedCatalog.run()
    }

    private static func run(in folder: URL) async throws {
        var logger = Logger(label: "bench")
        logger.logLevel = .warning
        let certificate = try BenchCertificate(in: folder)
        let (shopPorts, shopPort) = AsyncStream.makeStream(of: Int.self)
        let (encryptedPorts, encryptedPort) = AsyncStream.makeStream(of: Int.self)
        let (barePorts, barePort) = AsyncStream.makeStream(of: Int.self)
        var configuration = ServerConfiguration(
            database: DatabaseAddress(path: folder.appending(path: "shop.sqlite").path))
        configuration.port = 0
        configuration.onListening = { shopPort.yield($0) }
        let catalogue = folder.appending(path: "catalogue.csv")
        try SampleCatalogue.csv(products: 500, variants: 12).write(to: catalogue, atomically: true, encoding: .utf8)
        let (database, store, environment) = try await configuration.open()
        let report = try await ImportService(environment, store: store).run(
            FeedFormat.shopifyCSV.reader(at: catalogue, currency: .eur))
        try await database.close()
        print("Catalogue: \(report.products) products, \(report.variants) variants")

        let shop = try await ShopApplication(configuration)
        configuration.onListening = { encryptedPort.yield($0) }
        configuration.tls = .init(certificatePath: certificate.file.path, keyPath: certificate.key.path)
        let encrypted = try await ShopApplication(configuration)
        let constant = Constant()
        shop.router.get("bench/hello") { _, _ in "hello" }
        shop.router.get("bench/constant") { _, _ in constant.response }
        let bareRouter = Router()
        bareRouter.get("hello") { _, _ in "hello" }
        let bare = Application(
            router: bareRouter, configuration: .init(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { barePort.yield($0.localAddress?.port ?? 0) }, logger: logger)

        let services = ServiceGroup(
            configuration: .init(
                services: [
                    try shop.application(logger: logger), try encrypted.application(logger: logger), bare,
                ], logger: logger))
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await services.run() }
            let shopAddress = "http://127.0.0.1:\(await shopPorts.first { _ in true } ?? 0)"
            let encryptedAddress = "https://127.0.0.1:\(await encryptedPorts.first { _ in true } ?? 0)"
            let bareAddress = "http://127.0.0.1:\(await barePorts.first { _ in true } ?? 0)"
            let (small, large) = (
                try await PageBytes(of: shopAddress + small), try await PageBytes(of: shopAddress + large)
            )
            constant.set(large)
            let files = ["small": Data(small.bytes.readableBytesView), "large": Data(large.bytes.readableBytesView)]
            try await Nginx.running(in: folder, serving: files, certificate) { nginx in
                let bytes = (small.bytes.readableBytes, large.bytes.readableBytes)
                print("wrk -t1 -c64, \(rounds) alternating rounds of \(secondsPerRound) s, pages of \(bytes) bytes\n")
                let known = "If-None-Match: \(large.etag)"
                let loads = [
                    GetLoad("hello, bare application", "\(bareAddress)/hello"),
                    GetLoad("hello", "\(shopAddress)/bench/hello"),
                    GetLoad("large page, constant bytes", "\(shopAddress)/bench/constant"),
                    GetLoad("large page, nginx", "\(nginx.address)/large"),
                    GetLoad("large page", shopAddress + Self.large, comparedWith: ["large page, nginx": 1]),
                    GetLoad("small page, nginx", "\(nginx.address)/small"),
                    GetLoad("small page", shopAddress + Self.small, comparedWith: ["small page, nginx": 0.75]),
                    GetLoad(
                        "304", shopAddress + Self.large, headers: [known], status: 304, comparedWith: ["hello": 0.9]),
                    GetLoad("large page, nginx, TLS", "\(nginx.encryptedAddress)/large"),
                    GetLoad(
                        "large page, TLS", encryptedAddress + Self.large, comparedWith: ["large page, nginx, TLS": nil]),
                    GetLoad("small page, nginx, TLS", "\(nginx.encryptedAddress)/small"),
                    GetLoad(
                        "small page, TLS", encryptedAddress + Self.small, comparedWith: ["small page, nginx, TLS": nil]),
                ]
                try await GetLoad.measure(loads, rounds: rounds, seconds: secondsPerRound)
            }
            await services.triggerGracefulShutdown()
            try await group.waitForAll()
        }
    }
}

// MARK: - The constant

/// The bytes with which the shop answers for the measured page.
private struct PageBytes: Sendable {
    let bytes: ByteBuffer
    let etag: String

    /// Reads the page from the shop over HTTP.
    init(of url: String) async throws {
        let head = try await Program.run("curl", ["-s", "-o", "/dev/null", "-D", "-", url])
        guard
            let etag = head.split(whereSeparator: \.isNewline).first(where: { $0.lowercased().hasPrefix("etag: ") })
        else { throw BenchError("the page has no ETag: \(head)") }
        self.etag = String(etag.dropFirst(6))
        bytes = ByteBuffer(string: try await Program.run("curl", ["-s", url]))
    }

    var response: Response {
        Response(status: .ok, headers: [.contentType: "application/json"], body: .init(byteBuffer: bytes))
    }
}

/// A constant response: 503 until the bytes of the page are set.
private final class Constant: Sendable {
    private let page = Mutex<PageBytes?>(nil)

    func set(_ page: PageBytes) {
        self.page.withLock { $0 = page }
    }

    var response: Response {
        page.withLock { $0 }?.response ?? Response(status: .serviceUnavailable)
    }
}

// MARK: - The catalogue

/// A made-up catalogue as Shopify exports it.
private enum SampleCatalogue {
    static func csv(products: Int, variants: Int) -> String {
        var lines = [
            "Handle,Title,Body (HTML),Type,Tags,Option1 Name,Option1 Value,Variant Grams,Variant Inventory Qty,"
                + "Variant Price,Image Src,Image Position"
        ]
        let kinds = ["Cardigan", "Jumper", "Skirt", "Scarf", "Coat", "Dress"]
        for number in 0..<products {
            let kind = kinds[number % kinds.count]
            for variant in 0..<variants {
                let handle = "\(kind.lowercased())-\(number)"
                let head =
                    variant == 0
                    ? "\(kind) No. \(number),A \(kind.lowercased()) of soft wool in pattern \(number % 17).,\(kind)s,\"wool, knit\",Size"
                    : ",,,,"
                let image = variant == 0 ? "https://example.com/\(handle).jpg,1" : ","
                lines.append("\(handle),\(head),S\(variant),300,\(variant * 7 % 20),\(20 + number % 80).90,\(image)")
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
