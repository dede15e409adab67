import ArgumentParser
import Foundation
import Hummingbird
import Logging
import PouchDomain
import PouchServer
import ServiceLifecycle
import UnixSignals

struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Serve the shop over HTTP.",
        discussion: """
            On SIGTERM or SIGINT, answers the accepted requests, aborts any that take longer than 30 seconds, and \
            exits with code 0. On SIGHUP, reads the TLS certificate again and uses it for new connections. Logs every \
            request to standard error.

            Serves metrics for Prometheus on --metrics-port, and sends traces to the OpenTelemetry collector at --otlp.
            """)

    @OptionGroup var options: SharedOptions

    @OptionGroup var newDatabase: NewDatabaseOption

    @Option(help: ArgumentHelp("The address to listen on. Default: 127.0.0.1.", valueName: "address"))
    var host: String?

    @Option(help: "The port to listen on; 0 lets the system choose. Default: 8080.")
    var port: Int?

    @Flag(help: "Do not start on an old schema, instead of migrating it.")
    var noMigrate = false

    @Option(help: ArgumentHelp("A PEM file with the certificate chain, to serve HTTPS.", valueName: "file"))
    var tlsCertificate: String?

    @Option(help: ArgumentHelp("A PEM file with the certificate's private key.", valueName: "file"))
    var tlsKey: String?

    @Option(
        help: ArgumentHelp(
            "The address of the payment provider, such as http://127.0.0.1:8081.",
            discussion: "Default: the sandbox in this process, with its ledger in the data folder.",
            valueName: "url"))
    var payments: String?

    @Option(
        help: ArgumentHelp(
            "A file with the secret for the payment provider.",
            discussion: "Alternatively, POUCH_PAYMENTS_KEY contains the secret itself.", valueName: "file"))
    var paymentsKeyFile: String?

    @OptionGroup var rides: RideOptions

    @Flag(help: "Also send webhooks to http addresses and private networks, for example in a test.")
    var allowPrivateWebhooks = false

    @Option(
        help: ArgumentHelp(
            "How many days to keep the audit log, 1 to 36500. Default: \(AuditLog.days).", valueName: "n"))
    var auditDays: Int?

    @OptionGroup var access: AccessOptions

    @OptionGroup var telemetry: TelemetryOptions

    @OptionGroup var mail: MailOptions

    @OptionGroup var web: WebOptions

    @Option(help: "trace, debug, info, notice, warning or error. Default: info.")
    var logLevel: String?

    @Option(
        help: ArgumentHelp("The client's path in suggested commands. Default: pouch.", valueName: "command"))
    var client: String?

    func settings() async throws -> Settings { try await Settings(values, file: options.config) }

    func run() async throws {
        let settings = try await settings()
        var configuration = try configuration(settings, choosesPort: true)
        let logger = try settings.logger()
        try NewDatabase.onRequest(isRequested: settings.flag("create") == true).check(configuration.database)
        // The database, the ledger and feeds also need open files.
        let possible = max(16, raiseFileLimit() - 256)
        if configuration.connections > possible {
            logger.warning("the system allows fewer connections than --connections", metadata: ["limit": "\(possible)"])
            configuration.connections = possible
        }
        let welcome = Welcome(
            configuration: configuration, client: settings.text("client") ?? "pouch",
            databaseOptions: options.databaseOptions)
        try await listening(on: configuration.host, configuration.port) { [configuration] in
            var shop = try await opened(configuration.database) {
                try await ShopApplication(configuration, logger: logger)
            }
            shop.onListening = { [store = shop.environment.store] port in
                // Shows the hint if the count fails, too.
                let owners = (try? await store.read { try $0.staff.countOwners() }) ?? 0
                // Unbuffered, so that it appears at once even in files and pipes.
                FileHandle.standardOutput.write(Data(welcome.text(port: port, hasOwner: owners > 0).utf8))
            }
            if configuration.mail == nil { logger.notice("no e-mails are sent; --mail sets a mail server or a folder") }
            var services = ServiceGroupConfiguration(
                services: [
                    try shop.application(logger: logger),
                    CertificateReload(certificate: shop.certificate, logger: logger),
                    StopNotice(logger: logger),
                ],
                gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
            services.maximumGracefulShutdownDuration = .seconds(30)
            do { try await ServiceGroup(configuration: services).run() } catch is CancellationError {
                logger.warning("unanswered requests were aborted after 30 s")
            }
            logger.notice("stopped")
        }
    }

    /// - Parameter choosesPort: whether to choose the port now if it is 0, so that links contain it.
    func configuration(_ settings: Settings, choosesPort: Bool = false) throws -> ServerConfiguration {
        var configuration = try options.configuration(settings)
        configuration.host = settings.text("host") ?? configuration.host
        configuration.port = try settings.port() ?? configuration.port
        if choosesPort, configuration.port == 0 { configuration.port = chosenPort(of: configuration.host) ?? 0 }
        configuration.payments = try payments(settings)
        configuration.migrates = try settings.flag("noMigrate") != true
        configuration.allowsPrivateWebhooks = try settings.flag("allowPrivateWebhooks") == true
        configuration.auditDays = try settings.integer("auditDays", in: 1...36_500) ?? configuration.auditDays
        switch (settings.text("tlsCertificate"), settings.text("tlsKey")) {
        case (nil, nil): break
        case (let certificate?, let key?):
            for path in [certificate, key] where !FileManager.default.isReadableFile(atPath: path) {
                throw ValidationError("Cannot read the file \(path). Check the path and its permissions.")
            }
            configuration.tls = .init(certificatePath: certificate, keyPath: key)
        default: throw ValidationError("Use --tls-certificate and --tls-key together.")
        }
        configuration.secretFiles = ["paymentsKeyFile", "databasePasswordFile", "mailPasswordFile"].compactMap(
            settings.text)
        try rides.apply(settings, to: &configuration)
        try access.apply(settings, to: &configuration)
        try telemetry.apply(settings, to: &configuration)
        configuration.mail = try mail.mailSettings(settings, ownURL: configuration.ownURL)
        try web.apply(settings, publicURL: try mail.publicURL(settings), to: &configuration)
        return configuration
    }

    private func payments(_ settings: Settings) throws -> ServerConfiguration.Payments {
        guard let text = settings.text("payments") else {
            guard settings.text("paymentsKeyFile") == nil else {
                throw ValidationError("--payments-key-file requires --payments.")
            }
            return .sandbox
        }
        return .service(
            try PeerAddress(text, of: "--payments", example: "http://127.0.0.1:8081"),
            key: try settings.secret(inFileOf: "paymentsKeyFile") ?? settings.text("paymentsKey"))
    }
}

