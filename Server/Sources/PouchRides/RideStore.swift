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
    public let domain: DomainEnvironment
    public let store: any RideStore
    public let city: CitySettings

    /// - Parameter store: the store of the domain's environment.
    public init(_ domain: DomainEnvironment, store: any RideStore, city: CitySettings = CitySettings()) {
        self.domain = domain
        self.store = store
        self.city = city
    }

    public var time: any TimeSource { domain.time }
}
