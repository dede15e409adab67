import Foundation
import Logging
import PouchDomain
import PouchSandbox
import ServiceLifecycle

/// The sandbox inside this process. It asks for a key that only this process knows, since every user of the machine can
/// reach a loopback port.
struct EmbeddedSandbox: Sendable {
    let key: String
    private let ledger: SandboxLedger
    private let timing: SandboxTiming
    private let listening: AsyncStream<Int>.Continuation
    private let port: Task<Int?, Never>

    /// - Throws: `StorageError`.
    init(ledgerPath: String, timing: SandboxTiming, random: any RandomSource) async throws {
        ledger = try await SandboxLedger(path: ledgerPath, random: random)
        key = Data(random.bytes(32)).base64EncodedString()
        self.timing = timing
        let (ports, listening) = AsyncStream.makeStream(of: Int.self)
        self.listening = listening
        port = Task { await ports.first { _ in true } }
    }

    /// Where it listens; waits until it does.
    func address() async throws(PaymentProviderError) -> URL {
        guard let port = await port.value, let url = URL(string: "http://127.0.0.1:\(port)") else { throw .failed }
        return url
    }

    func service(logger: Logger) -> some Service {
        var configuration = SandboxService.Configuration()
        configuration.key = key
        configuration.timing = timing
        configuration.onListening = { [listening] in listening.yield($0) }
        return Running(
            service: SandboxService(ledger: ledger, configuration: configuration, logger: logger),
            listening: listening, logger: logger)
    }

    /// Lets nobody wait for a service that has ended.
    private struct Running: Service {
        let service: SandboxService
        let listening: AsyncStream<Int>.Continuation
        let logger: Logger

        func run() async throws {
            defer { listening.finish() }
            let group = ServiceGroup(services: [service], logger: logger)
            // Ends gracefully as well where it is cancelled, since the server beside it could not start.
            try await withTaskCancellationOrGracefulShutdownHandler {
                try await Task { try await group.run() }.value
            } onCancelOrGracefulShutdown: {
                Task { await group.triggerGracefulShutdown() }
            }
        }
    }
}
