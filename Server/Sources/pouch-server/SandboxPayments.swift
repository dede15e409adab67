import ArgumentParser
import Foundation
import PouchDomain
import PouchSandbox
import PouchServer
import ServiceLifecycle
import UnixSignals

struct SandboxPayments: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Serve the sandbox payment provider over HTTP.",
        discussion: """
            The sandbox moves no money. A shop uses it with serve --payments. On SIGTERM or SIGINT it answers all \
            accepted requests, then exits with code 0.
            """)

    @Option(help: ArgumentHelp("The address to listen on. Default: 127.0.0.1.", valueName: "address"))
    var host: String?

    @Option(help: "The port to listen on; 0 lets the system choose. Default: 8081.")
    var port: Int?

    @Option(
        help: ArgumentHelp(
            "The file for charges and refunds.",
            discussion:
                "Default: the shop's ledger in your data folder, \(ServerConfiguration(database: .standard).sandboxLedgerPath).",
            valueName: "file"))
    var ledger: String?

    @Option(
        help: ArgumentHelp(
            "A file with the secret that callers must send as a bearer token.",
            discussion: "Alternatively, POUCH_PAYMENTS_KEY contains the secret itself.", valueName: "file"))
    var keyFile: String?

    @Option(help: "trace, debug, info, notice, warning or error. Default: info.")
    var logLevel: String?

    @Option(
        help: ArgumentHelp("A JSON file with values for these options.", valueName: "file"))
    var config: String?

    func run() async throws {
        let settings = try await Settings(values, file: config)
        var configuration = SandboxService.Configuration()
        configuration.host = settings.text("host") ?? configuration.host
        configuration.port = try settings.port() ?? 8081
        configuration.key = try settings.secret(inFileOf: "keyFile") ?? settings.text("paymentsKey")
        let host = configuration.host
        guard configuration.key != nil || NetworkAddress.isOfThisMachine(host) else {
            throw ValidationError(
                "--host \(host) lets other machines call the provider. Use --key-file to require a secret from them."
            )
        }
        configuration.onListening = { port in
            FileHandle.standardOutput.write(
                Data("The sandbox payment provider serves http://\(host):\(port) (Ctrl-C stops it).\n".utf8))
        }
        let logger = try settings.logger()
        let path = settings.text("ledger") ?? ServerConfiguration(database: .standard).sandboxLedgerPath
        let ledger = try await opened(DatabaseAddress(path: path)) { try await SandboxLedger(path: path) }
        let service = SandboxService(ledger: ledger, configuration: configuration, logger: logger)
        try await listening(on: host, configuration.port) {
            try await ServiceGroup(
                services: [service], gracefulShutdownSignals: [.sigterm, .sigint], logger: logger
            ).run()
        }
    }
}
