import Foundation
import PouchEntities
import PouchJSON
import PouchWire

extension Contract {
    /// The events after one that the caller has seen, in the order of the query. Events are kept for 30 days.
    public static let shopEvents = Exchange<EventsQuery, EventPage>(
        "shopEvents", .get, "/v1/admin/events", .staff(.readEvents), problems: [.unknownEvent],
        about: "Lists the shop's events after a given event.")
    public static let auditLog = Exchange<AuditQuery, Page<AuditEntry>>(
        "auditLog", .get, "/v1/admin/audit", .staff(.readAudit),
        about: "Lists the changes by staff and API keys, latest first.")

    static let eventExchanges: [any AnyExchange] = [shopEvents, auditLog]
}

/// The query of `shopEvents`.
public struct EventsQuery: QueryType {
    /// The id of the last event seen in the same order; nil to start with the first.
    public var after: String?
    /// The order; nil for `oldestFirst`.
    public var order: EventOrder?
    /// nil for all types.
    public var type: EventType?
    /// The page size within `Limits.pageSize`; nil for `Limits.defaultPageSize`.
    public var limit: Int?

    public init() {}

    public mutating func code(_ coder: inout QueryCoder) throws(QueryProblem) {
        try coder.text("after", &after)
        try coder.word("order", &order)
        try coder.word("type", &type)
        try coder.integer("limit", &limit, in: Limits.pageSize)
    }
}

/// The query of `auditLog`.
public struct AuditQuery: PagedQuery {
    public var selection = AuditSelection()
    public var page = PageQuery()

    public init() {}

    public mutating func code(_ coder: inout QueryCoder) throws(QueryProblem) {
        try coder.text("actor", &selection.actor, length: ModelLimits.emailLength.upperBound)
        try coder.text("action", &selection.action)
        try coder.text("object", &selection.object)
        try coder.time("from", &selection.from)
        try coder.time("until", &selection.until)
        try page.code(&coder)
    }
}

extension AuditEntry: FieldsDescribed {
    public static let fieldFacts: [String: FieldFact] = [
        "actorEmail": .example("ann@example.com"), "actorName": .example("Ann Example"),
        "count": .atLeast(1, example: 1), "object": .example("/v1/admin/variants/71101-69-m"),
    ]
}
