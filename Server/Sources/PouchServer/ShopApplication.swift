import Foundation
import Hummingbird
import HummingbirdCore
import HummingbirdTLS
import Logging
import NIOCore
import NIOSSL
import PouchDomain
import PouchHTTP
import PouchStorage
import ServiceLifecycle

/// The composition root: the one place that names the concrete types of a server.
public struct ShopApplication {
    public let environment: DomainEnvironment
    public let services: ShopServices
    /// Takes further routes until `application(logger:)` is called.
    public let router: Router<PouchRequestContext>

    private let configuration: ServerConfiguration
    private let database: any Database
    /// nil where another service charges the cards.
    private let sandbox: EmbeddedSandbox?

    /// Opens the databases, loads the catalogue and builds all that a server consists of.
    public init(_ configuration: ServerConfiguration) async throws {
        self.configuration = configuration
        (database, environment) = try await configuration.open()
        let payments: HTTPPaymentProvider
        switch configuration.payments {
        case .sandbox:
            let sandbox = try await EmbeddedSandbox(
                ledgerPath: configuration.sandboxLedgerPath, timing: configuration.sandboxTiming,
                random: environment.random)
            self.sandbox = sandbox
            payments = HTTPPaymentProvider(key: sandbox.key, address: sandbox.address)
        case .service(let url, let key):
            sandbox = nil
            payments = HTTPPaymentProvider(key: key) { url }
        }
        let keyRing = try await KeyRing(environment)
        services = ShopServices(
            environment: environment,
            keyRing: keyRing,
            accessTokens: JWTAccessTokens(keyRing: keyRing, time: configuration.time),
            passwords: try ScryptPasswordHasher(cost: configuration.passwordCost),
            payments: payments,
            catalog: try await CatalogFollower(store: environment.store, time: configuration.time),
            rideHeartbeat: configuration.rideHeartbeat
        )
        try await Fleet(environment).establish()
        router = ShopRouter.build(services)
    }

    public func application(logger: Logger) throws -> some ApplicationProtocol {
        let (database, onListening) = (database, configuration.onListening)
        return Application(
            router: router,
            server: try server(),
            configuration: .init(address: .hostname(configuration.host, port: configuration.port), backlog: 1_024),
            // They end in the opposite order, after the server: requests that are paying still reach the sandbox.
            services: [Closing { try await database.close() }] + (sandbox.map { [$0.service(logger: logger)] } ?? [])
                + [
                    SettlementRunner(
                        settlement: services.checkout.settlement, environment: environment,
                        interval: configuration.settlementInterval,
                        logger: logger),
                    ImportRunner(
                        imports: services.imports, interval: configuration.importInterval, logger: logger),
                    CityRunner(
                        environment: environment, feed: services.rideFeed, alarm: services.cityAlarm,
                        interval: configuration.cityInterval, logger: logger),
                ],
            onServerRunning: { channel in await onListening(channel.localAddress?.port ?? 0) },
            logger: logger
        )
    }

    private func server() throws -> HTTPServerBuilder {
        let http = HTTPServerBuilder.http1(configuration: .init(idleTimeout: .seconds(75)))
        guard let tls = configuration.tls else { return http }
        let chain = try NIOSSLCertificate.fromPEMFile(tls.certificatePath).map {
            NIOSSLCertificateSource.certificate($0)
        }
        let key = try NIOSSLPrivateKey(file: tls.keyPath, format: .pem)
        return try .tls(
            http, tlsConfiguration: .makeServerConfiguration(certificateChain: chain, privateKey: .privateKey(key)))
    }
}
