import Foundation
import PouchEntities
import PouchJSON

/// A stored webhook with its secrets.
public struct WebhookRecord: Sendable, Equatable {
    /// A signing key.
    public struct Secret: Sendable, Equatable {
        /// The text that the owner received, `whsec_…`.
        public let text: String
        /// nil for the current secret.
        public let endsAt: Date?

        public init(text: String, endsAt: Date?) {
            self.text = text
            self.endsAt = endsAt
        }
    }

    public let id: String
    public var url: String
    public var types: [EventType]
    public var description: String?
    public var status: WebhookEndpoint.Status
    public var failingSince: Date?
    /// The secrets, the current one first.
    public var secrets: [Secret]
    /// The account or API key that chose the address, or later switched on the webhook: the webhook is switched off
    /// when that account or key may no longer manage webhooks. nil for a webhook of an earlier version.
    public var addedBy: String?
    public let createdAt: Date

    public init(
        id: String, url: String, types: [EventType], description: String?, status: WebhookEndpoint.Status,
        failingSince: Date?, secrets: [Secret], addedBy: String? = nil, createdAt: Date
    ) {
        self.id = id
        self.url = url
        self.types = types
        self.description = description
        self.status = status
        self.failingSince = failingSince
        self.secrets = secrets
        self.addedBy = addedBy
        self.createdAt = createdAt
    }

    /// The address; nil if no request can be sent to it, which an earlier version may have stored.
    public var address: PeerAddress? { PeerAddress(url) }

    /// The secrets that sign a request.
    public func validSecrets(at now: Date) -> [String] {
        secrets.filter { $0.endsAt.map { $0 > now } ?? true }.map(\.text)
    }

    public func endpoint(at now: Date) -> WebhookEndpoint {
        WebhookEndpoint(
            id: id, url: url, types: types, description: description, status: status, failingSince: failingSince,
            previousSecretEndsAt: secrets.compactMap(\.endsAt).filter { $0 > now }.max(), createdAt: createdAt)
    }
}

extension WebhookRecord.Secret: JSONModel {
    public static let json = JSONObject(WebhookRecord.Secret.init, .field("text", \.text), .field("endsAt", \.endsAt))
}

/// A delivery that this server sends now.
public struct DueDelivery: Sendable {
    public let id: String
    public let webhook: WebhookRecord
    public let event: EventRecord
    /// The number of the current attempt, from 1.
    public let number: Int
    public let attempts: [WebhookDelivery.Attempt]

    public init(
        id: String, webhook: WebhookRecord, event: EventRecord, number: Int, attempts: [WebhookDelivery.Attempt]
    ) {
        self.id = id
        self.webhook = webhook
        self.event = event
        self.number = number
        self.attempts = attempts
    }
}

/// The state of a delivery after an attempt.
public struct DeliveryResult: Sendable {
    public let id: String
    public let webhookId: String
    public let status: WebhookDelivery.Status
    public let attempts: [WebhookDelivery.Attempt]
    public let tries: Int
    /// nil unless the delivery is pending.
    public let dueAt: Date?
}

public protocol WebhookRepository {
    /// The webhooks, oldest first, after the one with the id.
    func webhooks(after id: String?, limit: Int) throws -> [WebhookRecord]
    /// - Parameter locking: whether to lock it until the transaction ends.
    func webhook(id: String, locking: Bool) throws -> WebhookRecord?
    func insert(_ webhook: WebhookRecord) throws
    func update(_ webhook: WebhookRecord) throws
    /// Switches off the webhooks that an account or API key has added.
    func switchOff(addedBy granter: String) throws
    /// Deletes a webhook with its deliveries.
    func delete(id: String) throws

    /// Adds deliveries of events, due immediately.
    func add(_ deliveries: [NewDelivery]) throws
    /// The deliveries, latest first, after the one with the id.
    func deliveries(
        webhookId: String, status: WebhookDelivery.Status?, after id: String?, limit: Int
    ) throws -> [WebhookDelivery]
    func delivery(id: String) throws -> WebhookDelivery?
    /// The number of failed deliveries to all webhooks, counted up to the limit.
    func failedDeliveries(limit: Int) throws -> Int
    /// Makes a delivery due with all its attempts again; one that is being sent stays with its server.
    func restart(deliveryId: String, at: Date) throws

    /// The time at which the next delivery to an active webhook can be leased; nil if there is none.
    ///
    /// - Parameter busy: the webhooks that get nothing at the moment.
    func nextDue(except busy: Set<String>) throws -> Date?
    /// Leases due deliveries of active webhooks. For each object and webhook, only the earliest unfinished delivery is
    /// due.
    ///
    /// - Parameters:
    ///   - limits: the number of deliveries to each webhook. Webhooks without one get `limit`.
    ///   - holder: the server, whose result is valid until the lease ends.
    func lease(limits: [String: Int], limit: Int, holder: String, at now: Date, until: Date) throws -> [DueDelivery]
    /// - Returns: the ids of the results that were stored; results whose lease had ended were not.
    func finish(_ results: [DeliveryResult], holder: String) throws -> Set<String>
    /// Deletes deliveries older than a time, at most `limit`. Returns whether there may be more.
    func purge(before: Date, limit: Int) throws -> Bool
}

/// A delivery before it is stored.
public struct NewDelivery: Sendable {
    public let id: String
    public let webhookId: String
    public let event: EventRecord
    public let createdAt: Date
}
