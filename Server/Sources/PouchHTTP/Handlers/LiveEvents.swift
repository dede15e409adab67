import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import PouchContract
import PouchDomain
import PouchEntities
import PouchJSON
import PouchWire
import ServiceLifecycle

/// A response of server-sent events that sends a follower the news of one object until the object, the follower's
/// session or the server ends.
package struct LiveEvents<Cursor: Sendable>: Sendable {
    let store: any ShopStore
    let principal: Principal
    let signals: AsyncStream<Void>
    /// nil once the object has no followers.
    let news: @Sendable (Cursor) async throws -> LiveNews<Cursor>?
    /// Ends the feed at shutdown.
    let close: @Sendable () async -> Void

    package init(
        store: any ShopStore, principal: Principal, signals: AsyncStream<Void>,
        news: @escaping @Sendable (Cursor) async throws -> LiveNews<Cursor>?,
        close: @escaping @Sendable () async -> Void
    ) {
        self.store = store
        self.principal = principal
        self.signals = signals
        self.news = news
        self.close = close
    }

    package func response(after cursor: Cursor) -> Response {
        Response(
            status: .ok,
            // nginx would otherwise buffer events before it passes them on.
            headers: [.contentType: "text/event-stream", .cacheControl: "no-store", .accelBuffering: "no"],
            body: .init { writer in
                // At shutdown, the server waits for all responses before it ends other services.
                try await withGracefulShutdownHandler {
                    try await write(after: cursor, to: &writer)
                    try await writer.finish(nil)
                } onGracefulShutdown: {
                    Task { await close() }
                }
            })
    }

    private func write(after cursor: Cursor, to writer: inout any ResponseBodyWriter) async throws {
        var cursor = cursor
        for await _ in signals {
            guard let news = try await news(cursor) else { return }
            // A heartbeat shows both sides that the other is alive. The stream ends with the principal's session.
            if news.isBeat {
                do {
                    try await store.read { [principal] in try principal.checkSession(in: $0) }
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
}

extension Request {
    /// The id after which a stream continues; nil for a new stream.
    ///
    /// - Throws: `RequestProblem` for an id that this server does not issue.
    package func lastEventId() throws -> Int? {
        guard let text = headers[.lastEventId], !text.isEmpty else { return nil }
        guard let id = Int(text), id >= 1 else {
            throw RequestProblem(.invalidHeader, "Last-Event-ID must be the id of an event from this stream.")
        }
        return id
    }
}

/// One server-sent event with a value as its data.
///
/// - Parameter id: nil for an event from which no stream can resume.
package func serverSentEvent(_ name: String, id: Int?, _ value: some JSONCodable) throws -> Data {
    Data("event: \(name)\n\(id.map { "id: \($0)\n" } ?? "")data: ".utf8) + (try value.json()) + Data("\n\n".utf8)
}

/// The changes of an order as server-sent events.
struct OrderEventHandler {
    let store: any ShopStore
    let feed: OrderFeed

    func events(_ call: Call<Void>) async throws -> Response {
        let cursor = OrderCursor(version: try call.request.lastEventId())
        let (reference, principal) = (try call.parameter("id"), call.principal)
        let order = try await store.read { try $0.orders.order(id: reference, of: principal) }
        guard !cursor.isAtEnd(of: order) else { return Response(status: .noContent) }
        return LiveEvents(
            store: store, principal: principal, signals: try await feed.follow(order),
            // The path may name the order by its number; the feed identifies it by its id.
            news: { [feed, id = order.order.id] in try await feed.news(of: id, after: $0) },
            close: { [feed] in await feed.close() }
        ).response(after: cursor)
    }

    /// The event of an order. Its id is the version, so that another process can resume a stream.
    static func event(_ record: OrderRecord) throws -> Data {
        try serverSentEvent("order", id: record.version, record.order)
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
