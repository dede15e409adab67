import Hummingbird
import NIOHTTP1
import ShopBenching

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
            try await ServerProcess.running(Program.own, ["serve", folder.path]) {
                try await EditedCatalog(client: APIClient($0.url.absoluteString)).measure()
            }
        }
    }

    private let client: APIClient

    /// Lists that show and sort by prices, and one of the stock.
    private static let paths = [
        "/v1/products?limit=50", "/v1/products?limit=50&sort=priceAscending", "/v1/products?limit=20&inStock=true",
        "/v1/products?limit=20&category=cardigans",
    ]

    private func measure() async throws {
        say("\n\(Self.variants) variants, \(Self.readers) readers of lists, \(Self.seconds) s each\n")
        sayRow("while", 36, ["requests", "p50", "p99", "p99.9", "longest", "memory"], 11)
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
            let times = [found.percentile(50), found.percentile(99), found[found.count * 999 / 1_000], found.last ?? 0]
            let figures = ["\(found.count)"] + times.map { "\($0.text(1)) ms" }
            sayRow(change.name, 36, figures + ["\(try await get("/bench/memory")) MB"], 11)
        }
        say("\nmemory after loading: \(loaded) MB (goals under edits: p99.9 at most 10 ms, longest at most 50 ms)")
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
        String(decoding: try await client.send(.GET, path), as: UTF8.self)
    }

    // MARK: The server

    /// Imports the catalogue and serves it, with routes that change it and that report the memory in megabytes.
    static func serve(in folder: URL) async throws {
        var configuration = configuration(in: folder)
        configuration.port = 0
        configuration.onListening = { say("http://127.0.0.1:\($0)") }
        // In a process of its own, since its memory is not that of a server.
        _ = try await Program.run(Program.own, ["fill", folder.path])
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
        try await shop.application(logger: .bench(.critical)).runService()
    }

    static func fill(in folder: URL) async throws {
        let feed = cardiganFeed(handle: "cardigan", sku: "sku", variants: variants)
        try await configuration(in: folder).importing(feed, in: folder)
    }

    private static func configuration(in folder: URL) -> ServerConfiguration {
        ServerConfiguration(database: DatabaseAddress(path: folder.appending(path: "shop.sqlite").path))
    }
}
