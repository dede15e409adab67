import Hummingbird
import Logging
import NIOCore
import ServiceLifecycle

/// The sandbox payment provider as an HTTP service.
///
/// Serves until graceful shutdown, then answers the requests that it accepted and closes its ledger.
public struct SandboxService: Service {
    public struct Configuration: Sendable {
        public var host = "127.0.0.1"
        /// 0 lets the system choose.
        public var port = 0
        /// The secret that callers must send as a bearer token; nil allows all callers.
        public var key: String?
        public var timing = SandboxProvider.Timing.standard
        /// Called with the port once the service accepts requests.
        public var onListening: @Sendable (Int) async -> Void = { _ in }

        public init() {}
    }

    private let ledger: SandboxLedger
    private let configuration: Configuration
    private let logger: Logger

    public init(ledger: SandboxLedger, configuration: Configuration, logger: Logger) {
        self.ledger = ledger
        self.configuration = configuration
        self.logger = logger
    }

    public func run() async throws {
        let onListening = configuration.onListening
        let provider = SandboxProvider(ledger: ledger, timing: configuration.timing, logger: logger)
        let application = Application(
            router: SandboxRouter.build(provider, key: configuration.key),
            server: .http1(configuration: .init(idleTimeout: .seconds(75))),
            configuration: .init(address: .hostname(configuration.host, port: configuration.port), backlog: 1_024),
            onServerRunning: { channel in await onListening(channel.localAddress?.port ?? 0) },
            logger: logger
        )
        do {
            try await application.run()
        } catch {
            try? await ledger.close()
            throw error
        }
        try await ledger.close()
    }
}
