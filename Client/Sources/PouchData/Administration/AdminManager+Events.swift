import PouchContract
import PouchEntities
import PouchWire

/// A change to a webhook. nil values do not change.
public struct WebhookChange: Sendable, Hashable {
    public var url: String?
    /// Empty for all types.
    public var types: [EventType]?
    /// true also resumes a paused webhook.
    public var isActive: Bool?
    /// An empty string removes the description.
    public var description: String?

    public init(url: String? = nil, types: [EventType]? = nil, isActive: Bool? = nil, description: String? = nil) {
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

    /// One page of the shop's events. Pass the id of the last one as `after` in the next call with the same order.
    ///
    /// - Parameter id: the last event seen; nil to start with the first. Events are available for 30 days.
    /// - Throws: `.eventsMissed` for an event that is no longer available.
    public func events(
        after id: ShopEvent.ID? = nil, in order: EventOrder = .oldestFirst, type: EventType? = nil, limit: Int? = nil
    ) async throws(DataError) -> EventPage {
        let query = EventsQuery { ($0.after, $0.order, $0.type, $0.limit) = (id, order, type, limit) }
        return try await data.perform(Contract.shopEvents, query: query)
    }

    // MARK: The audit log

    /// One page of changes by staff and failed sign-ins, newest first.
    public func auditLog(
        _ selection: AuditSelection = AuditSelection(), limit: Int? = nil, cursor: String? = nil
    ) async throws(DataError) -> Page<AuditEntry> {
        let query = AuditQuery { ($0.selection, $0.page) = (selection, PageQuery(limit: limit, cursor: cursor)) }
        return try await data.page(Contract.auditLog, query: query)
    }

    /// All selected changes by staff, newest first.
    public func wholeAuditLog(_ selection: AuditSelection = AuditSelection()) -> AllPages<AuditEntry> {
        data.all(Contract.auditLog, query: AuditQuery { $0.selection = selection })
    }

    // MARK: Webhooks

    /// One page, oldest first.
    public func webhooks(limit: Int? = nil, cursor: String? = nil) async throws(DataError) -> Page<WebhookEndpoint> {
        try await data.page(Contract.webhooks, query: PageQuery(limit: limit, cursor: cursor))
    }

    public func webhook(id: WebhookEndpoint.ID) async throws(DataError) -> WebhookEndpoint {
        try await data.perform(Contract.webhook, id)
    }

    /// Registers an address that receives events. Only the returned value contains its secret. If the outcome is
    /// unknown, check `webhooks` before you repeat the call: each call adds an endpoint.
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

    /// Removes an endpoint and its deliveries.
    public func removeWebhook(id: WebhookEndpoint.ID) async throws(DataError) {
        try await data.perform(Contract.deleteWebhook, id)
    }

    /// Creates a new secret. For 24 hours, requests are also signed with the previous one.
    public func rotateWebhookSecret(id: WebhookEndpoint.ID) async throws(DataError) -> SecretWebhook {
        try await data.perform(Contract.rotateWebhookSecret, id)
    }

    /// One page of an endpoint's past and pending deliveries, newest first.
    ///
    /// - Parameter status: nil for deliveries of any status.
    public func deliveries(
        webhookId: WebhookEndpoint.ID, status: WebhookDelivery.Status? = nil, limit: Int? = nil, cursor: String? = nil
    ) async throws(DataError) -> Page<WebhookDelivery> {
        let query = DeliveriesQuery { ($0.status, $0.page) = (status, PageQuery(limit: limit, cursor: cursor)) }
        return try await data.page(Contract.webhookDeliveries, webhookId, query: query)
    }

    /// Sends a delivery again, with the full number of attempts.
    public func redeliver(id: WebhookDelivery.ID) async throws(DataError) -> WebhookDelivery {
        try await data.perform(Contract.redeliverWebhook, id)
    }
}
