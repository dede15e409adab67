import Hummingbird
import PouchContract
import PouchDomain
import PouchEntities
import PouchHTTP

/// Places, ride options, fare quotes, and a customer's rides.
struct RideHandlers {
    let service: RideService
    let placeSearch: PlaceSearch
    let time: any TimeSource
    let pages: ListPager

    func places(_ call: OpenCall<RidePlacesQuery>) throws -> Page<NamedLocation> {
        let query = call.input
        let found = placeSearch.places(matching: query.search, near: query.near)
        // The order depends on the search and the location, so a cursor is valid only for the same pair.
        let point = query.near.map { "\($0.latitude),\($0.longitude)" }
        let list = ["ride-places", point ?? "", query.search ?? ""].joined(separator: " ")
        return try pages.page(of: found, list: list, query.page)
    }

    func options(_ call: OpenCall<RideOptionsQuery>) throws -> Page<RideOption> {
        let query = call.input
        return try pages.page(of: service.options(at: query.pickup), list: "ride-options", query.page)
    }

    func quote(_ call: Call<QuoteRequest>, in repositories: any ShopRepositories) throws -> Reply<Page<FareQuote>> {
        Reply(Page(items: try service.quotes(for: call.input.waypoints, by: call.principal)))
    }

    func request(_ call: Call<RideRequest>, in repositories: any ShopRepositories) throws -> Reply<Ride> {
        Reply(
            try service.request(
                call.input.waypoints, optionId: call.input.rideOptionID, quoteId: call.input.quoteID,
                by: call.principal,
                in: repositories))
    }

    func rides(_ call: Call<PageQuery>, in repositories: any ShopRepositories) throws -> Reply<Page<Ride>> {
        Reply(
            try pages.page(list: "rides", call.input, key: \.id) { after, limit in
                try repositories.rides.rides(riderId: call.principal.ownerId, after: after, limit: limit)
                    .map { $0.ride(at: time.now) }
            })
    }

    func ride(_ call: Call<Void>, in repositories: any ShopRepositories) throws -> Reply<Ride> {
        let ride = try service.ride(id: call.parameter("id"), of: call.principal, in: repositories)
        return Reply(ride.ride(at: time.now))
    }

    func cancel(_ call: Call<Void>, in repositories: any ShopRepositories) throws -> Reply<Ride> {
        Reply(try service.cancel(id: call.parameter("id"), of: call.principal, in: repositories))
    }

    func receipt(_ call: Call<Void>, in repositories: any ShopRepositories) throws -> Reply<RideReceipt> {
        Reply(try service.receipt(id: call.parameter("id"), of: call.principal, in: repositories))
    }
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
