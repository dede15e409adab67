import Foundation
import PouchContract
import PouchEntities
import PouchJSON
import PouchService
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

/// Events, webhooks and the audit log, for administrators.
extension DataManager {
    /// The events after one that was seen in the same order, or the first without one.
    ///
    /// - Throws: `.eventsMissed` for an event that is no longer kept.
    public func events(
        after id: String? = nil, in order: EventOrder = .oldestFirst, type: EventType? = nil, limit: Int? = nil
    ) async throws(DataError) -> EventPage {
        let query = EventsQuery { ($0.after, $0.order, $0.type, $0.limit) = (id, order, type, limit) }
        return try await perform(Contract.shopEvents, query: query)
    }

    /// A page of the audit log, the latest first.
    public func auditLog(
        _ selection: AuditSelection = AuditSelection(), limit: Int? = nil, cursor: String? = nil
    ) async throws(DataError) -> Page<AuditEntry> {
        let query = AuditQuery {
            ($0.selection, $0.page) = (selection, PageQuery(limit: limit, cursor: cursor))
        }
        return try await page(Contract.auditLog, query: query)
    }

    public func webhooks(limit: Int? = nil, cursor: String? = nil) async throws(DataError) -> Page<WebhookEndpoint> {
        try await page(Contract.webhooks, query: PageQuery(limit: limit, cursor: cursor))
    }

    public func webhook(id: String) async throws(DataError) -> WebhookEndpoint {
        try await perform(Contract.webhook, id)
    }

    /// Adds an endpoint. Only this answer has its secret, so a second try after an unclear outcome adds another.
    public func addWebhook(
        url: String, types: [EventType] = [], description: String? = nil
    ) async throws(DataError) -> SecretWebhook {
        let body = WebhookInput(url: url, types: types, description: description)
        return try await perform(Contract.addWebhook, sending: body)
    }

    public func updateWebhook(id: String, _ change: WebhookChange) async throws(DataError) -> WebhookEndpoint {
        try await perform(Contract.updateWebhook, id, sending: change.patch)
    }

    public func deleteWebhook(id: String) async throws(DataError) {
        try await perform(Contract.deleteWebhook, id)
    }

    public func rotateWebhookSecret(id: String) async throws(DataError) -> SecretWebhook {
        try await perform(Contract.rotateWebhookSecret, id)
    }

    /// A page of the deliveries to an endpoint, the latest first.
    public func webhookDeliveries(
        of webhookId: String, status: WebhookDelivery.Status? = nil, limit: Int? = nil, cursor: String? = nil
    ) async throws(DataError) -> Page<WebhookDelivery> {
        let query = DeliveriesQuery { ($0.status, $0.page) = (status, PageQuery(limit: limit, cursor: cursor)) }
        return try await page(Contract.webhookDeliveries, webhookId, query: query)
    }

    /// Sends a delivery again.
    public func redeliverWebhook(deliveryId: String) async throws(DataError) -> WebhookDelivery {
        try await perform(Contract.redeliverWebhook, deliveryId)
    }
}
