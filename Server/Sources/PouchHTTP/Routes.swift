import Hummingbird
import PouchContract
import PouchDomain
import PouchImport
import PouchRides
import PouchWire

/// Every route of the API: its method and path, its access, its exchange in the contract, and its handler.
///
///     let application = Application(router: ShopRouter.build(services).router)
///
/// The verb at the end of a line says how its handler runs: `open` and `serve` need no token; `cached` answers from a
/// catalogue snapshot; `read`, `write`, `evaluate` and `delete` run in one transaction; `perform` and `stream` run
/// transactions of their own.
///
/// A line that differs from the contract stops the server at start, and a test compares the page with `Endpoint.all`.
public enum ShopRouter {
    /// - Parameters:
    ///   - isEncrypted: whether the server speaks TLS, so that browsers are asked to use nothing else.
    ///   - offersRides: whether there are routes for rides; without them the paths are unknown.
    ///   - sight: what is measured, traced and logged of requests.
    ///   - refusals: answers browsers whose requests are refused, also before they come to a route; nil without pages.
    /// - Returns: the router, the lane that answers instead of it where an answer of `cached` is ready, and the routes by
    ///   their endpoints.
    public static func build(
        _ services: ShopServices, policy: RequestPolicy = RequestPolicy(), isEncrypted: Bool = false,
        offersRides: Bool = true, sight: RequestSight = RequestSight(),
        refusals: (any MiddlewareProtocol<Request, Response, PouchRequestContext>)? = nil
    ) -> (router: Router<PouchRequestContext>, lane: CatalogLane, table: RouteTable) {
        let time = services.environment.time
        let limiter = policy.requests.map { NetworkLimiter($0, time: time) }
        let meters = RequestMeters(sight.metrics, endpoints: Endpoint.all)
        let lane = CatalogLane(
            CatalogAnswers(catalog: services.catalog, keys: services.keyRing, metrics: sight.metrics),
            limiter: limiter, policy: policy, isEncrypted: isEncrypted, sight: sight)
        let router = Router(context: PouchRequestContext.self, options: .autoGenerateHeadEndpoints)
        router.add(middleware: AwaitedBodyMiddleware())
        router.add(middleware: ClientAddressMiddleware(addresses: lane.addresses))
        router.add(middleware: AllowedOriginsMiddleware(origins: policy.allowedOrigins))
        router.add(middleware: ProblemMiddleware(isEncrypted: isEncrypted, sight: sight, meters: meters))
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
            answers: lane.answers, meters: meters)

        // MARK: System
        let system = SystemHandlers(
            readiness: Readiness(services.store), digests: services.environment.digests)
        routes("GET /health/live", .anyone, Contract.healthLive).open(system.live)
        routes("GET /health/ready", .anyone, Contract.healthReady).open(system.ready)
        routes("GET /openapi.json", .anyone, Contract.openAPI).serve(system.openAPI)
        routes("GET /assets/{path...}", .anyone, Contract.asset).serve(AssetHandler(store: services.store).asset)

        // MARK: Sessions and accounts
        let sessions = SessionHandlers(
            accounts: services.accounts, issuer: services.issuer, authenticator: authenticator,
            newSessions: policy.newSessions.map { NetworkLimiter($0, time: time) })
        routes("POST /v1/accounts", .anyone, Contract.signUp).open(sessions.signUp)
        routes("POST /v1/sessions", .anyone, Contract.signIn).open(sessions.signIn)
        routes("POST /v1/sessions/guest", .anyone, Contract.startGuestSession).open(sessions.startGuestSession)
        routes("POST /v1/sessions/refresh", .anyone, Contract.refreshSession).open(sessions.refresh)
        routes("DELETE /v1/sessions/current", .guestOrCustomer, Contract.signOut).perform(sessions.signOut)

