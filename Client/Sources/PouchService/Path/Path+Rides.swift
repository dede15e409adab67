import Foundation
import PouchWire

extension Path {
    /// Degrees for the coordinates.
    public enum Rides: Sendable, Hashable {
        case places(
            search: String? = nil, latitude: Double? = nil, longitude: Double? = nil, limit: Int? = nil,
            cursor: String? = nil)
        case options(latitude: Double, longitude: Double)
        case quote(body: Data)
        case request(body: Data)
        case list(limit: Int? = nil, cursor: String? = nil)
        case ride(id: String)
        case cancel(id: String)
        case receipt(id: String)
        /// Server-sent events, for `PouchService.events`.
        case events(id: String)

        var target: Target {
            switch self {
            case .places(let search, let latitude, let longitude, let limit, let cursor):
                Target(.ridePlaces, query: Self.places(search, latitude, longitude, limit, cursor))
            case .options(let latitude, let longitude):
                Target(.rideOptions, query: Self.options(latitude, longitude))
            case .quote(let body): Target(.quoteRide, body: body)
            case .request(let body): Target(.requestRide, body: body)
            case .list(let limit, let cursor): Target(.rides, limit: limit, cursor: cursor)
            case .ride(let id): Target(.ride, ["id": id])
            case .cancel(let id): Target(.cancelRide, ["id": id])
            case .receipt(let id): Target(.rideReceipt, ["id": id])
            case .events(let id): Target(.rideEvents, ["id": id])
            }
        }

        private static func places(
            _ search: String?, _ latitude: Double?, _ longitude: Double?, _ limit: Int?, _ cursor: String?
        ) -> QueryString {
            var query = QueryString()
            query.append("q", search)
            query.append(latitude: latitude, longitude: longitude)
            query.append(limit: limit, cursor: cursor)
            return query
        }

        private static func options(_ latitude: Double, _ longitude: Double) -> QueryString {
            var query = QueryString()
            query.append(latitude: latitude, longitude: longitude)
            return query
        }
    }
}