/// Raises this process's limit of open files to the maximum that the system allows.
///
/// - Returns: the limit.
private func raiseFileLimit() -> Int {
    var limit = rlimit()
    guard getrlimit(.init(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 1_024 }
    // macOS reports infinity, and accepts at most this.
    limit.rlim_cur = min(limit.rlim_max, 1 << 20)
    setrlimit(.init(RLIMIT_NOFILE.rawValue), &limit)
    guard getrlimit(.init(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 1_024 }
    return Int(limit.rlim_cur)
}

/// Logs the start of a graceful shutdown. The last service of a group is the first that is shut down.
private struct StopNotice: Service {
    let logger: Logger

    func run() async throws {
        do { try await gracefulShutdown() } catch { return }
        logger.notice("stopping; accepted requests are answered first")
    }
}

/// Reads the certificate again on each SIGHUP, which has no effect on a server without TLS.
private struct CertificateReload: Service {
    let certificate: ServingCertificate?
    let logger: Logger

    func run() async throws {
        for await _ in await UnixSignalsSequence(trapping: .sighup).cancelOnGracefulShutdown() {
            do {
                guard let expiry = try certificate?.reload() else { continue }
                logger.notice("certificate reloaded", metadata: ["expires": "\(expiry.formatted(.iso8601))"])
            } catch {
                logger.error(
                    "certificate not reloaded; new connections use the previous one", metadata: ["error": "\(error)"])
            }
        }
    }
}

/// The text that the server prints on standard output once it accepts requests.
private struct Welcome {
    let configuration: ServerConfiguration
    let client: String
    /// See `SharedOptions.databaseOptions`.
    let databaseOptions: String

    /// The path of another program in the client's folder.
    private func program(_ name: String) -> String {
        let folder = client.split(separator: "/", omittingEmptySubsequences: false).dropLast()
        return (folder + [name[...]]).joined(separator: "/")
    }

    /// The address for clients on this machine; nil for one that they refuse, since it is of other machines and not
    /// encrypted.
    private var reachableHost: String? {
        let host = configuration.reachableHost
        return configuration.tls != nil || NetworkAddress.isOfThisMachine(host) ? host : nil
    }

    /// - Parameter hasOwner: whether the shop has an owner's account.
    func text(port: Int, hasOwner: Bool) -> String {
        let first = "Pouch serves \(configuration.url(host: configuration.host, port: port)) (Ctrl-C stops it).\n"
        guard let reachable = reachableHost.map({ configuration.url(host: $0, port: port) }) else { return first }
        let pages =
            configuration.servesPages
            ? "\nOpen \(reachable) in a browser; manage the shop at \(reachable)/admin,\n"
                + "and read the API's documentation at \(reachable)/docs.\n" : ""
        let server = reachable == "http://127.0.0.1:8080" ? "" : " --server \(reachable)"
        let koober = configuration.parts.isEmpty ? [] : [program("koober")]
        let commands = ["\(client) catalog", "\(client) shop"] + koober
        let next =
            first + pages + "\nTry next, in a second terminal:\n" + commands.map { "  \($0)\(server)\n" }.joined()
        guard !hasOwner else { return next }
        return next + "\nTo manage the shop, create an account and sign in:\n"
            + "  \(program("pouch-server")) admin create\(databaseOptions) --email ADDRESS\n"
            + "  \(client) sign-in\(server) --email ADDRESS\n"
    }
}