        let account = AccountHandlers(accounts: services.accounts, pages: pages)
        routes("GET /v1/account", .customer, Contract.profile).read(account.profile)
        routes("PATCH /v1/account", .customer, Contract.updateProfile).write(account.updateProfile)
        routes("DELETE /v1/account", .customer, Contract.deleteAccount).perform(account.delete)
        routes("PUT /v1/account/password", .customer, Contract.changePassword).perform(account.changePassword)
        addAccountSafety(to: routes, services, pages: pages)
        routes("GET /v1/account/addresses", .customer, Contract.addresses).read(account.addresses)
        routes("POST /v1/account/addresses", .customer, Contract.addAddress).write(account.addAddress)
        routes("PATCH /v1/account/addresses/{id}", .customer, Contract.updateAddress).write(account.updateAddress)
        routes("DELETE /v1/account/addresses/{id}", .customer, Contract.deleteAddress).delete(account.deleteAddress)

        // MARK: Catalogue
        let catalog = CatalogHandlers(
            store: services.store, shop: services.environment.shop, time: time, pages: pages)
        routes("GET /v1/shop", .anyone, Contract.shop).open(catalog.shopProfile)
        routes("GET /v1/seasons", .anyone, Contract.seasons).cached(catalog.seasons)
        routes("GET /v1/themes", .anyone, Contract.themes).cached(catalog.themes)
        routes("GET /v1/categories", .anyone, Contract.categories).cached(catalog.categories)
        routes("GET /v1/promotions", .anyone, Contract.promotions).cached(catalog.promotions)
        routes("GET /v1/products", .anyone, Contract.products).cached(catalog.products)
        routes("GET /v1/products/{handle}", .anyone, Contract.product).cached(catalog.product)
        routes("GET /v1/availability", .anyone, Contract.availability).open(catalog.availability)

        // MARK: Cart and checkout
        let cart = CartHandlers(carts: services.carts, pages: pages)
        let orders = OrderHandlers(services: services, pages: pages, declines: policy.declinedPayments)
        let guesses = DiscountGuesses(checkouts: services.checkout, time: time)
        routes("GET /v1/cart", .guestOrCustomer, Contract.cart).read(cart.cart)
        routes("DELETE /v1/cart", .guestOrCustomer, Contract.clearCart).write(isolation: .readCommitted, cart.clear)
        routes("POST /v1/cart/lines", .guestOrCustomer, Contract.addCartLine).write(
            isolation: .readCommitted, repeating: cart.addedLine, cart.addLine)
        routes("PUT /v1/cart/lines/{sku}", .guestOrCustomer, Contract.setCartLine).write(
            isolation: .readCommitted, cart.setLine)
        routes("DELETE /v1/cart/lines/{sku}", .guestOrCustomer, Contract.removeCartLine).write(
            isolation: .readCommitted, cart.removeLine)
        routes("PUT /v1/cart/discount", .guestOrCustomer, Contract.setCartDiscount).write(
            isolation: .readCommitted, guesses.limited(cart.setDiscount))
        routes("DELETE /v1/cart/discount", .guestOrCustomer, Contract.removeCartDiscount).write(
            isolation: .readCommitted, cart.removeDiscount)
        routes("GET /v1/cart/shipping-methods", .guestOrCustomer, Contract.shippingMethods).read(cart.shippingMethods)
        routes("PUT /v1/cart/shipping", .guestOrCustomer, Contract.setCartShipping).write(
            isolation: .readCommitted, cart.setShipping)
        routes("POST /v1/cart/checkout", .guestOrCustomer, Contract.checkout).perform(orders.checkout)

