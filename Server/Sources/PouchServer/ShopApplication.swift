import Foundation
import Hummingbird
import HummingbirdCore
import HummingbirdTLS
import Logging
import NIOCore
import NIOSSL
import PouchDomain
import PouchHTTP
import PouchImport
import PouchRides
import PouchSandbox
import PouchStorage
import ServiceLifecycle

/// The composition root: the only place that names the concrete types of a server.
///
///     let shop = try await ShopApplication(configuration, logger: logger)
///     try await shop.application(logger: logger).run()
public struct ShopApplication {
    public let environment: DomainEnvironment
    public let store: ShopDatabase
    public let services: ShopServices
    /// Accepts further routes until `application(logger:)` is called.
    public let router: Router<PouchRequestContext>

    private let lane: CatalogLane
    private let configuration: ServerConfiguration
    private let database: any Database
    /// nil unless the sandbox runs in this process.
    private let ledger: SandboxLedger?
    /// nil on PostgreSQL.
    private let agreement: SettingsAgreement?

    /// Opens the database, loads the catalogue and builds the services.
    ///
    /// - Parameter logger: gets the unexpected errors of the sandbox in this process.
    /// - Throws: `SettingsMismatch`, and the errors of `ServerConfiguration.open()`.
    public init(_ configuration: ServerConfiguration, logger: Logger = Logger(label: "pouch")) async throws {
        self.configuration = configuration
        (database, store, environment) = try await configuration.open()
        agreement =
            if case .sqlite(let path) = configuration.database {
                try SettingsAgreement(at: path, configuration.shared(environment.shop))
            } else { nil }
        let payments: any PaymentProvider
        switch configuration.payments {
        case .sandbox:
            let ledger = try await SandboxLedger(path: configuration.sandboxLedgerPath, random: environment.random)
            self.ledger = ledger
            payments = SandboxProvider(ledger: ledger, timing: configuration.sandboxTiming, logger: logger)
        case .service(let url, let key):
            ledger = nil
            payments = HTTPPaymentProvider(url: url, key: key)
        }
        let keyRing = try await KeyRing(environment)
        services = ShopServices(
            environment: environment,
            store: store,
            city: configuration.city,
            keyRing: keyRing,
            accessTokens: JWTAccessTokens(
                keyRing: keyRing, digests: environment.digests, time: configuration.time),
            passwords: try ScryptPasswordHasher(cost: configuration.passwordCost),
            payments: payments,
            catalog: try await CatalogFollower(
                store: environment.store, time: configuration.time, patience: configuration.catalogPatience),
            rideHeartbeat: configuration.rideHeartbeat
        )
        if configuration.offersRides { try await Fleet(services.rideEnvironment).establish() }
        (router, lane) = ShopRouter.build(
            services, policy: configuration.policy, isEncrypted: configuration.tls != nil,
            offersRides: configuration.offersRides)
    }

    public func application(logger: Logger) throws -> some ApplicationProtocol {
        let (database, ledger, agreement) = (database, ledger, agreement)
        let onListening = configuration.onListening
        return Application(
            router: router,
            server: try server(),
            configuration: .init(
                address: .hostname(configuration.host, port: configuration.port), backlog: 1_024,
                availableConnectionsDelegate: .maximum(configuration.connections, logger: logger)),
            // They end in the opposite order, after the server, so that payments under way still reach the ledger.
            services: [
                Closing {
                    try await database.close()
                    withExtendedLifetime(agreement) {}
                },
                Closing { try await ledger?.close() },
            ] + runners(logger),
            onServerRunning: { channel in await onListening(channel.localAddress?.port ?? 0) },
            logger: logger
        )
    }

    private func runners(_ logger: Logger) -> [any Service] {
        let jobs = JobRunner(
            jobs: jobs(logger), store: store, time: configuration.time, interval: configuration.jobInterval,
            announcements: store.announcements, logger: logger)
        let catalog = CatalogRunner(catalog: services.catalog, announcements: store.announcements, logger: logger)
        let events = EventRunner(store: store, consumers: consumers, logger: logger)
        guard configuration.offersRides else { return [jobs, catalog, events] }
        return [jobs, catalog, events, RideFeedRunner(store: store, feed: services.rideFeed, logger: logger)]
    }

    /// What follows from the events of the shop.
    private var consumers: [EventConsumer] { [] }

    private func jobs(_ logger: Logger) -> [Job] {
        let settlement = services.checkout.settlement
        let city = CityJob(services.rideEnvironment, feed: services.rideFeed, logger: logger)
        return [
            .ledgerComparison(settlement, logger: logger),
            .settlement(settlement, pause: configuration.settlementInterval, logger: logger),
            .holds(environment, pause: configuration.settlementInterval),
            .imports(services.imports, logger: logger),
            .productTimes(environment),
            .purge(environment, pause: configuration.jobInterval * 20),
            .signingKeys(services.keyRing, pause: configuration.jobInterval),
        ] + (configuration.offersRides ? [city.job] : [])
    }

    private func server() throws -> HTTPServerBuilder {
        let connections = ConnectionCount(
            limit: configuration.connections, proxies: configuration.policy.trustedProxies)
        let http = lane.server(configuration.patience, connections)
        guard let tls = configuration.tls else { return http }
        return try .tls(http, tlsConfiguration: tls.settings())
    }
}

/// A mistake in the files of `ServerConfiguration.TLS`.
public enum TLSFilesError: Error, Equatable, CustomStringConvertible {
    case noCertificates(path: String)
    case noKey(path: String)
    /// The key is not the one of the chain's first certificate.
    case otherKey(path: String, certificatePath: String)

    public var description: String {
        switch self {
        case .noCertificates(let path): "\(path) is not a PEM certificate chain"
        case .noKey(let path): "\(path) has no PEM private key"
        case .otherKey(let path, let certificatePath): "\(path) is not the key of the certificate in \(certificatePath)"
        }
    }
}

extension ServerConfiguration.TLS {
    /// TLS 1.2 or later with the certificate and key of the files.
    fileprivate func settings() throws(TLSFilesError) -> TLSConfiguration {
        guard let chain = try? NIOSSLCertificate.fromPEMFile(certificatePath) else {
            throw .noCertificates(path: certificatePath)
        }
        guard let key = try? NIOSSLPrivateKey(file: keyPath, format: .pem) else { throw .noKey(path: keyPath) }
        var settings = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key))
        settings.minimumTLSVersion = .tlsv12
        // Otherwise the server would find out while it starts to listen.
        guard (try? NIOSSLContext(configuration: settings)) != nil else {
            throw .otherKey(path: keyPath, certificatePath: certificatePath)
        }
        return settings
    }
}

/// Closes something at graceful shutdown, after all services that started later have ended.
private struct Closing: Service {
    let close: @Sendable () async throws -> Void

    func run() async throws {
        try? await gracefulShutdown()
        try await close()
    }
}
