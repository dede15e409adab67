import Hummingbird
import PouchContract
import PouchDomain
import PouchImport
import PouchRides
import PouchWire

/// Every route of the API: its method and path, its access, its exchange in the contract, and its handler.
///
///     let application = Application(router: ShopRouter.build(services))
///
/// The verb says how a handler runs: `open` needs no token; `cached` answers from a catalogue snapshot; `read`,
/// `write`, `evaluate` and `delete` run in one transaction; `perform` and `stream` run transactions of their own.
///
/// A line that differs from the contract stops the server at start, and a test compares the page with `Endpoint.all`.
public enum ShopRouter {
    public static func build(_ services: ShopServices) -> Router<PouchRequestContext> {
        let router = Router(context: PouchRequestContext.self, options: .autoGenerateHeadEndpoints)
        router.add(middleware: ProblemMiddleware())
        router.add(middleware: CursorKeyMiddleware(keyRing: services.keyRing))
        let authenticator = Authenticator(store: services.store, tokens: services.accessTokens)
        let pages = ListPager(cursors: CursorSigner(keyRing: services.keyRing, digests: services.environment.digests))
        let routes = RouteRegistrar(
            router: router,
            steps: RouteSteps(
                store: services.store, authenticator: authenticator, digests: services.environment.digests,
                idempotency: Idempotency(time: services.environment.time)),
            answers: CatalogAnswers(catalog: services.catalog))

        // MARK: System
        let system = SystemHandlers(store: services.store, digests: services.environment.digests)
        routes.open("GET /health/live", Contract.healthLive, system.live)
        routes.open("GET /health/ready", Contract.healthReady, system.ready)
        routes.open("GET /openapi.json", .openAPI, system.openAPI)
        routes.open("GET /assets/{path...}", .asset, AssetHandler(store: services.store).asset)

        // MARK: Sessions and accounts
        let sessions = SessionHandlers(
            accounts: services.accounts, issuer: services.issuer, authenticator: authenticator)
        routes.open("POST /v1/accounts", Contract.signUp, sessions.signUp)
        routes.open("POST /v1/sessions", Contract.signIn, sessions.signIn)
        routes.open("POST /v1/sessions/guest", Contract.startGuestSession, sessions.startGuestSession)
        routes.open("POST /v1/sessions/refresh", Contract.refreshSession, sessions.refresh)
        routes.perform("DELETE /v1/sessions/current", .guestOrCustomer, Contract.signOut, sessions.signOut)

        let account = AccountHandlers(accounts: services.accounts, pages: pages)
        routes.read("GET /v1/account", .customer, Contract.profile, account.profile)
        routes.write("PATCH /v1/account", .customer, Contract.updateProfile, account.updateProfile)
        routes.perform("DELETE /v1/account", .customer, Contract.deleteAccount, account.delete)
        routes.perform("PUT /v1/account/password", .customer, Contract.changePassword, account.changePassword)
        routes.read("GET /v1/account/addresses", .customer, Contract.addresses, account.addresses)
        routes.write("POST /v1/account/addresses", .customer, Contract.addAddress, account.addAddress)
        routes.write("PATCH /v1/account/addresses/{id}", .customer, Contract.updateAddress, account.updateAddress)
        routes.delete("DELETE /v1/account/addresses/{id}", .customer, Contract.deleteAddress, account.deleteAddress)

        // MARK: Catalogue
        let catalog = CatalogHandlers(store: services.store, time: services.environment.time, pages: pages)
        routes.cached("GET /v1/seasons", Contract.seasons, catalog.seasons)
        routes.cached("GET /v1/themes", Contract.themes, catalog.themes)
        routes.cached("GET /v1/categories", Contract.categories, catalog.categories)
        routes.cached("GET /v1/promotions", Contract.promotions, catalog.promotions)
        routes.cached("GET /v1/products", Contract.products, catalog.products)
        routes.cached("GET /v1/products/{handle}", Contract.product, catalog.product)
        routes.open("GET /v1/availability", Contract.availability, catalog.availability)

        // MARK: Cart and checkout
        let cart = CartHandlers(carts: services.carts, pages: pages)
        let orders = OrderHandlers(services: services, pages: pages)
        routes.read("GET /v1/cart", .guestOrCustomer, Contract.cart, cart.cart)
        routes.write("DELETE /v1/cart", .guestOrCustomer, Contract.clearCart, cart.clear)
        routes.write("POST /v1/cart/lines", .guestOrCustomer, Contract.addCartLine, cart.addLine)
        routes.write("PUT /v1/cart/lines/{sku}", .guestOrCustomer, Contract.setCartLine, cart.setLine)
        routes.write("DELETE /v1/cart/lines/{sku}", .guestOrCustomer, Contract.removeCartLine, cart.removeLine)
        routes.write("PUT /v1/cart/discount", .guestOrCustomer, Contract.setCartDiscount, cart.setDiscount)
        routes.write("DELETE /v1/cart/discount", .guestOrCustomer, Contract.removeCartDiscount, cart.removeDiscount)
        routes.read("GET /v1/cart/shipping-methods", .guestOrCustomer, Contract.shippingMethods, cart.shippingMethods)
        routes.write("PUT /v1/cart/shipping", .guestOrCustomer, Contract.setCartShipping, cart.setShipping)
        routes.perform("POST /v1/cart/checkout", .guestOrCustomer, Contract.checkout, orders.checkout)

        // MARK: Orders
        routes.evaluate("POST /v1/orders/preview", .guestOrCustomer, Contract.previewOrder, orders.preview)
        routes.perform("POST /v1/orders", .guestOrCustomer, Contract.buyNow, orders.buyNow)
        routes.read("GET /v1/orders", .guestOrCustomer, Contract.orders, orders.orders)
        routes.read("GET /v1/orders/{id}", .guestOrCustomer, Contract.order, orders.order)
        routes.perform("POST /v1/orders/{id}/cancel", .guestOrCustomer, Contract.cancelOrder, orders.cancel)
        routes.perform("PUT /v1/orders/{id}/shipping", .guestOrCustomer, Contract.changeDelivery, orders.changeDelivery)

        // MARK: Rides
        let rides = RideHandlers(
            service: services.rides, placeSearch: services.places, time: services.environment.time, pages: pages)
        let alarm = services.cityAlarm
        routes.open("GET /v1/ride/places", Contract.ridePlaces, rides.places)
        routes.open("GET /v1/ride/options", Contract.rideOptions, rides.options)
        routes.evaluate("POST /v1/ride/quotes", .customer, Contract.quoteRide, rides.quote)
        routes.write(
            "POST /v1/rides", .customer, Contract.requestRide, isolation: .readCommitted,
            afterwards: { await alarm.ring() },
            rides.request)
        routes.read("GET /v1/rides", .customer, Contract.rides, rides.rides)
        routes.read("GET /v1/rides/{id}", .customer, Contract.ride, rides.ride)
        routes.write(
            "POST /v1/rides/{id}/cancel", .customer, Contract.cancelRide, isolation: .readCommitted, rides.cancel)
        routes.read("GET /v1/rides/{id}/receipt", .customer, Contract.rideReceipt, rides.receipt)
        let events = RideEventHandler(store: services.store, rides: services.rides, feed: services.rideFeed)
        routes.stream("GET /v1/rides/{id}/events", .customer, Contract.rideEvents, events.events)

        // MARK: Administration
        let imports = ImportHandlers(
            imports: services.imports, shop: services.environment.shop, digests: services.environment.digests)
        routes.stream("POST /v1/admin/imports", .admin, Contract.importCatalog, imports.importCatalog)
        routes.read("GET /v1/admin/imports/{id}", .admin, Contract.catalogImport, imports.catalogImport)

        let admin = AdministrationHandlers(services: services, pages: pages)
        routes.perform("PATCH /v1/admin/variants/{sku}", .admin, Contract.updateVariant, admin.updateVariant)
        routes.read("GET /v1/admin/discounts", .admin, Contract.discounts, admin.discounts)
        routes.write("POST /v1/admin/discounts", .admin, Contract.addDiscount, admin.addDiscount)
        routes.write("PATCH /v1/admin/discounts/{id}", .admin, Contract.updateDiscount, admin.updateDiscount)
        routes.delete("DELETE /v1/admin/discounts/{id}", .admin, Contract.deleteDiscount, admin.deleteDiscount)
        routes.read("GET /v1/admin/scheduled-prices", .admin, Contract.scheduledPrices, admin.scheduledPrices)
        routes.write("POST /v1/admin/scheduled-prices", .admin, Contract.schedulePrice, admin.schedulePrice)
        routes.delete(
            "DELETE /v1/admin/scheduled-prices/{id}", .admin, Contract.deleteScheduledPrice, admin.deletePrice)
        routes.read("GET /v1/admin/orders", .admin, Contract.allOrders, admin.orders)
        routes.write("POST /v1/admin/orders/{id}/fulfil", .admin, Contract.fulfilOrder, admin.fulfil)
        routes.write("POST /v1/admin/orders/{id}/deliver", .admin, Contract.deliverOrder, admin.deliver)
        routes.perform("POST /v1/admin/orders/{id}/refunds", .admin, Contract.refundOrder, admin.refund)
        return router
    }
}
