import PouchData
import PouchEntities

extension AdminManager {
    // MARK: Events

    /// Some of the shop's events. The id of the last is the `after` of the next call in the same order.
    ///
    /// - Parameter id: the event that was seen last; nil to begin with the first. Events are kept for 30 days.
    /// - Throws: `.eventsMissed` for an event that is no longer kept.
    public func events(
        after id: ShopEvent.ID? = nil, in order: EventOrder = .oldestFirst, type: EventType? = nil, limit: Int? = nil
    ) async throws(DataError) -> EventPage {
        try await data.events(after: id, in: order, type: type, limit: limit)
    }

    // MARK: The audit log

    /// One page of the changes by staff, and of failed sign-ins, the latest first.
    public func auditLog(
        _ selection: AuditSelection = AuditSelection(), limit: Int? = nil, cursor: String? = nil
    ) async throws(DataError) -> Page<AuditEntry> {
        try await data.auditLog(selection, limit: limit, cursor: cursor)
    }

    /// All changes by staff that are selected, the latest first.
    public nonisolated func wholeAuditLog(_ selection: AuditSelection = AuditSelection()) -> AllPages<AuditEntry> {
        AllPages { [data] cursor throws(DataError) in
            try await data.auditLog(selection, limit: 200, cursor: cursor)
        }
    }

    // MARK: Webhooks

    /// One page, the oldest first.
    public func webhooks(limit: Int? = nil, cursor: String? = nil) async throws(DataError) -> Page<WebhookEndpoint> {
        try await data.webhooks(limit: limit, cursor: cursor)
    }

    public func webhook(id: WebhookEndpoint.ID) async throws(DataError) -> WebhookEndpoint {
        try await data.webhook(id: id)
    }

    /// Registers an address that gets events. Only the returned value has its secret. Do not repeat the call after an
    /// unclear outcome without a look at `webhooks`: each adds an endpoint.
    ///
    /// - Parameter types: empty for all types.
    public func addWebhook(
        url: String, types: [EventType] = [], description: String? = nil
    ) async throws(DataError) -> SecretWebhook {
        try await data.addWebhook(url: url, types: types, description: description)
    }

    public func changeWebhook(
        id: WebhookEndpoint.ID, _ change: WebhookChange
    ) async throws(DataError) -> WebhookEndpoint {
        try await data.updateWebhook(id: id, change)
    }

    /// Removes an endpoint with its deliveries.
    public func removeWebhook(id: WebhookEndpoint.ID) async throws(DataError) {
        try await data.deleteWebhook(id: id)
    }

    /// Makes a new secret. For 24 hours, requests are signed with the one before, too.
    public func rotateWebhookSecret(id: WebhookEndpoint.ID) async throws(DataError) -> SecretWebhook {
        try await data.rotateWebhookSecret(id: id)
    }

    /// One page of what was sent to an endpoint, or will be, the latest first.
    ///
    /// - Parameter status: nil for deliveries of any status.
    public func deliveries(
        webhookId: WebhookEndpoint.ID, status: WebhookDelivery.Status? = nil, limit: Int? = nil,
        cursor: String? = nil
    ) async throws(DataError) -> Page<WebhookDelivery> {
        try await data.webhookDeliveries(of: webhookId, status: status, limit: limit, cursor: cursor)
    }

    /// Sends a delivery again, with all its tries.
    public func redeliver(id: WebhookDelivery.ID) async throws(DataError) -> WebhookDelivery {
        try await data.redeliverWebhook(deliveryId: id)
    }
}
