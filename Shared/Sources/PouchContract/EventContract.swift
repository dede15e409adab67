import Foundation
import PouchEntities
import PouchJSON
import PouchWire

extension Contract {
    /// The events after one that the caller has seen, in the order of the query. Events are kept for 30 days.
    public static let shopEvents = Exchange<NoBody, EventPage>(
        .shopEvents, query: EventsQuery.self, problems: [.unknownEvent])
    public static let auditLog = Exchange<NoBody, Page<AuditEntry>>(.auditLog, query: AuditQuery.self)

    static let eventing: [any AnyExchange] = [shopEvents, auditLog]
}

/// The query of `shopEvents`.
public struct EventsQuery: QueryDecodable {
    /// The id of the last event that was seen, in the same order; nil to begin with the first.
    public let after: String?
    /// nil: `oldestFirst`.
    public let order: EventOrder?
    /// nil for all types.
    public let type: EventType?
    /// Within `Limits.pageSize`; nil: `Limits.defaultPageSize`.
    public let limit: Int?

    public init(from reader: inout QueryReader) throws(QueryProblem) {
        after = try reader.text("after")
        order = try reader.word("order", EventOrder.self)
        type = try reader.word("type", EventType.self)
        limit = try reader.integer("limit", in: Limits.pageSize)
    }
}

/// The query of `auditLog`.
public struct AuditQuery: QueryDecodable {
    /// The id of an account or an API key, or the e-mail address that an account has now.
    public let actor: String?
    public let action: String?
    public let object: String?
    public let from: Date?
    public let until: Date?
    public let page: PageQuery

    public init(from reader: inout QueryReader) throws(QueryProblem) {
        actor = try reader.text("actor", length: ModelLimits.emailLength.upperBound)
        action = try reader.text("action")
        object = try reader.text("object")
        from = try reader.time("from")
        until = try reader.time("until")
        page = try PageQuery(from: &reader)
    }
}

extension AuditEntry: FieldsDescribed {
    public static let fieldFacts: [String: FieldFact] = [
        "actorEmail": .example("ann@example.com"), "actorName": .example("Ann Example"),
        "count": .atLeast(1, example: 1), "object": .example("/v1/admin/variants/71101-69-m"),
    ]
}
