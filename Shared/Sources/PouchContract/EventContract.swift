import Foundation
import PouchEntities
import PouchJSON
import PouchWire

extension Contract {
    /// The events after one that the caller has seen, in the order of the query. Events are kept for 30 days.
    public static let shopEvents = Exchange<EventsQuery, EventPage>(
        "shopEvents", .get, "/v1/admin/events", .staff(.readEvents), problems: [.unknownEvent],
        about: "The events of the shop after a given one.")
    public static let auditLog = Exchange<AuditQuery, Page<AuditEntry>>(
        "auditLog", .get, "/v1/admin/audit", .staff(.readAudit),
        about: "The changes by the staff and by keys, the latest first.")

    static let eventing: [any AnyExchange] = [shopEvents, auditLog]
}

/// The query of `shopEvents`.
public struct EventsQuery: QueryType {
    /// The id of the last event that was seen, in the same order; nil to begin with the first.
    public var after: String?
    /// nil: `oldestFirst`.
    public var order: EventOrder?
    /// nil for all types.
    public var type: EventType?
    /// Within `Limits.pageSize`; nil: `Limits.defaultPageSize`.
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
