import Benchmarking
import Foundation
import Hummingbird
import Logging
import PouchDomain
import PouchEntities
import PouchImport
import PouchServer
import PouchStorage
import ServiceLifecycle

/// What a catalogue read costs beside the same bytes from a constant, measured in one run.
///
/// One application serves the shop, "hello" and the constant bytes behind the same middleware; a bare application
/// shows what the framework alone does. The loads take turns, so that a slower moment of the machine hits all.
@main
struct CatalogBench {
    static let rounds = 5
    static let secondsPerRound = 3
    static let path = "/v1/products?limit=50"

    static func main() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "pouch-bench-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }

        var logger = Logger(label: "bench")
        logger.logLevel = .warning
        let shopPort = ListeningPort()
        var configuration = ServerConfiguration(
            database: DatabaseAddress(path: folder.appending(path: "shop.sqlite").path))
        configuration.port = 0
        configuration.onListening = { await shopPort.set($0) }
        let catalogue = folder.appending(path: "catalogue.csv")
        try SampleCatalogue.csv(products: 500, variants: 12).write(to: catalogue, atomically: true, encoding: .utf8)
        let (database, store, environment) = try await configuration.open()
        let report = try await ImportService(environment, store: store).run(
            FeedFormat.shopifyCSV.reader(at: catalogue, currency: .eur))
        try await database.close()
        print("Catalogue: \(report.products) products, \(report.variants) variants")

        let shop = try await ShopApplication(configuration)
        let constant = Constant()
        shop.router.get("bench/hello") { _, _ in "hello" }
        shop.router.get("bench/constant") { _, _ in constant.response }
        let bareRouter = Router()
        bareRouter.get("hello") { _, _ in "hello" }
        let barePort = ListeningPort()
        let bare = Application(
            router: bareRouter, configuration: .init(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { await barePort.set($0.localAddress?.port ?? 0) }, logger: logger)

        let services = ServiceGroup(
            configuration: .init(services: [try shop.application(logger: logger), bare], logger: logger))
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await services.run() }
            let shopAddress = "http://127.0.0.1:\(await shopPort.value)"
            let bareAddress = "http://127.0.0.1:\(await barePort.value)"
            let page = try await PageBytes(of: shopAddress + path)
            constant.set(page)
            let loads = [
                Load("hello, bare application", "\(bareAddress)/hello"),
                Load("hello", "\(shopAddress)/bench/hello"),
                Load("constant bytes of the page", "\(shopAddress)/bench/constant"),
                Load("products, 200", "\(shopAddress)\(path)"),
                Load("products, 304", "\(shopAddress)\(path)", header: "If-None-Match: \(page.etag)", status: 304),
            ]
            try await measure(loads, pageBytes: page.bytes.readableBytes)
            await services.triggerGracefulShutdown()
            try await group.waitForAll()
        }
    }

    private static func measure(_ loads: [Load], pageBytes: Int) async throws {
        for load in loads { try await load.check() }
        print("wrk -t1 -c64, \(rounds) rounds of \(secondsPerRound) s each in turn, a page of \(pageBytes) bytes\n")
        var rates = loads.map { _ in [Double]() }
        for round in 1...rounds {
            for (index, load) in loads.enumerated() {
                FileHandle.standardError.write(Data("round \(round) of \(rounds): \(load.name)\n".utf8))
                rates[index].append(try await load.run(seconds: secondsPerRound))
            }
        }
        let medians = rates.map(\.median)
        for (load, median) in zip(loads, medians) {
            print("\(load.name.padded(30)) \(Int(median)) requests/s")
        }
        print(String(format: "\n200 against the constant bytes: %.2f (aim: at least 0.90)", medians[3] / medians[2]))
        print(String(format: "304 against hello:              %.2f (aim: at least 0.90)", medians[4] / medians[1]))
        print(String(format: "hello against the bare one:     %.2f", medians[1] / medians[0]))
    }
}
