import PouchEntities
import PouchJSON
import PouchWire

extension Contract {
    public static let webhooks = Exchange<NoBody, Page<WebhookEndpoint>>(.webhooks)
    /// The only answer with the secret.
    public static let addWebhook = Exchange<WebhookInput, SecretWebhook>(
        .addWebhook, status: 201, [.freshSignIn, .secretAnswer], problems: [.limitReached])
    public static let webhook = Exchange<NoBody, WebhookEndpoint>(.webhook)
    public static let updateWebhook = Exchange<WebhookPatch, WebhookEndpoint>(.updateWebhook, .freshSignIn)
    public static let deleteWebhook = Exchange<NoBody, NoContent>(.deleteWebhook, status: 204)
    /// Makes a new secret. For 24 hours, requests are signed with the one before, too.
    public static let rotateWebhookSecret = Exchange<NoBody, SecretWebhook>(
        .rotateWebhookSecret, [.freshSignIn, .secretAnswer])
    public static let webhookDeliveries = Exchange<NoBody, Page<WebhookDelivery>>(
        .webhookDeliveries, query: DeliveriesQuery.self)
    /// Sends the event again, with ten tries, as soon as no earlier event of its object waits.
    public static let redeliverWebhook = Exchange<NoBody, WebhookDelivery>(
        .redeliverWebhook, problems: [.eventExpired])

    static let webhooking: [any AnyExchange] = [
        webhooks, addWebhook, webhook, updateWebhook, deleteWebhook, rotateWebhookSecret, webhookDeliveries,
        redeliverWebhook,
    ]
}

/// The body of `addWebhook`.
public struct WebhookInput: Sendable, Equatable, FieldsDescribed {
    /// An https address with a public host.
    public let url: String
    /// nil or empty for all types.
    public let types: [EventType]?
    public let description: String?

    public static let fieldFacts: [String: FieldFact] = [
        "url": .length(ModelLimits.webhookURLLength, example: "https://hooks.example/pouch"),
        "types": .count(0...EventType.allCases.count), "description": .text,
    ]

    public init(url: String, types: [EventType]? = nil, description: String? = nil) {
        self.url = url
        self.types = types
        self.description = description
    }
}

extension WebhookInput: JSONModel {
    public static let json = JSONObject(
        WebhookInput.init, .field("url", \.url), .field("types", \.types), .field("description", \.description))
}

/// The body of `updateWebhook`.
public struct WebhookPatch: Sendable, Equatable, FieldsDescribed {
    public let url: String?
    public let types: [EventType]?
    /// true also ends a pause.
    public let isActive: Bool?
    public let description: FieldChange<String>

    public static let fieldFacts: [String: FieldFact] = [
        "url": .length(ModelLimits.webhookURLLength, example: "https://hooks.example/pouch"),
        "types": .count(0...EventType.allCases.count), "description": .text,
    ]

    public init(
        url: String? = nil, types: [EventType]? = nil, isActive: Bool? = nil,
        description: FieldChange<String> = .keep
    ) {
        self.url = url
        self.types = types
        self.isActive = isActive
        self.description = description
    }
}

extension WebhookPatch: JSONModel {
    public static let json = JSONObject(
        WebhookPatch.init, .nonNull("url", \.url), .nonNull("types", \.types), .nonNull("active", \.isActive),
        .field("description", \.description))
}

/// The query of `webhookDeliveries`.
public struct DeliveriesQuery: QueryDecodable {
    /// nil for all deliveries.
    public let status: WebhookDelivery.Status?
    public let page: PageQuery

    public init(from reader: inout QueryReader) throws(QueryProblem) {
        status = try reader.word("status", WebhookDelivery.Status.self)
        page = try PageQuery(from: &reader)
    }
}

// MARK: - Facts of answers

extension WebhookEndpoint: FieldsDescribed {
    public static let fieldFacts: [String: FieldFact] = ["url": .example("https://hooks.example/pouch")]
}

extension SecretWebhook: FieldsDescribed {
    public static let fieldFacts: [String: FieldFact] = [
        "secret": .pattern("^whsec_[A-Za-z0-9+/=]+$", example: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
    ]
}

extension WebhookDelivery.Attempt: FieldsDescribed {
    public static let fieldFacts: [String: FieldFact] = [
        "status": .range(100...999, example: 204), "milliseconds": .atLeast(0, example: 12),
    ]
}
