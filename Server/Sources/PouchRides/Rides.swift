import Hummingbird
import Logging
import PouchContract
import PouchDomain
import PouchEntities
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

/// Places, ride options, fare quotes, and a customer's rides.
func addRides(to routes: RouteRegistrar, _ services: ShopServices, _ service: RideService, time: any TimeSource) {
    let (pages, places) = (routes.pages, PlaceSearch(Gazetteer.sydney))
    routes(Contract.ridePlaces).open { call in
        let query = call.input
        let found = places.places(matching: query.search, near: query.near)
        // The order depends on the search and the location, so a cursor is valid only for the same pair.
        let point = query.near.map { "\($0.latitude),\($0.longitude)" }
        let list = ["ride-places", point ?? "", query.search ?? ""].joined(separator: " ")
        return try pages.page(of: found, list: list, query.page)
    }
    routes(Contract.rideOptions).open { call in
        try pages.page(of: service.options(at: call.input.pickup), list: "ride-options", call.input.page)
    }
    routes(Contract.quoteRide).read { call, _ in
        Page(items: try service.quotes(for: call.input.waypoints, by: call.principal))
    }
    routes(Contract.requestRide).write(isolation: .readCommitted) { call, repositories in
        try service.request(
            call.input.waypoints, optionId: call.input.rideOptionID, quoteId: call.input.quoteID, by: call.principal,
            in: repositories)
    }
    routes(Contract.rides).list("rides", by: \.id) { call, page, repositories in
        try repositories.rides.rides(riderId: call.principal.ownerId, after: page.after, limit: page.limit)
            .map { $0.ride(at: time.now) }
    }
    routes(Contract.ride).read { call, repositories in
        try service.ride(id: call.parameter("id"), of: call.principal, in: repositories).ride(at: time.now)
    }
    routes(Contract.cancelRide).write(isolation: .readCommitted) { call, repositories in
        try service.cancel(id: call.parameter("id"), of: call.principal, in: repositories)
    }
    routes(Contract.rideReceipt).read { call, repositories in
        try service.receipt(id: call.parameter("id"), of: call.principal, in: repositories)
    }
    let events = RideEventHandler(store: services.store, rides: service, feed: services.rideFeed)
    routes(Contract.rideEvents).stream(events.events)
}

/// The updates of a ride as server-sent events.
struct RideEventHandler {
    let store: any ShopStore
    let rides: RideService
    let feed: RideFeed

    func events(_ call: Call<Void>) async throws -> Response {
        let cursor = RideCursor(statuses: try call.request.lastEventId())
        let (id, principal) = (try call.parameter("id"), call.principal)
        let ride = try await store.read { [rides] in try rides.ride(id: id, of: principal, in: $0) }
        guard !cursor.isAtEnd(of: ride) else { return Response(status: .noContent) }
        return LiveEvents(
            store: store, principal: principal, signals: try await feed.follow(ride),
            news: { [feed] in try await feed.news(of: id, after: $0) }, close: { [feed] in await feed.close() }
        ).response(after: cursor)
    }
}
