import Hummingbird
import Logging
import NIOCore
import ServiceLifecycle

/// Runs the services while the closure runs, then shuts them down gracefully, unless the closure has done so.
public func withServices<Value: Sendable>(
    _ services: [any Service], logger: Logger, _ body: (ServiceGroup) async throws -> Value
) async throws -> Value {
    let services = ServiceGroup(configuration: .init(services: services, logger: logger))
    return try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { try await services.run() }
        return try await withCleanup(
            {
                await services.triggerGracefulShutdown()
                try await group.waitForAll()
            }, { try await body(services) })
    }
}

/// Calls the closure, then the cleanup, also if the closure throws.
public func withCleanup<Value>(
    _ cleanup: () async throws -> Void, _ body: () async throws -> Value
) async throws -> Value {
    let result: Result<Value, any Error>
    do { result = .success(try await body()) } catch { result = .failure(error) }
    try await cleanup()
    return try result.get()
}

/// Serves a router on a free port of 127.0.0.1 while the closure runs, then shuts down gracefully.
///
/// - Parameters:
///   - logger: gets the log of the framework; by default nothing does.
///   - body: receives the address, such as `http://127.0.0.1:1234`.
public func withApplication<Value: Sendable>(
    _ router: Router<BasicRequestContext>, logger: Logger = Logger(label: "router") { _ in SwiftLogNoOpLogHandler() },
    _ body: (String) async throws -> Value
) async throws -> Value {
    let (ports, listening) = AsyncStream.makeStream(of: Int.self)
    let application = Application(
        router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0)),
        onServerRunning: { listening.yield($0.localAddress?.port ?? 0) }, logger: logger)
    return try await withServices([application], logger: logger) { _ in
        guard let port = await ports.first(where: { _ in true }) else { throw CancellationError() }
        return try await body("http://127.0.0.1:\(port)")
    }
}
