import PouchEntities

/// A point in a query: both coordinates, or none.
public struct PointQuery: QueryDecodable {
    public let point: GeoPoint?

    public init(from reader: inout QueryReader) throws(QueryProblem) {
        let latitude = try reader.number("latitude", in: -90...90)
        let longitude = try reader.number("longitude", in: -180...180)
        switch (latitude, longitude) {
        case (let latitude?, let longitude?): point = GeoPoint(latitude: latitude, longitude: longitude)
        case (nil, nil): point = nil
        case (nil, _): throw QueryProblem(name: "latitude", detail: "latitude and longitude belong together.")
        case (_, nil): throw QueryProblem(name: "longitude", detail: "latitude and longitude belong together.")
        }
    }
}

/// The query of `ridePlaces`: what to search for, and near which point.
public struct RidePlacesQuery: QueryDecodable {
    public let search: String?
    public let near: GeoPoint?
    public let page: PageQuery

    public init(from reader: inout QueryReader) throws(QueryProblem) {
        search = try reader.text("q")
        near = try PointQuery(from: &reader).point
        page = try PageQuery(from: &reader)
    }
}

/// The query of `rideOptions`: the pick-up; without one all options are listed.
public struct RideOptionsQuery: QueryDecodable {
    public let pickup: GeoPoint?
    public let page: PageQuery

    public init(from reader: inout QueryReader) throws(QueryProblem) {
        pickup = try PointQuery(from: &reader).point
        page = try PageQuery(from: &reader)
    }
}
