import Foundation
import Logging
import PouchDomain
import PouchEntities
import PouchHTTP
import PouchImport
import PouchRides
import PouchSandbox
import PouchServer
import PouchStorage
import ServiceLifecycle
import TestDatabase

/// A stocked shop that serves on a port of its own while the closure runs.
///
/// - Parameters:
///   - settings: nil for the standard ones.
///   - city: where its kangaroos live.
///   - feed: what it sells.
func withRunningShop<Value: Sendable>(
    settings: ShopSettings? = nil, in city: CitySettings = CitySettings(), selling feed: TestFeed = .sample,
    _ body: @Sendable (RunningShop) async throws -> Value
) async throws -> Value {
    let folder = try TemporaryFolder()
    let result: Result<Value, any Error>
    do { result = .success(try await run(in: folder, settings, city, feed, body)) } catch { result = .failure(error) }
    try await TestDatabase.remove(folder.url)
    return try result.get()
}

private func run<Value: Sendable>(
    in folder: TemporaryFolder, _ settings: ShopSettings?, _ city: CitySettings, _ feed: TestFeed,
    _ body: @Sendable (RunningShop) async throws -> Value
) async throws -> Value {
    let (ports, ready) = AsyncStream.makeStream(of: Int.self)
    var configuration = ServerConfiguration(database: try await TestDatabase(in: folder.url).address)
    configuration.dataFolder = folder.url
    configuration.port = 0
    configuration.shop = settings
    configuration.city = city
    configuration.passwordCost = .init(log2N: 4, blockSize: 8, parallelism: 1)
    configuration.sandboxTiming = .init(slow: .milliseconds(20), lost: .milliseconds(20))
    configuration.settlementInterval = .milliseconds(50)
    configuration.onListening = { ready.yield($0) }

    let reader = try feed.reader(in: folder)
    let (database, store, environment) = try await configuration.open()
    _ = try await ImportService(environment, store: store)
        .run(reader)
    try await database.close()
    let shop = try await ShopApplication(configuration)
    var logger = Logger(label: "shop")
    logger.logLevel = .critical
    let services = ServiceGroup(configuration: .init(services: [try shop.application(logger: logger)], logger: logger))

    return try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { try await services.run() }
        guard let port = await ports.first(where: { _ in true }), let url = URL(string: "http://127.0.0.1:\(port)")
        else { throw CancellationError() }
        let result: Result<Value, any Error>
        do {
            result = .success(
                try await body(
                    RunningShop(url: url, responder: InProcessTransport(shop), services: shop.services)))
        } catch {
            result = .failure(error)
        }
        await services.triggerGracefulShutdown()
        try await group.waitForAll()
        return try result.get()
    }
}

/// The same shop, over TCP and without a socket.
struct RunningShop: Sendable {
    let url: URL
    let responder: InProcessTransport
    let services: ShopServices
}
