/// The query of `shippingMethods`: where to; nothing is the shop's own country.
public struct ShippingMethodsQuery: QueryDecodable {
    public let country: String?
    public let postalCode: String?
    public let latitude: Double?
    public let longitude: Double?
    public let page: PageQuery

    public init(from reader: inout QueryReader) throws(QueryProblem) {
        country = try reader.text("country")
        postalCode = try reader.text("postalCode")
        latitude = try reader.number("latitude", in: -90...90)
        longitude = try reader.number("longitude", in: -180...180)
        page = try PageQuery(from: &reader)
    }
}
