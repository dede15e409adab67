import Foundation
import PouchContract
import PouchEntities
import PouchJSON
import PouchService
import PouchWire

/// The selection of entries of the audit log; nil for any value.
public struct AuditSelection: Sendable, Hashable {
    /// The id of an account or an API key, or the e-mail address that an account has now.
    public var actor: String?
    /// The name of an endpoint, such as `updateVariant`, or `AuditEntry.failedSignIn`.
    public var action: String?
    /// The path of what was changed.
    public var object: String?
    public var from: Date?
    public var until: Date?

    public init(
        actor: String? = nil, action: String? = nil, object: String? = nil, from: Date? = nil, until: Date? = nil
    ) {
        self.actor = actor
        self.action = action
        self.object = object
        self.from = from
        self.until = until
    }
}

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
        try await perform(
            Contract.shopEvents,
            .events(.list(after: id, order: order.rawValue, type: type?.rawValue, limit: limit)))
    }

    /// A page of the audit log, the latest first.
    public func auditLog(
        _ selection: AuditSelection = AuditSelection(), limit: Int? = nil, cursor: String? = nil
    ) async throws(DataError) -> Page<AuditEntry> {
        try await page(
            Contract.auditLog,
            .events(
                .audit(
                    actor: selection.actor, action: selection.action, object: selection.object,
                    from: selection.from.map(WireTime.text), until: selection.until.map(WireTime.text), limit: limit,
                    cursor: cursor)))
    }

    public func webhooks(limit: Int? = nil, cursor: String? = nil) async throws(DataError) -> Page<WebhookEndpoint> {
        try await page(Contract.webhooks, .events(.webhooks(limit: limit, cursor: cursor)))
    }

    public func webhook(id: String) async throws(DataError) -> WebhookEndpoint {
        try await perform(Contract.webhook, .events(.webhook(id: id)))
    }

    /// Adds an endpoint. Only this answer has its secret, so a second try after an unclear outcome adds another.
    public func addWebhook(
        url: String, types: [EventType] = [], description: String? = nil
    ) async throws(DataError) -> SecretWebhook {
        let body = WebhookInput(url: url, types: types, description: description)
        return try await perform(Contract.addWebhook, sending: body) { .events(.addWebhook(body: $0)) }
    }

    public func updateWebhook(id: String, _ change: WebhookChange) async throws(DataError) -> WebhookEndpoint {
        try await perform(Contract.updateWebhook, sending: change.patch) {
            .events(.updateWebhook(id: id, body: $0))
        }
    }

    public func deleteWebhook(id: String) async throws(DataError) {
        try await perform(Contract.deleteWebhook, .events(.deleteWebhook(id: id)))
    }

    public func rotateWebhookSecret(id: String) async throws(DataError) -> SecretWebhook {
        try await perform(Contract.rotateWebhookSecret, .events(.rotateSecret(id: id)))
    }

    /// A page of the deliveries to an endpoint, the latest first.
    public func webhookDeliveries(
        of webhookId: String, status: WebhookDelivery.Status? = nil, limit: Int? = nil, cursor: String? = nil
    ) async throws(DataError) -> Page<WebhookDelivery> {
        try await page(
            Contract.webhookDeliveries,
            .events(.deliveries(webhookId: webhookId, status: status?.rawValue, limit: limit, cursor: cursor)))
    }

    /// Sends a delivery again.
    public func redeliverWebhook(deliveryId: String) async throws(DataError) -> WebhookDelivery {
        try await perform(Contract.redeliverWebhook, .events(.redeliver(id: deliveryId)))
    }
}
