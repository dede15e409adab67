import Logging
import PouchContract
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
        let routes = RoutesOfPart { routes, pages in
            let rides = RideHandlers(
                service: service, placeSearch: PlaceSearch(Gazetteer.sydney), time: environment.time, pages: pages)
            routes(Contract.ridePlaces).open(rides.places)
            routes(Contract.rideOptions).open(rides.options)
            routes(Contract.quoteRide).evaluate(rides.quote)
            routes(Contract.requestRide).write(isolation: .readCommitted, rides.request)
            routes(Contract.rides).read(rides.rides)
            routes(Contract.ride).read(rides.ride)
            routes(Contract.cancelRide).write(isolation: .readCommitted, rides.cancel)
            routes(Contract.rideReceipt).read(rides.receipt)
            let events = RideEventHandler(store: services.store, rides: service, feed: services.rideFeed)
            routes(Contract.rideEvents).stream(events.events)
        }
        let city = CityJob(environment, feed: services.rideFeed, logger: logger)
        return OpenPart(routes: routes, jobs: [city.job])
    }
}
