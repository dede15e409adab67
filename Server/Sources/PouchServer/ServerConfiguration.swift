import Foundation
import PouchDomain
import PouchEntities
import PouchHTTP
import PouchMail
import PouchSandbox
import PouchStorage
import PouchWeb

/// The settings of a server, complete before it starts.
///
///     var configuration = ServerConfiguration(database: .standard)
///     configuration.port = 0
///     let shop = try await ShopApplication(configuration)
public struct ServerConfiguration: Sendable {
    /// The provider that charges the cards.
    public enum Payments: Sendable {
        /// The sandbox, in this process.
        case sandbox
        /// A service with the sandbox's interface; the key is the secret that it expects as a bearer token.
        case service(PeerAddress, key: String?)
    }

    /// The certificate and key that identify the server.
    public struct TLS: Sendable, Equatable {
        /// The PEM file of the certificate chain, which starts with the server's own certificate.
        public let certificatePath: String
        /// The PEM file of the private key.
        public let keyPath: String

        public init(certificatePath: String, keyPath: String) {
            self.certificatePath = certificatePath
            self.keyPath = keyPath
        }
    }

    public var host = "127.0.0.1"
    /// 0 lets the system choose.
    public var port = 8080
    /// nil for HTTP without TLS.
    public var tls: TLS?
    /// The limits for clients' requests, and the proxies in front of the server.
    public var policy = RequestPolicy()
    /// The maximum number of open connections; more wait until others close. One network can have an eighth of them.
    public var connections = 8_192
    /// The limits for clients that send or read too slowly.
    public var timeouts = ConnectionGuard.Timeouts()
    public var database: DatabaseAddress
    /// Wraps the database once it is open, for example to count statements.
    public var instrument: @Sendable (any Database) -> any Database = { $0 }
    /// The folder of the server's files outside its database.
    public var dataFolder: URL
    /// The files that contain secrets, except the certificate's key. Only checks read them.
    public var secretFiles: [String] = []
    /// Whether an old schema is migrated; if not, it is an error.
    public var migrates = true
    /// nil for the currency of the database, or the euro for a new one.
    public var currency: Currency?
    /// nil for the standard settings in the currency of the database. Their currency must be the database's.
    public var shop: ShopSettings?
    /// The parts that the server has, such as rides. Active rides wait for a server that has them.
    public var parts: [any ServerPart] = []
    /// nil if no e-mails are sent. Orders then queue none.
    public var mail: MailSettings?
    /// Whether the server has pages, or only the API.
    public var servesPages = true
    /// nil for pages with the standard theme.
    public var web: WebSettings?
    public var passwordCost = ScryptPasswordHasher.Cost.standard
    public var payments = Payments.sandbox
    /// Used by the sandbox in this process only.
    public var sandboxTiming = SandboxProvider.Timing.standard
    /// The maximum pause between two reads of due work. Events, e-mails, imports and rides are also announced, and
    /// start immediately.
    public var jobInterval = Duration.seconds(OrderSettlement.interval)
    /// The minimum pause between two attempts to settle payments and refunds, and to release expired holds.
    public var settlementInterval = Duration.seconds(OrderSettlement.interval)
    /// The maximum time for which an SQLite transaction waits for its turn.
    public var databaseTimeout = Duration.seconds(10)
    /// The maximum time for which a reader waits for a catalogue that has long been unconfirmed.
    public var catalogTimeout = Duration.milliseconds(500)
    /// Whether webhooks can have http addresses, and addresses in private networks.
    public var allowsPrivateWebhooks = false
    /// The number of days for which audit log entries are kept.
    public var auditDays = AuditLog.days
    /// The pause between two heartbeats on an event stream of a ride or an order.
    public var rideHeartbeat = Duration.seconds(5)
    /// The metrics, traces and log of requests.
    public var telemetry = Telemetry()
    public var time: any TimeSource = SystemTime()
    /// Called with the port once the server accepts requests.
    public var onListening: @Sendable (Int) async -> Void = { _ in }

    public init(database: DatabaseAddress) {
        self.database = database
        dataFolder = database.dataFolder
    }

    /// The ledger file of the sandbox in this process.
    public var sandboxLedgerPath: String { dataFolder.appending(path: "sandbox-payments.sqlite").path }

    /// The address of this server for programs on this machine.
    public var ownURL: String { url(host: host, port: port) }

    /// The host by which programs on this machine reach the server.
    package var reachableHost: String { ["0.0.0.0": "127.0.0.1", "::": "::1"][host] ?? host }

    package func url(host: String, port: Int) -> String {
        "\(tls == nil ? "http" : "https")://\(host.contains(":") ? "[\(host)]" : host):\(port)"
    }

    private static let standardTheme = Result { try WebTheme() }

    /// - Throws: `TemplateMistake`.
    var pages: WebSettings {
        get throws {
            if let web { return web }
            var settings = WebSettings(publicURL: mail?.publicURL ?? ownURL, theme: try Self.standardTheme.get())
            settings.mail = mail
            return settings
        }
    }

    /// Opens the database, migrates its schema, and returns the environment of the services.
    ///
    /// - Throws: `StorageError`; `UnavailableError` if the database server is unreachable.
    public func open() async throws -> (database: any Database, store: ShopDatabase, environment: DomainEnvironment) {
        let database = instrument(try await database.open(migrates: migrates, timeout: databaseTimeout))
        let currency = try await ShopCurrency.settle(shop?.currency ?? currency, in: database)
        let store = ShopDatabase(database, currency: currency, time: time)
        let shop = shop ?? .standard(currency: currency)
        let environment = DomainEnvironment(
            store: store,
            time: time,
            random: SystemRandom(),
            digests: CryptoDigests(),
            shop: shop,
            courier: parts.lazy.compactMap { $0.courier(of: shop) }.first
        )
        return (database, store, environment)
    }
}

extension AccountService {
    /// Creates the service that creates accounts from the command line, without a session.
    public static func administration(
        _ environment: DomainEnvironment, passwordCost: ScryptPasswordHasher.Cost = .standard
    ) async throws -> AccountService {
        let keyRing = try await KeyRing(environment)
        let tokens = JWTAccessTokens(keyRing: keyRing, digests: environment.digests, time: environment.time)
        return AccountService(
            environment,
            issuer: SessionIssuer(environment, keyRing: keyRing, accessTokens: tokens),
            links: LinkSigner(keyRing: keyRing, digests: environment.digests),
            passwords: try ScryptPasswordHasher(cost: passwordCost),
            carts: CartService(environment))
    }
}
