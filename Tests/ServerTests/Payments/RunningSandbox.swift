import Foundation
import Logging
import PouchSandbox
import PouchWire
import ServiceLifecycle
import Testing

/// The sandbox payment provider on a port of this machine.
struct RunningSandbox: Addressable, Sendable {
    let port: Int
    let ledger: SandboxLedger

    var transport: Transport { .tcp(port: port) }

    /// - Parameter file: where the ledger is; nil makes one that is gone afterwards.
    static func serve(
        _ file: URL? = nil, configure: (inout SandboxService.Configuration) -> Void = { _ in },
        _ body: @escaping @Sendable (RunningSandbox) async throws -> Void
    ) async throws {
        try await TemporaryFolder.use { folder in
            let ledger = try await SandboxLedger(path: (file ?? folder.appending(path: "ledger.sqlite")).path)
            let (ports, ready) = AsyncStream.makeStream(of: Int.self)
            var configuration = SandboxService.Configuration()
            configuration.timing = .init(slow: .milliseconds(50), lost: .milliseconds(20))
            configuration.onListening = { ready.yield($0) }
            configure(&configuration)
            let service = SandboxService(ledger: ledger, configuration: configuration, logger: .silent)
            try await service.run(while: {
                let port = try #require(await ports.first { _ in true })
                try await body(RunningSandbox(port: port, ledger: ledger))
            })
        }
    }
}

extension Service {
    /// Runs until the body has ended, and then ends gracefully.
    func run(while body: @escaping @Sendable () async throws -> Void) async throws {
        let group = ServiceGroup(services: [self], logger: .silent)
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await group.run() }
            let result: Result<Void, any Error>
            do { result = .success(try await body()) } catch { result = .failure(error) }
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
            try result.get()
        }
    }
}

extension Logger {
    static var silent: Logger {
        var logger = Logger(label: "test") { StreamLogHandler.standardError(label: $0) }
        logger.logLevel = .critical
        return logger
    }
}
