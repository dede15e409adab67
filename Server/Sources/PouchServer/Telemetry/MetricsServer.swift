import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import PouchHTTP
import PouchTelemetry
import ServiceLifecycle

/// Serves the metrics as `GET /metrics` on a separate port, so that the shop's port need not be closed to some clients
/// for some paths. It requires no password: the port is for the operators' network. On this machine it answers only to
/// `localhost` and to addresses.
struct MetricsServer: Service {
    private let application: any ApplicationProtocol
    private let address: ServerConfiguration.Telemetry.Address
    /// Ends when the server listens, with an error if it cannot.
    private let (listening, listener):
        (AsyncThrowingStream<Int, any Error>, AsyncThrowingStream<Int, any Error>.Continuation)

    init(_ registry: MetricRegistry, on address: ServerConfiguration.Telemetry.Address, logger: Logger) {
        self.address = address
        (listening, listener) = AsyncThrowingStream.makeStream(of: Int.self)
        let router = Router()
        router.get("metrics") { _, _ in
            Response(
                status: .ok, headers: [.contentType: MetricText.mediaType, .cacheControl: "no-store"],
                body: .init(byteBuffer: ByteBuffer(string: await registry.text())))
        }
        let listener = listener
        // The framework would otherwise log a second start of “the server”.
        var quiet = logger
        quiet.logLevel = max(logger.logLevel, .warning)
        // Allows a few concurrent scrapes; others wait.
        application = Application(
            router: router,
            server: .forOperators(idle: .seconds(60)),
            configuration: .init(
                address: .hostname(address.host, port: address.port),
                availableConnectionsDelegate: .maximum(16, logger: quiet)),
            onServerRunning: { channel in
                let port = channel.localAddress?.port ?? 0
                logger.info("metrics are served", metadata: ["host": "\(address.host)", "port": "\(port)"])
                listener.yield(port)
                listener.finish()
            },
            logger: quiet)
    }

    func run() async throws {
        do { try await application.run() } catch {
            let isStopped = error is CancellationError
            let failure = MetricsPortError(address: address, errno: (error as? IOError)?.errnoCode ?? 0)
            listener.finish(throwing: isStopped ? error : failure)
            throw isStopped ? error : failure
        }
    }

    /// Waits until the server listens.
    ///
    /// - Returns: the port.
    func started() async throws -> Int {
        for try await port in listening { return port }
        throw CancellationError()
    }
}

/// The metrics cannot be served at their address.
public struct MetricsPortError: Error {
    public let address: ServerConfiguration.Telemetry.Address
    /// The system's error number; 0 for an unknown host.
    public let errno: CInt
}
