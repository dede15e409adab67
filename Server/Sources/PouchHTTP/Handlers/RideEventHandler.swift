import Foundation
import Hummingbird
import PouchContract
import PouchDomain
import PouchEntities
import PouchJSON
import PouchRides

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

/// The updates of rides, encoded as server-sent events.
///
/// The id of a status event is the number of statuses so far, so that another process can resume a stream. A position
/// event has no id.
struct EncodedRideNews: RideNewsWriter {
    /// A past status has no driver, because only the current one is known.
    func status(_ ride: RideRecord, number: Int, at now: Date) throws -> Data {
        let current = number == ride.history.count ? ride.ride(at: now) : nil
        let update = RideUpdate(
            status: ride.history[number - 1].status, driver: current?.driver, etaSeconds: current?.etaSeconds,
            history: Array(ride.history.prefix(number)))
        return try serverSentEvent("status", id: number, update)
    }

    func position(_ ride: RideRecord, at now: Date) throws -> Data {
        let current = ride.ride(at: now)
        return try serverSentEvent(
            "position", id: nil, RideUpdate(driver: current.driver, etaSeconds: current.etaSeconds))
    }
}
