/// The query of a list that takes no parameters of its own.
public struct PageQuery: QueryDecodable {
    /// nil: `Limits.defaultPageSize`.
    public let limit: Int?
    public let cursor: String?

    public init(from reader: inout QueryReader) throws(QueryProblem) {
        (limit, cursor) = try reader.page()
    }
}

/// The query of a request that takes no parameters.
public struct NoQuery: QueryDecodable {
    public init(from reader: inout QueryReader) {}
}
