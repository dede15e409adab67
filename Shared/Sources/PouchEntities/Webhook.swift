import Foundation
import PouchJSON

/// An address of another system that receives the shop's events as HTTP requests.
public struct WebhookEndpoint: JSONModel, Hashable, Identifiable {
    public enum Status: String, OpenEnum {
        case active
        /// The webhook is switched off, and misses events until it is on again.
        case off
        /// The requests to the webhook kept failing, so the shop has stopped sending them. Deliveries wait until the
        /// webhook is active again.
        case paused
        case unrecognised
    }

    public let id: String
    public let url: String
    /// The types of events that it receives; empty for all types.
    public let types: [EventType]
    public let description: String?
    public let status: Status
    /// The time of the first failure since the last successful request.
    public let failingSince: Date?
    /// The time until which requests are also signed with the secret from before the rotation.
    public let previousSecretEndsAt: Date?
    public let createdAt: Date

    public init(
        id: String, url: String, types: [EventType] = [], description: String? = nil, status: Status = .active,
        failingSince: Date? = nil, previousSecretEndsAt: Date? = nil, createdAt: Date
    ) {
        self.id = id
        self.url = url
        self.types = types
        self.description = description
        self.status = status
        self.failingSince = failingSince
        self.previousSecretEndsAt = previousSecretEndsAt
        self.createdAt = createdAt
    }

    public static let json = JSONObject(
        WebhookEndpoint.init(id:url:types:description:status:failingSince:previousSecretEndsAt:createdAt:),
        .field("id", \.id), .field("url", \.url), .field("types", \.types), .field("description", \.description),
        .field("status", \.status), .field("failingSince", \.failingSince),
        .field("previousSecretEndsAt", \.previousSecretEndsAt), .field("createdAt", \.createdAt))
}

/// A webhook with its new secret, which no later answer contains.
public struct SecretWebhook: JSONModel, Hashable {
    public let webhook: WebhookEndpoint
    /// `whsec_` and the signing key in base 64, as in Standard Webhooks.
    public let secret: String

    public init(webhook: WebhookEndpoint, secret: String) {
        self.webhook = webhook
        self.secret = secret
    }

    public static let json = JSONObject(SecretWebhook.init, .field("webhook", \.webhook), .field("secret", \.secret))
}

/// The delivery of one event to one webhook.
public struct WebhookDelivery: JSONModel, Hashable, Identifiable {
    public enum Status: String, OpenEnum {
        /// The delivery waits for its next attempt, or for an earlier event of the same object.
        case pending
        case delivered
        /// All attempts have failed.
        case failed
        case unrecognised
    }

    /// One request.
    public struct Attempt: JSONModel, Hashable {
        public let at: Date
        public let milliseconds: Int
        /// The status of the answer; nil without an answer.
        public let status: Int?
        /// The first bytes of the answer's body.
        public let answer: String?
        /// The reason why there was no answer, for display.
        public let error: String?

        public init(at: Date, milliseconds: Int, status: Int? = nil, answer: String? = nil, error: String? = nil) {
            self.at = at
            self.milliseconds = milliseconds
            self.status = status
            self.answer = answer
            self.error = error
        }

        public static let json = JSONObject(
            WebhookDelivery.Attempt.init, .field("at", \.at), .field("milliseconds", \.milliseconds),
            .field("status", \.status), .field("answer", \.answer), .field("error", \.error))
    }

    public let id: String
    public let webhookId: String
    public let eventId: String
    public let type: EventType
    public let objectId: String
    public let status: Status
    /// The latest requests, oldest first.
    public let attempts: [Attempt]
    /// The time of the next attempt; nil unless the delivery is pending.
    public let nextAttemptAt: Date?
    public let createdAt: Date

    public init(
        id: String, webhookId: String, eventId: String, type: EventType, objectId: String, status: Status,
        attempts: [Attempt], nextAttemptAt: Date?, createdAt: Date
    ) {
        self.id = id
        self.webhookId = webhookId
        self.eventId = eventId
        self.type = type
        self.objectId = objectId
        self.status = status
        self.attempts = attempts
        self.nextAttemptAt = nextAttemptAt
        self.createdAt = createdAt
    }

    public static let json = JSONObject(
        WebhookDelivery.init, .field("id", \.id), .field("webhookId", \.webhookId), .field("eventId", \.eventId),
        .field("type", \.type), .field("objectId", \.objectId), .field("status", \.status),
        .field("attempts", \.attempts), .field("nextAttemptAt", \.nextAttemptAt), .field("createdAt", \.createdAt))
}
