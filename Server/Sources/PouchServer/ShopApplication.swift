import Foundation
import Hummingbird
import HummingbirdCore
import HummingbirdTLS
import Logging
import NIOCore
import PouchDomain
import PouchHTTP
import PouchImport
import PouchMail
import PouchSandbox
import PouchTelemetry
import PouchStorage
import PouchWeb
import ServiceLifecycle

/// The composition root: the only place that names a server's concrete types.
///
///     let shop = try await ShopApplication(configuration, logger: logger)
///     try await shop.application(logger: logger).run()
public struct ShopApplication {
    public let environment: DomainEnvironment
    public let store: ShopDatabase
    public let services: ShopServices
    public let telemetry: ShopTelemetry
    /// Accepts more routes until `application(logger:)` is called.
    public let router: Router<PouchRequestContext>
    /// Called with the port once the server accepts requests. Defaults to the configuration's; a program can replace it
    /// with one that uses the open shop.
    public var onListening: @Sendable (Int) async -> Void

    private let lane: CatalogLane
    private let configuration: ServerConfiguration
    private let parts: [OpenPart]
    /// One for the consumer and the sender, since only the holder of a lease may finish it.
    private let dispatch: WebhookDispatch
    private let webhookRule: WebhookAddressRule
    private let database: any Database
    /// nil unless the sandbox runs in this process.
    private let ledger: SandboxLedger?
    /// nil on PostgreSQL.
    private let agreement: SettingsAgreement?
    /// nil without TLS.
    public let certificate: ServingCertificate?

    /// Opens the database, loads the catalogue and builds the services.
    ///
    /// - Parameter logger: logs the unexpected errors of the sandbox in this process.
    /// - Throws: `TLSFilesError`, `SettingsMismatch`, and the errors of `ServerConfiguration.open()`.
    public init(_ configuration: ServerConfiguration, logger: Logger = Logger(label: "pouch")) async throws {
        let telemetry = ShopTelemetry(configuration.telemetry)
        var configuration = configuration
        configuration.instrument = { [instrument = configuration.instrument] in instrument(telemetry.watched($0)) }
        self.configuration = configuration
        onListening = configuration.onListening
        self.telemetry = telemetry
        certificate = try configuration.tls.map { try ServingCertificate($0) }
        (database, store, environment) = try await configuration.open()
        dispatch = WebhookDispatch(environment)
        webhookRule = WebhookAddressRule(allowsPrivate: configuration.allowsPrivateWebhooks)
        agreement =
            if case .sqlite(let path) = configuration.database {
                try await SettingsAgreement(at: path, configuration.shared(environment.shop)) {
                    [store = environment.store] in
                    try await OrderNumbers.recover(in: store)
                }
            } else { nil }
        for advice in try await store.read({ [shop = environment.shop] in try shop.advice(in: $0) }) {
            logger.warning("\(advice)")
        }
        let payments: any PaymentProvider
        switch configuration.payments {
        case .sandbox:
            let ledger = try await SandboxLedger(path: configuration.sandboxLedgerPath, random: environment.random)
            self.ledger = ledger
            payments = SandboxProvider(ledger: ledger, timing: configuration.sandboxTiming, logger: logger)
        case .service(let address, let key):
            ledger = nil
            payments = HTTPPaymentProvider(at: address, key: key)
        }
        let keyRing = try await KeyRing(environment)
        let passwords = try ScryptPasswordHasher(cost: configuration.passwordCost)
        services = ShopServices(
            environment: environment,
            store: store,
            keyRing: keyRing,
            accessTokens: JWTAccessTokens(
                keyRing: keyRing, digests: environment.digests, time: configuration.time),
            passwords: passwords,
            payments: WatchedPayments(provider: payments, metrics: telemetry.metrics, tracer: telemetry.tracer),
            catalog: try await CatalogFollower(
                store: environment.store, time: configuration.time, timeout: configuration.catalogTimeout),
            heartbeat: configuration.rideHeartbeat,
            webhookRule: webhookRule
        )
        var parts: [OpenPart] = []
        for part in configuration.parts { parts.append(try await part.open(services, logger: logger)) }
        self.parts = parts
        var pages: WebPages?
        if configuration.servesPages {
            var settings = try configuration.pages
            settings.report = configuration.report
            pages = WebPages(services, settings)
        }
        let actions: RouteTable
        (router, lane, actions) = ShopRouter.build(
            services, policy: configuration.policy, isEncrypted: configuration.tls != nil,
            telemetry: telemetry.requests, refusals: pages?.refusals, parts: parts.map(\.routes))
        pages?.add(to: router, actions: actions)
        telemetry.observe(passwords)
        try await telemetry.observe(store, consumers: consumers.map(\.name), time: configuration.time)
    }

