import Hummingbird
import PouchContract
import PouchDomain
import PouchImport
import PouchWire

/// Every route of the API: its exchange in the contract, and its handler.
///
///     let application = Application(router: ShopRouter.build(services).router)
///
/// The verb at the end of a line says how its handler runs: `open` and `serve` need no token; `cached` answers from a
/// catalogue snapshot; `read`, `write`, `evaluate` and `delete` run in one transaction; `perform` and `stream` run
/// their own transactions. A test compares the page with `Endpoint.all`.
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
        let pages = ListPager(cursors: CursorSigner(keyRing: services.keyRing, digests: services.environment.digests))
        let routes = RouteRegistrar(
            router: router,
            steps: RouteSteps(
                store: services.store, authenticator: authenticator, digests: services.environment.digests,
                idempotency: Idempotency(time: time), audit: AuditLog(services.environment),
                storedKeys: policy.newSessions.map { NetworkLimiter($0, time: time) }),
            answers: lane.answers, meters: meters, currency: services.environment.shop.currency)

        // MARK: System
        let system = SystemHandlers(
            readiness: Readiness(services.store), digests: services.environment.digests)
        routes(Contract.healthLive).open(system.live)
        routes(Contract.healthReady).open(system.ready)
        routes(Contract.openAPI).serve(system.openAPI)
        routes(Contract.asset).serve(AssetHandler(store: services.store).asset)

        // MARK: Sessions and accounts
        let sessions = SessionHandlers(
            accounts: services.accounts, issuer: services.issuer, authenticator: authenticator,
            newSessions: policy.newSessions.map { NetworkLimiter($0, time: time) })
        routes(Contract.signUp).open(sessions.signUp)
        routes(Contract.signIn).open(sessions.signIn)
        routes(Contract.startGuestSession).open(sessions.startGuestSession)
        routes(Contract.refreshSession).open(sessions.refresh)
        routes(Contract.signOut).perform(sessions.signOut)

        let account = AccountHandlers(accounts: services.accounts, pages: pages)
        routes(Contract.profile).read(account.profile)
        routes(Contract.updateProfile).write(account.updateProfile)
        routes(Contract.deleteAccount).perform(account.delete)
        routes(Contract.changePassword).perform(account.changePassword)
        addAccountSafety(to: routes, services, pages: pages)
        routes(Contract.addresses).read(account.addresses)
        routes(Contract.addAddress).write(account.addAddress)
        routes(Contract.updateAddress).write(account.updateAddress)
        routes(Contract.deleteAddress).delete(account.deleteAddress)

        // MARK: Catalogue
        let catalog = CatalogHandlers(
            store: services.store, shop: services.environment.shop, time: time, pages: pages)
        routes(Contract.shop).open(catalog.shopProfile)
        routes(Contract.seasons).cached(catalog.seasons)
        routes(Contract.themes).cached(catalog.themes)
        routes(Contract.categories).cached(catalog.categories)
        routes(Contract.promotions).cached(catalog.promotions)
        routes(Contract.products).cached(catalog.products)
        routes(Contract.product).cached(catalog.product)
        routes(Contract.availability).open(catalog.availability)

        // MARK: Cart and checkout
        let cart = CartHandlers(carts: services.carts, pages: pages)
        let orders = OrderHandlers(services: services, pages: pages, declines: policy.declinedPayments)
        let guesses = DiscountGuesses(checkouts: services.checkout, time: time)
        routes(Contract.cart).read(cart.cart)
        routes(Contract.clearCart).write(isolation: .readCommitted, cart.clear)
        routes(Contract.addCartLine).write(isolation: .readCommitted, repeating: cart.addedLine, cart.addLine)
        routes(Contract.setCartLine).write(isolation: .readCommitted, cart.setLine)
        routes(Contract.removeCartLine).write(isolation: .readCommitted, cart.removeLine)
        routes(Contract.setCartDiscount).write(isolation: .readCommitted, guesses.limited(cart.setDiscount))
        routes(Contract.removeCartDiscount).write(isolation: .readCommitted, cart.removeDiscount)
        routes(Contract.shippingMethods).read(cart.shippingMethods)
        routes(Contract.setCartShipping).write(isolation: .readCommitted, cart.setShipping)
        routes(Contract.checkout).perform(orders.checkout)

        // MARK: Orders
        routes(Contract.previewOrder).evaluate(guesses.limited(orders.preview))
        routes(Contract.buyNow).perform(guesses.limited(orders.buyNow))
        routes(Contract.orders).read(orders.orders)
        routes(Contract.order).read(orders.order)
        routes(Contract.cancelOrder).perform(orders.cancel)
        routes(Contract.changeDelivery).perform(orders.changeDelivery)
        let orderEvents = OrderEventHandler(store: services.store, feed: services.orderFeed)
        routes(Contract.orderEvents).stream(orderEvents.events)

        let links = OrderLinkHandler(services: services)
        routes(Contract.orderByLink).open(links.order)

        // MARK: Parts
        for part in parts { part.add(routes, pages) }

        // MARK: Administration
        let imports = ImportHandlers(
            imports: services.imports, shop: services.environment.shop, digests: services.environment.digests)
        routes(Contract.importCatalog).stream(imports.importCatalog)
        routes(Contract.catalogImport).read(imports.catalogImport)

        addProducts(services, routes, pages)

        let admin = AdministrationHandlers(services: services, pages: pages)
        // Read committed, because buyers and administrators may change the same SKU at the same time.
        routes(Contract.updateVariant).write(isolation: .readCommitted, admin.updateVariant)
        routes(Contract.discounts).read(admin.discounts)
        routes(Contract.addDiscount).write(admin.addDiscount)
        routes(Contract.updateDiscount).write(admin.updateDiscount)
        routes(Contract.deleteDiscount).delete(admin.deleteDiscount)
        routes(Contract.scheduledPrices).read(admin.scheduledPrices)
        routes(Contract.schedulePrice).write(admin.schedulePrice)
        routes(Contract.deleteScheduledPrice).delete(admin.deletePrice)
        events(routes, services, pages)
        routes.addManagedOrders(services, pages: pages)
        confirmationRoutes(routes, services)
        staffRoutes(routes, services, pages: pages)
        return (router, lane, routes.table)
    }
}

/// The routes of a part of the server.
public struct RoutesOfPart: Sendable {
    fileprivate let add: @Sendable (RouteRegistrar, ListPager) -> Void

    package init(_ add: @escaping @Sendable (RouteRegistrar, ListPager) -> Void) {
        self.add = add
    }
}
