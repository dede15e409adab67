import Hummingbird
import PouchContract
import PouchDomain
import PouchImport
import PouchWire

/// Every route of the API: its exchange in the contract, and its handler. Extensions add the routes of a feature.
///
///     let application = Application(router: ShopRouter.build(services).router)
///
/// The verb after an exchange says how its handler runs: `open` and `serve` need no token; `cached` answers from a
/// catalogue snapshot; `read`, `list`, `write` and `delete` run in one transaction; `perform` and `stream` run their own
/// transactions. A test compares the routes with `Endpoint.all`.
public enum ShopRouter {
    /// - Parameters:
    ///   - isEncrypted: whether the server uses TLS, so that browsers are asked to use only HTTPS.
    ///   - telemetry: the destinations of metrics, traces and log lines about requests.
    ///   - refusals: answers browsers whose requests are refused, even before they reach a route; nil without pages.
    ///   - parts: the routes of the server's parts, such as rides. The paths of the others are unknown.
    /// - Returns: the router; the lane, which sends ready answers of `cached` instead of the router; and the routes by
    ///   their endpoints.
    public static func build(
        _ services: ShopServices, policy: RequestPolicy = RequestPolicy(), isEncrypted: Bool = false,
        telemetry: RequestTelemetry = RequestTelemetry(),
        refusals: (any MiddlewareProtocol<Request, Response, PouchRequestContext>)? = nil, parts: [RoutesOfPart] = []
    ) -> (router: Router<PouchRequestContext>, lane: CatalogLane, table: RouteTable) {
        let time = services.environment.time
        let limiter = policy.requests.map { NetworkLimiter($0, time: time) }
        let meters = RequestMeters(telemetry.metrics, endpoints: Endpoint.all)
        let lane = CatalogLane(
            CatalogAnswers(catalog: services.catalog, keys: services.keyRing, metrics: telemetry.metrics),
            limiter: limiter, policy: policy, isEncrypted: isEncrypted, telemetry: telemetry)
        let router = Router(context: PouchRequestContext.self, options: .autoGenerateHeadEndpoints)
        router.add(middleware: AwaitedBodyMiddleware())
        router.add(middleware: ClientAddressMiddleware(addresses: lane.addresses))
        router.add(middleware: AllowedOriginsMiddleware(origins: policy.allowedOrigins))
        router.add(middleware: ProblemMiddleware(isEncrypted: isEncrypted, telemetry: telemetry, meters: meters))
        if let refusals { router.add(middleware: refusals) }
        if let limiter { router.add(middleware: RequestLimitMiddleware(limiter: limiter)) }
        router.add(middleware: PreflightMiddleware(origins: policy.allowedOrigins))
        router.add(middleware: CursorKeyMiddleware(keyRing: services.keyRing))
        let authenticator = Authenticator(services.environment, tokens: services.accessTokens)
        let digests = services.environment.digests
        let newSessions = policy.newSessions
        let routes = RouteRegistrar(
            router: router,
            steps: RouteSteps(
                store: services.store, authenticator: authenticator, digests: digests,
                idempotency: Idempotency(time: time), audit: AuditLog(services.environment),
                storedKeys: newSessions.map { NetworkLimiter($0, time: time) }),
            answers: lane.answers, meters: meters,
            pages: ListPager(cursors: CursorSigner(keyRing: services.keyRing, digests: digests)),
            currency: services.environment.shop.currency)

        let system = SystemHandlers(readiness: Readiness(services.store), digests: digests)
        routes(Contract.healthLive).open(system.live)
        routes(Contract.healthReady).open(system.ready)
        routes(Contract.openAPI).serve(system.openAPI)

        addSessions(
            to: routes, services, authenticator, limiter: newSessions.map { NetworkLimiter($0, time: time) })
        addAccount(to: routes, services)
        addAccountSafety(to: routes, services)

        addCatalog(to: routes, services)
        let guesses = DiscountGuesses(checkouts: services.checkout, time: time)
        addCart(to: routes, services.carts, guesses)
        addOrders(to: routes, services, guesses, declines: policy.declinedPayments)

        for part in parts { part.add(routes) }

        let imports = ImportHandlers(
            imports: services.imports, shop: services.environment.shop, digests: digests, steps: routes.steps)
        routes(Contract.importCatalog).stream(imports.importCatalog)
        routes(Contract.catalogImport).read(imports.catalogImport)
        addProducts(to: routes, services)
        addTaxonomy(to: routes, services)
        addAdministration(to: routes, services)
        addManagedOrders(to: routes, services)
        addFigures(to: routes, services)
        addEvents(to: routes)
        addWebhooks(to: routes, services.webhooks)
        addStaff(to: routes, services)
        return (router, lane, routes.table)
    }
}

/// The routes of a part of the server.
public struct RoutesOfPart: Sendable {
    fileprivate let add: @Sendable (RouteRegistrar) -> Void

    package init(_ add: @escaping @Sendable (RouteRegistrar) -> Void) {
        self.add = add
    }
}
