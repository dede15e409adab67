import PouchDomain
import PouchImport

/// A store with the repositories of all modules.
public typealias ShopStore = ImportStore

/// A transaction with the repositories of all modules.
public typealias ShopRepositories = ImportRepositories

/// The services shared by several routes or background jobs, created by the composition root. A service that only one
/// group of handlers uses is created there, from the environment.
public struct ShopServices: Sendable {
    public let environment: DomainEnvironment
    public let store: any ShopStore
    public let accounts: AccountService
    public let issuer: SessionIssuer
    public let accessTokens: any AccessTokens
    public let carts: CartService
    public let checkout: CheckoutService
    public let rideFeed: RideFeed
    public let orderFeed: OrderFeed
    public let webhooks: WebhookService
    public let catalog: CatalogFollower
    public let imports: ImportService
    public let keyRing: KeyRing

    public init(
        environment: DomainEnvironment, store: any ShopStore, keyRing: KeyRing, accessTokens: any AccessTokens,
        passwords: any PasswordHasher, payments: any PaymentProvider, catalog: CatalogFollower, heartbeat: Duration,
        webhookRule: WebhookAddressRule
    ) {
        self.environment = environment
        self.store = store
        imports = ImportService(environment, store: store)
        carts = CartService(environment)
        issuer = SessionIssuer(environment, keyRing: keyRing, accessTokens: accessTokens)
        accounts = AccountService(
            environment, issuer: issuer, links: LinkSigner(keyRing: keyRing, digests: environment.digests),
            passwords: passwords, carts: carts)
        checkout = CheckoutService(environment, carts: carts, payments: payments, encode: StoredAnswer.init(outcome:))
        rideFeed = RideFeed(time: environment.time, writer: EncodedRideNews(), heartbeat: heartbeat)
        orderFeed = OrderFeed(heartbeat: heartbeat, encode: OrderEventHandler.event)
        webhooks = WebhookService(environment, rule: webhookRule)
        self.accessTokens = accessTokens
        self.catalog = catalog
        self.keyRing = keyRing
    }
}
