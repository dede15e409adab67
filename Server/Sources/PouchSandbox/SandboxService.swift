import Hummingbird
import Logging
import NIOCore
import ServiceLifecycle

/// A payment provider for trying things out, as an HTTP service: the card's token decides what happens.
///
/// Serves until it is asked to end, answers what it has accepted, and closes its ledger.
public struct SandboxService: Service {
    public struct Configuration: Sendable {
        public var host = "127.0.0.1"
        /// 0 lets the system choose.
        public var port = 0
        /// The secret that callers have to send as a bearer token; nil lets anybody call.
        public var key: String?
        public var timing = SandboxTiming.standard
        /// Called with the port once requests are taken.
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
        let application = Application(
            router: SandboxRouter.build(ledger: ledger, key: configuration.key, timing: configuration.timing),
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
