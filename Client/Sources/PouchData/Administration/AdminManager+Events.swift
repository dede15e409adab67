import PouchContract
import PouchEntities
import PouchWire

/// A change of a webhook. A part that is nil stays.
public struct WebhookChange: Sendable, Hashable {
    public var url: String?
    /// Empty for all types.
    public var types: [EventType]?
    /// true also ends a pause.
    public var isActive: Bool?
    /// An empty text removes the description.
    public var description: String?

    public init(
        url: String? = nil, types: [EventType]? = nil, isActive: Bool? = nil, description: String? = nil
    ) {
        self.url = url
        self.types = types
        self.isActive = isActive
        self.description = description
    }

    var patch: WebhookPatch {
        WebhookPatch(
            url: url, types: types, isActive: isActive,
            description: description.map { $0.isEmpty ? .clear : .set($0) } ?? .keep)
    }
}

extension AdminManager {
    // MARK: Events

    /// Some of the shop's events. The id of the last is the `after` of the next call in the same order.
    ///
    /// - Parameter id: the event that was seen last; nil to begin with the first. Events are kept for 30 days.
    /// - Throws: `.eventsMissed` for an event that is no longer kept.
    public func events(
        after id: ShopEvent.ID? = nil, in order: EventOrder = .oldestFirst, type: EventType? = nil, limit: Int? = nil
    ) async throws(DataError) -> EventPage {
        let query = EventsQuery { ($0.after, $0.order, $0.type, $0.limit) = (id, order, type, limit) }
        return try await data.perform(Contract.shopEvents, query: query)
    }

    // MARK: The audit log

    /// One page of the changes by staff, and of failed sign-ins, the latest first.
    public func auditLog(
        _ selection: AuditSelection = AuditSelection(), limit: Int? = nil, cursor: String? = nil
    ) async throws(DataError) -> Page<AuditEntry> {
        let query = AuditQuery { ($0.selection, $0.page) = (selection, PageQuery(limit: limit, cursor: cursor)) }
        return try await data.page(Contract.auditLog, query: query)
    }

    /// All changes by staff that are selected, the latest first.
    public func wholeAuditLog(_ selection: AuditSelection = AuditSelection()) -> AllPages<AuditEntry> {
        data.all(Contract.auditLog, query: AuditQuery { $0.selection = selection })
    }

    // MARK: Webhooks

    /// One page, the oldest first.
    public func webhooks(limit: Int? = nil, cursor: String? = nil) async throws(DataError) -> Page<WebhookEndpoint> {
        try await data.page(Contract.webhooks, query: PageQuery(limit: limit, cursor: cursor))
    }

    public func webhook(id: WebhookEndpoint.ID) async throws(DataError) -> WebhookEndpoint {
        try await data.perform(Contract.webhook, id)
    }

    /// Registers an address that gets events. Only the returned value has its secret. Do not repeat the call after an
    /// unclear outcome without a look at `webhooks`: each adds an endpoint.
    ///
    /// - Parameter types: empty for all types.
    public func addWebhook(
        url: String, types: [EventType] = [], description: String? = nil
    ) async throws(DataError) -> SecretWebhook {
        let body = WebhookInput(url: url, types: types, description: description)
        return try await data.perform(Contract.addWebhook, sending: body)
    }

    public func changeWebhook(
        id: WebhookEndpoint.ID, _ change: WebhookChange
    ) async throws(DataError) -> WebhookEndpoint {
        try await data.perform(Contract.updateWebhook, id, sending: change.patch)
    }

    /// Removes an endpoint with its deliveries.
    public func removeWebhook(id: WebhookEndpoint.ID) async throws(DataError) {
        try await data.perform(Contract.deleteWebhook, id)
    }

    /// Makes a new secret. For 24 hours, requests are signed with the one before, too.
    public func rotateWebhookSecret(id: WebhookEndpoint.ID) async throws(DataError) -> SecretWebhook {
        try await data.perform(Contract.rotateWebhookSecret, id)
    }

    /// One page of what was sent to an endpoint, or will be, the latest first.
    ///
    /// - Parameter status: nil for deliveries of any status.
    public func deliveries(
        webhookId: WebhookEndpoint.ID, status: WebhookDelivery.Status? = nil, limit: Int? = nil,
        cursor: String? = nil
    ) async throws(DataError) -> Page<WebhookDelivery> {
        let query = DeliveriesQuery { ($0.status, $0.page) = (status, PageQuery(limit: limit, cursor: cursor)) }
        return try await data.page(Contract.webhookDeliveries, webhookId, query: query)
    }

    /// Sends a delivery again, with all its tries.
    public func redeliver(id: WebhookDelivery.ID) async throws(DataError) -> WebhookDelivery {
        try await data.perform(Contract.redeliverWebhook, id)
    }
}