        // MARK: Orders
        routes("POST /v1/orders/preview", .guestOrCustomer, Contract.previewOrder).evaluate(
            guesses.limited(orders.preview))
        routes("POST /v1/orders", .guestOrCustomer, Contract.buyNow).perform(guesses.limited(orders.buyNow))
        routes("GET /v1/orders", .guestOrCustomer, Contract.orders).read(orders.orders)
        routes("GET /v1/orders/{id}", .guestOrCustomer, Contract.order).read(orders.order)
        routes("POST /v1/orders/{id}/cancel", .guestOrCustomer, Contract.cancelOrder).perform(orders.cancel)
        routes("PUT /v1/orders/{id}/shipping", .guestOrCustomer, Contract.changeDelivery).perform(orders.changeDelivery)
        let orderEvents = OrderEventHandler(store: services.store, feed: services.orderFeed)
        routes("GET /v1/orders/{id}/events", .guestOrCustomer, Contract.orderEvents).stream(orderEvents.events)

        let links = OrderLinkHandler(services: services)
        routes("POST /v1/orders/lookup", .anyone, Contract.orderByLink).open(links.order)

        // MARK: Rides
        if offersRides {
            let rides = RideHandlers(
                service: services.rides, placeSearch: services.places, time: time, pages: pages)
            routes("GET /v1/ride/places", .anyone, Contract.ridePlaces).open(rides.places)
            routes("GET /v1/ride/options", .anyone, Contract.rideOptions).open(rides.options)
            routes("POST /v1/ride/quotes", .customer, Contract.quoteRide).evaluate(rides.quote)
            routes("POST /v1/rides", .customer, Contract.requestRide).write(
                isolation: .readCommitted, rides.request)
            routes("GET /v1/rides", .customer, Contract.rides).read(rides.rides)
            routes("GET /v1/rides/{id}", .customer, Contract.ride).read(rides.ride)
            routes("POST /v1/rides/{id}/cancel", .customer, Contract.cancelRide).write(
                isolation: .readCommitted, rides.cancel)
            routes("GET /v1/rides/{id}/receipt", .customer, Contract.rideReceipt).read(rides.receipt)
            let events = RideEventHandler(store: services.store, rides: services.rides, feed: services.rideFeed)
            routes("GET /v1/rides/{id}/events", .customer, Contract.rideEvents).stream(events.events)
        }

        // MARK: Administration
        let imports = ImportHandlers(
            imports: services.imports, shop: services.environment.shop, digests: services.environment.digests)
        routes("POST /v1/admin/imports", .staff(.writeCatalog), Contract.importCatalog).stream(imports.importCatalog)
        routes("GET /v1/admin/imports/{id}", .staff(.readCatalog), Contract.catalogImport).read(imports.catalogImport)

        addProducts(services, routes, pages)

        let admin = AdministrationHandlers(services: services, pages: pages)
        // Read committed, because buyers and administrators may change one SKU at the same time.
        routes("PATCH /v1/admin/variants/{sku}", .staff(.writeCatalog), Contract.updateVariant).write(
            isolation: .readCommitted, admin.updateVariant)
        routes("GET /v1/admin/discounts", .staff(.readCatalog), Contract.discounts).read(admin.discounts)
        routes("POST /v1/admin/discounts", .staff(.writeDiscounts), Contract.addDiscount).write(admin.addDiscount)
        routes("PATCH /v1/admin/discounts/{id}", .staff(.writeDiscounts), Contract.updateDiscount).write(
            admin.updateDiscount)
        routes("DELETE /v1/admin/discounts/{id}", .staff(.writeDiscounts), Contract.deleteDiscount).delete(
            admin.deleteDiscount)
        routes("GET /v1/admin/scheduled-prices", .staff(.readCatalog), Contract.scheduledPrices).read(
            admin.scheduledPrices)
        routes("POST /v1/admin/scheduled-prices", .staff(.writeCatalog), Contract.schedulePrice).write(
            admin.schedulePrice)
        routes("DELETE /v1/admin/scheduled-prices/{id}", .staff(.writeCatalog), Contract.deleteScheduledPrice).delete(
            admin.deletePrice)
        events(routes, services, pages)
        routes.addOrderDesk(services, pages: pages)
        confirmationRoutes(routes, services)
        staffRoutes(routes, services, pages: pages)
        return (router, lane, routes.table)
    }
}
