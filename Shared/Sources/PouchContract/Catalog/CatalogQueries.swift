import PouchWire

/// The query of `themes` and `categories`.
public struct SeasonQuery: QueryDecodable {
    /// nil: of all seasons.
    public let season: String?
    public let page: PageQuery

    public init(from reader: inout QueryReader) throws(QueryProblem) {
        season = try reader.text("season")
        page = try PageQuery(from: &reader)
    }
}

/// The query of `availability`.
public struct AvailabilityQuery: QueryDecodable {
    public let skus: [String]

    public init(from reader: inout QueryReader) throws(QueryProblem) {
        skus = try reader.list("sku", count: Limits.availabilitySKUs)
    }
}