    public func application(logger: Logger) throws -> Application<RouterResponder<PouchRequestContext>> {
        let (database, ledger, agreement, onListening) = (database, ledger, agreement, onListening)
        let checkout = services.checkout
        let connections = ConnectionCount(
            limit: configuration.connections, proxies: configuration.policy.trustedProxies)
        telemetry.registry?.gauge("pouch_http_connections", "Open connections of clients.") {
            Double(connections.current)
        }
        let metrics = telemetry.server(logger: logger)
        let exporter = telemetry.exporter(instance: environment.ids.make(.instance), logger: logger)
        let watchers: [(any Service)?] = [exporter, metrics]
        var application = Application(
            router: router,
            server: try server(connections),
            configuration: .init(
                address: .hostname(configuration.host, port: configuration.port), backlog: 1_024,
                availableConnectionsDelegate: .maximum(configuration.connections, logger: logger)),
            // They end in the opposite order, after the server, so that active payments still reach the ledger, and no
            // checkout needs a number any more.
            services: watchers.compactMap(\.self) + [
                ClosingService {
                    try await database.close()
                    withExtendedLifetime(agreement) {}
                },
                ClosingService { try await ledger?.close() },
                ClosingService { await checkout.releaseNumbers() },
            ] + runners(logger),
            onServerRunning: { channel in await onListening(channel.localAddress?.port ?? 0) },
            logger: logger
        )
        if let metrics {
            let onMetricsListening = configuration.telemetry.onMetricsListening
            application.beforeServerStarts { onMetricsListening(try await metrics.started()) }
        }
        return application
    }

    private func runners(_ logger: Logger) -> [any Service] {
        let webhooks = WebhookSender(
            dispatch: dispatch, store: store, client: WebhookClient(rule: webhookRule),
            signer: WebhookSigner(environment.digests), time: configuration.time, logger: logger)
        let jobs = JobRunner(
            jobs: jobs(logger) + [webhooks.job], store: store, time: configuration.time,
            interval: configuration.jobInterval, announcements: store.announcements, logger: logger,
            watch: telemetry.background)
        let catalog = CatalogRunner(catalog: services.catalog, announcements: store.announcements, logger: logger)
        let feeds = LiveFeedRunner(
            store: store, orders: services.orderFeed, rides: services.rideFeed, logger: logger)
        // The jobs end before the webhooks, which send what a job has leased.
        return [catalog, webhooks, jobs, feeds]
    }

    /// The consumers of the shop's events.
    private var consumers: [EventConsumer] {
        [dispatch.consumer, EventMails(environment).consumer(sendsMail: configuration.mail != nil)]
    }

    /// The background work that has no service of its own.
    func jobs(_ logger: Logger) -> [Job] {
        let settlement = services.checkout.settlement
        return [
            .ledgerComparison(settlement, logger: logger),
            .settlement(
                settlement, pause: configuration.settlementInterval, metrics: telemetry.metrics, logger: logger),
            .holds(environment, pause: configuration.settlementInterval),
            .anonymity(environment),
            .imports(services.imports, logger: logger),
            .passwordResets(services.accounts),
            .productTimes(environment),
            .purge(environment, auditDays: configuration.auditDays, pause: configuration.jobInterval * 20),
            .signingKeys(services.keyRing, pause: configuration.jobInterval),
            .numbering(store, pause: configuration.jobInterval * 4),
        ] + consumers.map(Job.events) + parts.flatMap(\.jobs)
            + (configuration.mail.map { [.mail($0, environment, services.keyRing, logger: logger)] } ?? [])
    }

    private func server(_ connections: ConnectionCount) throws -> HTTPServerBuilder {
        let http = lane.server(configuration.timeouts, connections)
        guard let certificate else { return http }
        return try .tls(http, tlsConfiguration: certificate.settings)
    }
}

/// Closes a resource at graceful shutdown, after all services that started later have ended.
private struct ClosingService: Service {
    let close: @Sendable () async throws -> Void

    func run() async throws {
        try? await gracefulShutdown()
        try await close()
    }
}
