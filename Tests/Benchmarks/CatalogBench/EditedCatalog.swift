import AsyncHTTPClient
import Benchmarking
import Foundation
import Hummingbird
import Logging
import NIOCore
import NIOHTTP1
import PouchDomain
import PouchEntities
import PouchImport
import PouchServer
import PouchStorage

/// Measures how long readers wait while a large catalogue changes, next to the same load without changes, and the memory
/// of the server, which is a process of its own: `catalog-bench serve FOLDER`.
struct EditedCatalog {
    static let variants = 100_000
    static let readers = 4
    static let seconds = 20
    /// The pause of a reader between an answer and the next request.
    static let pause = Duration.milliseconds(2)
    /// SKUs whose prices begin at a boundary of the clock.
    static let repriced = 500

    static func run() async throws {
        try await withTemporaryFolder { folder in
            let program = Bundle.main.executableURL?.path ?? CommandLine.arguments[0]
            try await ServerProcess.running(program, ["serve", folder.path]) { url in
                try await EditedCatalog(url: url.absoluteString).measure()
            }
        }
    }

    private let url: String
    private let client = HTTPClient()

    private init(url: String) {
        self.url = url
    }

    /// Lists that show and sort by prices, and one of the stock.
    private static let paths = [
        "/v1/products?limit=50", "/v1/products?limit=50&sort=priceAscending", "/v1/products?limit=20&inStock=true",
        "/v1/products?limit=20&category=cardigans",
    ]

    private func measure() async throws {
        print("\n\(Self.variants) variants, \(Self.readers) readers of lists, \(Self.seconds) s each\n")
        let columns = ["requests", "p50", "p99", "p99.9", "longest", "memory"]
        sayRow("while", 36, columns, 11)
        let loaded = try await get("/bench/memory")
        // The first run fills the caches of all.
        _ = try await latencies {}
        let changes: [(name: String, every: Duration, path: String)] = [
            ("nothing changes", .seconds(60), "/bench/nothing"),
            ("a price is edited every second", .seconds(1), "/bench/edit"),
            ("20 units are sold every second", .milliseconds(50), "/bench/sell"),
            ("\(Self.repriced) prices begin, later end", .seconds(10), "/bench/schedule"),
        ]
        for change in changes {
            let found = try await latencies {
                while !Task.isCancelled {
                    _ = try? await get(change.path)
                    try? await Task.sleep(for: change.every)
                }
            }
            let figures = [
                found.percentile(50), found.percentile(99), found[found.count * 999 / 1_000], found.last ?? 0,
            ]
            sayRow(
                change.name, 36,
                ["\(found.count)"] + figures.map { String(format: "%.1f ms", $0) } + [
                    "\(try await get("/bench/memory")) MB"
                ],
                11)
        }
        print("\nmemory after loading: \(loaded) MB (goals under edits: p99.9 at most 10 ms, longest at most 50 ms)")
        try await client.shutdown()
    }

    /// The times of all requests in milliseconds, ascending, while the catalogue changes.
    private func latencies(_ changing: @escaping @Sendable () async -> Void) async throws -> [Double] {
        let change = Task { await changing() }
        let end = ContinuousClock.now + .seconds(Self.seconds)
        let times = try await withThrowingTaskGroup(of: [Double].self) { group in
            for reader in 0..<Self.readers {
                group.addTask {
                    var times: [Double] = []
                    var number = reader
                    while ContinuousClock.now < end {
                        let start = ContinuousClock.now
                        _ = try await get(Self.paths[number % Self.paths.count])
                        times.append(start.elapsedSeconds * 1_000)
                        number += 1
                        try await Task.sleep(for: Self.pause)
                    }
                    return times
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        change.cancel()
        await change.value
        return times.sorted()
    }

    private func get(_ path: String) async throws -> String {
        let answer = try await client.execute(HTTPClientRequest(url: url + path), timeout: .seconds(10))
        let body = try await answer.body.collect(upTo: 1 << 22)
        guard answer.status.code == 200 else { throw BenchError("\(path): \(answer.status) \(String(buffer: body))") }
        return String(buffer: body)
    }

    // MARK: The server

    /// Imports the catalogue and serves it, with routes that change it and that report the memory in megabytes.
    static func serve(in folder: URL) async throws {
        var configuration = ServerConfiguration(
            database: DatabaseAddress(path: folder.appending(path: "shop.sqlite").path))
        configuration.dataFolder = folder
        configuration.port = 0
        configuration.onListening = { say("http://127.0.0.1:\($0)") }
        let program = Bundle.main.executableURL?.path ?? CommandLine.arguments[0]
        // In a process of its own, since its memory is not that of a server.
        _ = try await Program.run(program, ["fill", folder.path])
        let shop = try await ShopApplication(configuration)
        let store = shop.store
        shop.router.get("bench/memory") { _, _ in "\(try ProcessMemory().kilobytes * 1_024 / 1_000_000)" }
        shop.router.get("bench/nothing") { _, _ in "" }
        shop.router.get("bench/edit") { _, _ in
            let (sku, price) = ("sku-\(Int.random(in: 0..<variants))", Money(.random(in: 1_000..<9_000), .eur))
            try await store.write { repositories in
                if try repositories.variants.setPrice(sku: sku, price) {
                    try repositories.catalog.raiseVersion(changing: .ofVariant(sku: sku))
                }
            }
            return ""
        }
        shop.router.get("bench/sell") { _, _ in
            let sku = "sku-\(Int.random(in: 0..<variants))"
            _ = try await store.write { try $0.variants.adjust(sku: sku, by: -1) }
            return ""
        }
        shop.router.get("bench/schedule") { _, _ in
            let now = Date()
            try await store.write { repositories in
                for number in 0..<repriced {
                    let scheduled = ScheduledPrice(
                        id: "scp_\(UUID())", sku: "sku-\(number * 97 % variants)", price: Money(1_990, .eur),
                        startsAt: now.addingTimeInterval(3), endsAt: now.addingTimeInterval(6))
                    try repositories.scheduledPrices.insert(scheduled, at: now)
                    try repositories.catalog.raiseVersion(changing: .ofVariant(sku: scheduled.sku))
                }
            }
            return ""
        }
        var logger = Logger(label: "bench", factory: { StreamLogHandler.standardError(label: $0) })
        logger.logLevel = .critical
        try await shop.application(logger: logger).runService()
    }

    static func fill(in folder: URL) async throws {
        let catalogue = folder.appending(path: "catalogue.csv")
        try CardiganFeed(handle: "cardigan", sku: "sku", variants: variants).csv
            .write(to: catalogue, atomically: true, encoding: .utf8)
        let configuration = ServerConfiguration(
            database: DatabaseAddress(path: folder.appending(path: "shop.sqlite").path))
        let (database, store, environment) = try await configuration.open()
        _ = try await ImportService(environment, store: store).run(
            FeedFormat.shopifyCSV.reader(at: catalogue, currency: .eur))
        try await database.close()
    }
}
