import PouchDomain

/// A store whose transactions have the repositories of rides.
public protocol RideStore: Store where Transaction: RideRepositories {}

/// A transaction that has the repositories of rides.
public protocol RideRepositories: Repositories {
    var rides: any RideRepository { get }
    var drivers: any DriverRepository { get }
}

/// The shop's environment, with a store that has rides, and the settings of the city.
public struct RideEnvironment: Sendable {
    public let shop: DomainEnvironment
    public let store: any RideStore
    public let city: CitySettings

    /// - Parameter store: the store of the shop's environment.
    public init(_ shop: DomainEnvironment, store: any RideStore, city: CitySettings = CitySettings()) {
        self.shop = shop
        self.store = store
        self.city = city
    }

    var time: any TimeSource { shop.time }
}
