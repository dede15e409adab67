import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import PouchContract
import PouchDomain
import PouchEntities
import PouchJSON
import PouchRides
import PouchWire
import ServiceLifecycle

/// The updates of a ride as server-sent events.
struct RideEventHandler {
    let store: any ShopStore
    let rides: RideService
    let feed: RideFeed

    func events(_ call: Call<Void>) async throws -> Response {
        let cursor = RideCursor(statuses: try Self.lastEventId(call.request))
        let (id, principal) = (try call.parameter("id"), call.principal)
        let ride = try await store.read { [rides] in try rides.ride(id: id, of: principal, in: $0) }
        guard !cursor.isAtEnd(of: ride) else { return Response(status: .noContent) }
        let signals = try await feed.follow(ride)
        return Response(
            status: .ok,
            // nginx would otherwise collect events before it passes them on.
            headers: [.contentType: "text/event-stream", .cacheControl: "no-store", .accelBuffering: "no"],
            body: .init { writer in
                // At shutdown the server waits for all responses before it ends other services.
                try await withGracefulShutdownHandler {
                    try await write(ride.id, signals, after: cursor, for: principal, to: &writer)
                    try await writer.finish(nil)
                } onGracefulShutdown: {
                    Task { await feed.close() }
                }
            })
    }

    private func write(
        _ rideId: String, _ signals: AsyncStream<Void>, after cursor: RideCursor, for principal: Principal,
        to writer: inout any ResponseBodyWriter
    ) async throws {
        var cursor = cursor
        for await _ in signals {
            guard let news = try await feed.news(of: rideId, after: cursor) else { return }
            // A heartbeat shows both sides that the other is alive. The stream ends with the principal's session.
            if news.isBeat {
                do {
                    try await store.read { try principal.checkSession(in: $0) }
                } catch DomainError.unauthenticated {
                    return
                }
                try await writer.write(ByteBuffer(string: ":\n\n"))
            }
            for event in news.events { try await writer.write(ByteBuffer(bytes: event)) }
            if news.isLast { return }
            cursor = news.cursor
        }
    }

    /// - Throws: `RequestProblem` for an id that this server does not use.
    private static func lastEventId(_ request: Request) throws -> Int? {
        guard let text = request.headers[.lastEventId], !text.isEmpty else { return nil }
        guard let id = Int(text), id >= 1 else {
            throw RequestProblem(.invalidHeader, "Last-Event-ID must be the id of an event of this ride.")
        }
        return id
    }
}

/// The updates of rides, encoded as server-sent events.
///
/// The id of a status event is the number of statuses up to it, so that another process can continue a stream. A
/// position event has no id.
struct EncodedRideNews: RideNewsWriter {
    /// A past status has no driver, because only the current one is known.
    func status(_ ride: RideRecord, number: Int, at now: Date) throws -> Data {
        let current = number == ride.history.count ? ride.ride(at: now) : nil
        let update = RideUpdate(
            status: ride.history[number - 1].status, driver: current?.driver, etaSeconds: current?.etaSeconds,
            history: Array(ride.history.prefix(number)))
        return try event("status", "id: \(number)\n", update)
    }

    func position(_ ride: RideRecord, at now: Date) throws -> Data {
        let current = ride.ride(at: now)
        return try event("position", "", RideUpdate(driver: current.driver, etaSeconds: current.etaSeconds))
    }

    private func event(_ name: String, _ id: String, _ update: RideUpdate) throws -> Data {
        Data("event: \(name)\n\(id)data: ".utf8) + (try update.json()) + Data("\n\n".utf8)
    }
}
