import PouchDomain
import PouchImport
import PouchRides

/// A store with the repositories of all modules.
public typealias ShopStore = ImportStore & RideStore

/// A transaction with the repositories of all modules.
public typealias ShopRepositories = ImportRepositories & RideRepositories

/// The services behind the routes, built by the composition root.
public struct ShopServices: Sendable {
    public let store: any ShopStore
    public let time: any TimeSource
    public let digests: any Digests
    public let accounts: AccountService
    public let addressBook: AddressBook
    public let issuer: SessionIssuer
    public let accessTokens: any AccessTokens
    public let carts: CartService
    public let checkout: CheckoutService
    public let orders: OrderService
    public let preview: Preview
    public let variants: VariantService
    public let discounts: DiscountService
    public let priceSchedule: PriceScheduleService
    public let orderAdministration: OrderAdministration
    public let refunds: RefundService
    public let deliveryChange: DeliveryChange
    public let rideEnvironment: RideEnvironment
    public let rides: RideService
    public let rideFeed: RideFeed
    /// Rung by requested rides; wakes the city.
    public let cityAlarm = CityAlarm()
    public let places: PlaceSearch
    public let catalog: CatalogFollower
    public let imports: ImportService
    public let shop: ShopSettings
    public let keyRing: KeyRing

    public init(
        environment: DomainEnvironment,
        store: any ShopStore,
        city: CitySettings,
        keyRing: KeyRing,
        accessTokens: any AccessTokens,
        passwords: any PasswordHasher,
        payments: any PaymentProvider,
        catalog: CatalogFollower,
        rideHeartbeat: Duration
    ) {
        self.store = store
        rideEnvironment = RideEnvironment(environment, store: store, city: city)
        time = environment.time
        digests = environment.digests
        shop = environment.shop
        imports = ImportService(environment, store: store)
        carts = CartService(environment)
        issuer = SessionIssuer(environment, keyRing: keyRing, accessTokens: accessTokens)
        accounts = AccountService(environment, issuer: issuer, passwords: passwords, carts: carts)
        addressBook = AddressBook(environment)
        checkout = CheckoutService(environment, carts: carts, payments: payments, encode: StoredAnswer.init(outcome:))
        orders = OrderService()
        preview = Preview(environment)
        variants = VariantService(currency: environment.shop.currency)
        discounts = DiscountService(environment)
        priceSchedule = PriceScheduleService(environment)
        orderAdministration = OrderAdministration(environment)
        refunds = RefundService(environment, settlement: checkout.settlement)
        deliveryChange = DeliveryChange(environment, settlement: checkout.settlement)
        rides = RideService(rideEnvironment, keyRing: keyRing)
        rideFeed = RideFeed(time: environment.time, writer: EncodedRideNews(), heartbeat: rideHeartbeat)
        places = PlaceSearch(Gazetteer.sydney)
        self.accessTokens = accessTokens
        self.catalog = catalog
        self.keyRing = keyRing
    }
}
