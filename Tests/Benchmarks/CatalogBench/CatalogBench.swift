import Hummingbird
import NIOCore
import ShopBenching

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
        let certificate = try BenchCertificate(in: folder)
        let configuration = ServerConfiguration(
            database: DatabaseAddress(path: folder.appending(path: "shop.sqlite").path))
        let report = try await configuration.importing(SampleCatalogue.csv(products: 500, variants: 12), in: folder)
        say("Catalogue: \(report.products) products, \(report.variants) variants")

        var encrypted = configuration
        encrypted.tls = .init(certificatePath: certificate.file.path, keyPath: certificate.key.path)
        let constants = ConstantPages()
        let router = Router()
        router.get("hello") { _, _ in "hello" }
        func prepare(_ shop: ShopApplication) {
            shop.router.get("bench/hello") { _, _ in "hello" }
            constants.add(to: shop.router)
        }
        try await withApplication(router, logger: .bench(.warning)) { bare in
            try await withServer(configuration, preparing: prepare, logLevel: .warning) { [encrypted] _, shop in
                try await withServer(encrypted, logLevel: .warning) { _, encrypted in
                    let (shop, encrypted) = ("http://127.0.0.1:\(shop)", "https://127.0.0.1:\(encrypted)")
                    try await measure(shop, encrypted: encrypted, bare: bare, constants, certificate, in: folder)
                }
            }
        }
    }

    private static func measure(
        _ shop: String, encrypted: String, bare: String, _ constants: ConstantPages, _ certificate: BenchCertificate,
        in folder: URL
    ) async throws {
        let small = try await ConstantPage(of: shop + small)
        let large = try await ConstantPage(of: shop + large)
        constants.set("large", to: large)
        let files = ["small": Data(small.body.readableBytesView), "large": Data(large.body.readableBytesView)]
        try await Nginx.running(in: folder, serving: files, certificate) { nginx in
            let bytes = (small.body.readableBytes, large.body.readableBytes)
            say("wrk -t1 -c64, \(rounds) alternating rounds of \(secondsPerRound) s, pages of \(bytes) bytes\n")
            guard let tag = large.head[.eTag] else { throw BenchError("the page has no ETag: \(large.head)") }
            var loads = [
                GetLoad("hello, bare application", "\(bare)/hello"), GetLoad("hello", "\(shop)/bench/hello"),
                GetLoad("large page, constant bytes", "\(shop)/bench/constant/large"),
            ]
            // A page, after the same one by nginx.
            func add(_ name: String, _ page: String, by nginx: String, goal: Double?) {
                loads.append(GetLoad(name.replacing("page", with: "page, nginx"), nginx))
                loads.append(GetLoad(name, page, comparedWith: [name.replacing("page", with: "page, nginx"): goal]))
            }
            add("large page", shop + Self.large, by: "\(nginx.address)/large", goal: 1)
            add("small page", shop + Self.small, by: "\(nginx.address)/small", goal: 0.75)
            let known = ["If-None-Match: \(tag)"]
            loads.append(GetLoad("304", shop + Self.large, headers: known, status: 304, comparedWith: ["hello": 0.9]))
            add("large page, TLS", encrypted + Self.large, by: "\(nginx.encryptedAddress)/large", goal: nil)
            add("small page, TLS", encrypted + Self.small, by: "\(nginx.encryptedAddress)/small", goal: nil)
            try await GetLoad.measure(loads, rounds: rounds, seconds: secondsPerRound)
        }
    }
}

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
            let handle = "\(kind.lowercased())-\(number)"
            let title = "\(kind) No. \(number),A \(kind.lowercased()) of soft wool in pattern \(number % 17)."
            for variant in 0..<variants {
                let head = variant == 0 ? "\(title),\(kind)s,\"wool, knit\",Size" : ",,,,"
                let image = variant == 0 ? "https://example.com/\(handle).jpg,1" : ","
                lines.append("\(handle),\(head),S\(variant),300,\(variant * 7 % 20),\(20 + number % 80).90,\(image)")
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
