import Foundation
import Hummingbird
import PouchDomain
import PouchEntities
import PouchHTTP
import PouchJSON
import PouchTemplates

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

/// A map of an order's way through the city: the water, the shop, the destination and the kangaroo.
///
/// The visible area depends on the start and end of the route and on the kangaroo's starting point, so a page and the
/// events that follow it have the same scale until the ride's next status.
struct KangarooMap {
    /// The values of the partial `kangaroo-map`.
    struct Values: TemplateValues {
        /// The outline of a body of water.
        struct Shape: TemplateValues {
            let path: String
        }

        /// An end of the route, with its label.
        struct Place: TemplateValues {
            let x, y: Int
            let label: String
            /// Whether the label is below the place instead of above it.
            let isBelow: Bool
            /// The alignment of the label to the place: `start`, `middle` or `end`.
            let anchor: String
        }

        let viewBox, description: String
        let shapes: [Shape]
        /// The path of the route.
        let route: String
        let pickup, destination: Place
        let courier: Spot?
        let caption, eta: String
    }

    /// A point on the map, in whole units.
    struct Spot: Equatable, TemplateValues {
        let x, y: Int
    }

    /// The size and margin of the map, in units.
    private static let (width, height, margin) = (1_000.0, 600.0, 110.0)
    /// The length of a degree of latitude, in metres.
    private static let degree = 6_371_008.8 * Double.pi / 180
    /// The minimum width of the map, in metres, so that a short route shows its surroundings.
    private static let minWidth = 4_000.0

    private let ride: Ride
    private let middle: GeoPoint
    /// The units per degree of latitude.
    private let scale: Double

    /// Creates the map of a ride; nil if the ride has ended.
    init?(_ record: RideRecord, at now: Date) {
        self.init(record, ride: record.ride(at: now))
    }

    /// - Parameter ride: the ride of the record at a point in time.
    init?(_ record: RideRecord, ride: Ride) {
        guard !record.status.isFinal || record.dueAt != nil else { return nil }
        self.ride = ride
        let ends = [ride.waypoints.pickupLocation, ride.waypoints.dropoffLocation]
        let shown = ends + (ride.driver == nil ? [] : [record.engagement?.from].compactMap(\.self))
        let (latitudes, longitudes) = (shown.map(\.latitude), shown.map(\.longitude))
        let (south, north) = (latitudes.min() ?? 0, latitudes.max() ?? 0)
        let (west, east) = (longitudes.min() ?? 0, longitudes.max() ?? 0)
        middle = GeoPoint(latitude: (south + north) / 2, longitude: (west + east) / 2)
        let eastward = cos(middle.latitude * .pi / 180)
        let metres = max(
            Self.minWidth / Self.width, (east - west) * eastward * Self.degree / (Self.width - 2 * Self.margin),
            (north - south) * Self.degree / (Self.height - 2 * Self.margin))
        scale = Self.degree / metres
    }

    private func spot(_ point: GeoPoint) -> Spot {
        let eastward = cos(middle.latitude * .pi / 180)
        // A point far outside the map would overflow an integer.
        func unit(_ value: Double) -> Int { Int(max(-10_000, min(10_000, value)).rounded()) }
        return Spot(
            x: unit(Self.width / 2 + (point.longitude - middle.longitude) * eastward * scale),
            y: unit(Self.height / 2 - (point.latitude - middle.latitude) * scale))
    }

    private func path(_ points: [GeoPoint]) -> String {
        "M" + points.map { spot($0) }.map { "\($0.x) \($0.y)" }.joined(separator: "L")
    }

    /// The position of the kangaroo; nil until one has accepted the ride.
    var courier: Spot? { ride.driver.map { spot($0.location) } }

    /// The minutes until the kangaroo reaches the shop, and after that the destination.
    var minutes: Int? { ride.etaSeconds.map { ($0 + 59) / 60 } }

    // MARK: Values

    func values(_ visit: Visit) -> Values {
        let (shop, destination) = (ride.waypoints.pickupLocation, ride.waypoints.dropoffLocation)
        let name = ride.driver?.name ?? ""
        let caption =
            switch ride.status {
            case .accepted: visit.text("map-coming", name)
            case .arriving: visit.text("map-arriving", name)
            case .inProgress: visit.text("map-carrying", name)
            default: visit.text("map-searching")
            }
        // Places the label above or below the place, away from the route.
        func place(_ point: GeoPoint, _ label: String, from other: GeoPoint) -> Values.Place {
            let spot = spot(point)
            // A centred label near the edge would be cut off.
            let share = Double(spot.x) / Self.width
            return Values.Place(
                x: spot.x, y: spot.y, label: label, isBelow: spot.y > self.spot(other).y,
                anchor: share < 0.3 ? "start" : share > 0.7 ? "end" : "middle")
        }
        return Values(
            viewBox: "0 0 \(Int(Self.width)) \(Int(Self.height))", description: visit.text("map-description"),
            shapes: Harbour.shapes.map { .init(path: path($0) + "Z") }, route: path([shop, destination]),
            pickup: place(shop, visit.text("map-shop"), from: destination),
            destination: place(
                destination, visit.site.placeName(of: destination) ?? visit.text("map-destination"), from: shop),
            courier: courier, caption: caption, eta: arrival(visit))
    }

    /// The arrival time, such as “Arrives in 6 minutes”; empty while no kangaroo is on its way.
    func arrival(_ visit: Visit) -> String {
        guard let minutes else { return "" }
        let key = ride.status == .inProgress ? "map-eta" : "map-eta-shop"
        return switch minutes {
        case 0: visit.text(key + "-now")
        case 1: visit.text(key + "-one")
        default: visit.text(key, visit.language.number(minutes))
        }
    }
}

/// A rough outline of the water around Sydney, for orientation.
private enum Harbour {
    static let shapes = [sea, botanyBay].map { $0.map { GeoPoint(latitude: $0, longitude: $1) } }

    /// The Tasman Sea and the harbour, which extends far inland.
    private static let sea: [(Double, Double)] = [
        (-33.58, 151.34), (-33.65, 151.32), (-33.73, 151.30), (-33.79, 151.29), (-33.82, 151.30), (-33.82, 151.27),
        (-33.80, 151.26), (-33.84, 151.26), (-33.84, 151.24), (-33.85, 151.23), (-33.85, 151.21), (-33.84, 151.19),
        (-33.84, 151.16), (-33.83, 151.11), (-33.82, 151.05), (-33.83, 151.05), (-33.84, 151.11), (-33.85, 151.15),
        (-33.855, 151.18), (-33.87, 151.197), (-33.856, 151.208), (-33.86, 151.22), (-33.87, 151.225),
        (-33.862, 151.235),
        (-33.873, 151.245), (-33.865, 151.255), (-33.87, 151.265), (-33.85, 151.27), (-33.835, 151.28),
        (-33.87, 151.29),
        (-33.893, 151.28), (-33.92, 151.262), (-33.95, 151.26), (-33.99, 151.255), (-34.03, 151.23), (-34.08, 151.16),
        (-34.16, 151.08), (-34.16, 152.5), (-33.58, 152.5),
    ]
    private static let botanyBay: [(Double, Double)] = [
        (-33.998, 151.25), (-33.985, 151.225), (-33.962, 151.21), (-33.952, 151.18), (-33.968, 151.155),
        (-33.995, 151.14), (-34.01, 151.15), (-34.005, 151.19), (-34.01, 151.24),
    ]
}
