import PouchEntities

/// The query of `shippingMethods`: where to; nothing is the shop's own country.
public struct ShippingMethodsQuery: QueryDecodable {
    public let country: String?
    public let postalCode: String?
    public let location: GeoPoint?
    public let page: PageQuery

    public init(from reader: inout QueryReader) throws(QueryProblem) {
        country = try reader.text("country")
        postalCode = try reader.text("postalCode")
        location = try PointQuery(from: &reader).point
        page = try PageQuery(from: &reader)
    }
}
