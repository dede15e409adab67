import Logging
import PouchDomain
import PouchHTTP
import PouchServer

/// Rides by kangaroo in the simulated city, and the delivery of orders by them.
///
///     configuration.parts = [Rides(city: CitySettings(speed: 60))]
public struct Rides: ServerPart {
    public let city: CitySettings

    public init(city: CitySettings = CitySettings()) {
        self.city = city
    }

    public var sharedSettings: [String: String] { ["--city-speed": String(city.speed), "--no-rides": "false"] }

    public func courier(of shop: ShopSettings) -> (any Courier)? { KangarooCourier(shop) }

    public func open(_ services: ShopServices, logger: Logger) async throws -> OpenPart {
        let environment = RideEnvironment(services.environment, city: city)
        try await Fleet(environment).establish()
        let service = RideService(environment, keyRing: services.keyRing)
        let routes = RoutesOfPart { addRides(to: $0, services, service, time: environment.time) }
        let city = CityJob(environment, feed: services.rideFeed, logger: logger)
        return OpenPart(routes: routes, jobs: [city.job])
    }
}
