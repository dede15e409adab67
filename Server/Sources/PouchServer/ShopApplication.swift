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
    private let ledger: SandboxLedger

    /// Opens the databases, loads the catalogue and builds all that a server consists of.
    public init(_ configuration: ServerConfiguration) async throws {
        self.configuration = configuration
        (database, environment) = try await configuration.open()
        ledger = try await SandboxLedger(
            path: configuration.dataFolder.appending(path: "sandbox-payments.sqlite").path, random: environment.random)
        let payments = SandboxPayments(ledger: ledger, timing: configuration.sandboxTiming)
        let keyRing = try await KeyRing(environment)
        services = ShopServices(
            environment: environment,
            keyRing: keyRing,
            accessTokens: JWTAccessTokens(keyRing: keyRing, time: configuration.time),
            passwords: try ScryptPasswordHasher(cost: configuration.passwordCost),
            payments: payments,
            catalog: try await CatalogFollower(store: environment.store, time: configuration.time)
        )
        router = ShopRouter.build(services)
    }

    public func application(logger: Logger) throws -> some ApplicationProtocol {
        let (database, ledger, onListening) = (database, ledger, configuration.onListening)
        return Application(
            router: router,
            server: try server(),
            configuration: .init(address: .hostname(configuration.host, port: configuration.port), backlog: 1_024),
            services: [
                Closing { try await database.close() },
                Closing { try await ledger.close() },
                SettlementRunner(
                    settlement: services.checkout.settlement, environment: environment,
                    interval: configuration.settlementInterval,
                    logger: logger),
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
