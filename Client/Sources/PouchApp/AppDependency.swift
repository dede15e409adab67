import Foundation
import PouchClient

/// The services that the coordinators of a shop work with. Set it on the root coordinator; it is passed down the tree.
///
/// While `pouch` is nil, for example while the local store is being opened, screens show a loading state, and messages
/// wait.
///
/// An app adds managers of its own, for its coordinators in the tree:
///
///     extension AppDependency {
///         var loyalty: LoyaltyManager? {
///             get { self[LoyaltyManager.self] }
///             set { self[LoyaltyManager.self] = newValue }
///         }
///     }
public struct AppDependency: Sendable {
    public var pouch: Pouch?
    /// Whether the app imports the whole catalogue, for use without the server. It requires a store that outlives the
    /// process.
    public var keepsCatalog: Bool
    /// The interval at which an order is read while its payment is being settled, or while a kangaroo delivers it to a
    /// guest, who cannot follow the ride.
    public var statusInterval = Duration.seconds(5)
    public var now: @Sendable () -> Date
    public var clock: any Clock<Duration>
    private var values: [ObjectIdentifier: any Sendable] = [:]

    public init(
        _ pouch: Pouch?,
        keepsCatalog: Bool = false,
        now: @escaping @Sendable () -> Date = { .now },
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.pouch = pouch
        self.keepsCatalog = keepsCatalog
        self.now = now
        self.clock = clock
    }

    /// A value that the app adds; nil if there is none. One value per type.
    public subscript<Value: Sendable>(_ type: Value.Type) -> Value? {
        get { values[ObjectIdentifier(type)] as? Value }
        set { values[ObjectIdentifier(type)] = newValue }
    }

    public var account: AccountManager? { pouch?.account }
    public var catalog: CatalogManager? { pouch?.catalog }
    public var cart: CartManager? { pouch?.cart }
    public var checkout: CheckoutManager? { pouch?.checkout }
    public var orders: OrderManager? { pouch?.orders }
    public var rides: RideManager? { pouch?.rides }
    public var locations: LocationManager? { pouch?.locations }
    public var assets: AssetManager? { pouch?.assets }
    public var connection: ConnectionManager? { pouch?.connection }
}
