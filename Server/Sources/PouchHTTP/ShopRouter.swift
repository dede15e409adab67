import Hummingbird
import PouchDomain

/// The router with every endpoint of the contract.
public enum ShopRouter {
    public static func build(_ services: ShopServices) -> Router<PouchRequestContext> {
        let router = Router(context: PouchRequestContext.self, options: .autoGenerateHeadEndpoints)
        router.add(middleware: ProblemMiddleware())
        router.add(middleware: NewKeyMiddleware(keyRing: services.keyRing))
        let authenticator = Authenticator(store: services.store, tokens: services.accessTokens)
        let cursors = CursorSigner(keyRing: services.keyRing, digests: services.digests)
        let pages = ListPager(cursors: cursors)
        let routes = RouteRegistrar(
            router: router,
            steps: RouteSteps(
                store: services.store, authenticator: authenticator, digests: services.digests,
                idempotency: Idempotency(time: services.time)))

        HealthRoutes(services: services).register(with: routes)
        DocumentRoutes(services: services).register(with: routes)
        AssetRoutes(services: services).register(with: routes)
        SessionRoutes(services: services, authenticator: authenticator).register(with: routes)
        AccountRoutes(services: services).register(with: routes)
        AddressRoutes(services: services, pages: pages).register(with: routes)
        CatalogRoutes(services: services, cursors: cursors, pages: pages).register(with: routes)
        CartRoutes(services: services, pages: pages).register(with: routes)
        OrderRoutes(services: services, pages: pages).register(with: routes)
        RideRoutes(services: services, pages: pages).register(with: routes)
        ImportRoutes(services: services).register(with: routes)
        VariantRoutes(services: services).register(with: routes)
        DiscountRoutes(services: services, pages: pages).register(with: routes)
        ScheduledPriceRoutes(services: services, pages: pages).register(with: routes)
        OrderAdministrationRoutes(services: services, pages: pages).register(with: routes)
        return router
    }
}
