import Foundation
import Hummingbird
import PouchDomain
import PouchEntities
import PouchHTTP
import PouchJSON

/// The server-sent events of an order's page: `status` when the page should be reloaded, and `position` when the
/// kangaroo has moved on the page's map.
enum LiveOrder {
    /// The versions that the subscriber's page shows.
    private struct Cursor: Sendable {
        var order: OrderCursor
        /// The version of the ride; nil without a ride.
        var ride: RideCursor?
    }

    /// The address of the events after a page. It contains the versions shown, so a new page has a new address.
    static func path(_ own: OrderPage.Own) -> String {
        PagePath.adding(
            [("order", String(own.record.version)), ("ride", own.ride.map { String($0.history.count) })],
            to: PagePath.order(own.record.order.id) + "/live")
    }

    /// - Throws: `DomainError.notFound`, `.tooManyFollowers`; `RideError.tooManyFollowers`.
    static func response(_ visit: Visit) async throws -> Response {
        let own = try await visit.own(order: try visit.parameter("id"))
        let order = OrderCursor(version: visit.query("order").flatMap { Int($0) })
        // A browser reconnects until this response tells it to stop.
        guard !order.isAtEnd(of: own.record) else { return Response(status: .noContent) }
        let (orders, rides) = (visit.site.services.orderFeed, visit.site.services.rideFeed)
        let ride = own.ride.flatMap { $0.dueAt == nil ? nil : $0 }
        var signals = [try await orders.follow(own.record)]
        if let ride { signals.append(try await rides.follow(ride)) }
        let cursor = Cursor(
            order: order, ride: ride.map { _ in RideCursor(statuses: visit.query("ride").flatMap { Int($0) }) })
        return LiveEvents(
            store: visit.site.services.store, principal: try visit.principal, signals: .merging(signals),
            news: { [id = own.record.order.id, rideId = ride?.id] seen in
                guard let news = try await orders.news(of: id, after: seen.order) else { return nil }
                let view =
                    if let cursor = seen.ride, let rideId { await rides.view(of: rideId, after: cursor) } else {
                        nil as RideView?
                    }
                let event = try event(isNew: !news.events.isEmpty, view, visit)
                return LiveNews(
                    events: event.map { [$0] } ?? [],
                    cursor: Cursor(order: news.cursor, ride: view?.cursor ?? seen.ride), isBeat: news.isBeat,
                    isLast: news.isLast)
            },
            close: {
                await orders.close()
                await rides.close()
            }
        ).response(after: cursor)
    }

    /// The event for a change; nil without one. A page that reloads after `status` also shows the new position.
    private static func event(isNew: Bool, _ view: RideView?, _ visit: Visit) throws -> Data? {
        if isNew || view?.hasNewStatus == true { return try serverSentEvent("status", id: nil, JSON.object([:])) }
        guard let view, view.hasMoved, let map = KangarooMap(view.record, ride: view.ride), let spot = map.courier
        else {
            return nil
        }
        var position: JSON = ["x": .integer(Int64(spot.x)), "y": .integer(Int64(spot.y))]
        position["minutes"] = map.minutes.map { .integer(Int64($0)) }
        position["eta"] = .string(map.arrival(visit))
        return try serverSentEvent("position", id: nil, position)
    }
}

extension AsyncStream<Void> {
    /// Merges the signals of several streams; ends when the first of them ends.
    fileprivate static func merging(_ sources: [AsyncStream<Void>]) -> AsyncStream<Void> {
        guard sources.count > 1 else { return sources.first ?? AsyncStream { $0.finish() } }
        let (merged, signal) = makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let tasks = sources.map { source in
            Task {
                for await _ in source { signal.yield() }
                signal.finish()
            }
        }
        signal.onTermination = { _ in
            for task in tasks { task.cancel() }
        }
        return merged
    }
}
