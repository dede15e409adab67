import PouchEntities
import PouchJSON
import PouchWire

extension Contract {
    public static let webhooks = Exchange<PageQuery, Page<WebhookEndpoint>>(
        "webhooks", .get, "/v1/admin/webhooks", .staff(.manageWebhooks),
        about: "Lists the registered webhooks.")
    /// The only answer that contains the secret.
    public static let addWebhook = Exchange<WebhookInput, SecretWebhook>(
        "addWebhook", .post, "/v1/admin/webhooks", .staff(.manageWebhooks), status: 201, [.freshSignIn, .secretAnswer],
        problems: [.limitReached],
        about: "Registers a URL that receives events. Only this response contains the secret.")
    public static let webhook = Exchange<NoInput, WebhookEndpoint>(
        "webhook", .get, "/v1/admin/webhooks/{id}", .staff(.manageWebhooks),
        about: "Returns a webhook.")
    public static let updateWebhook = Exchange<WebhookPatch, WebhookEndpoint>(
        "updateWebhook", .patch, "/v1/admin/webhooks/{id}", .staff(.manageWebhooks), .freshSignIn,
        about: "Updates the fields in the body. Turning a webhook on also ends a pause.")
    public static let deleteWebhook = Exchange<NoInput, NoContent>(
        "deleteWebhook", .delete, "/v1/admin/webhooks/{id}", .staff(.manageWebhooks), status: 204,
        about: "Deletes a webhook with its deliveries.")
    /// Creates a new secret. For 24 hours, requests are also signed with the previous one.
    public static let rotateWebhookSecret = Exchange<NoInput, SecretWebhook>(
        "rotateWebhookSecret", .post, "/v1/admin/webhooks/{id}/secret", .staff(.manageWebhooks),
        [.freshSignIn, .secretAnswer],
        about: "Creates a new secret. For 24 hours, requests are also signed with the old one.")
    public static let webhookDeliveries = Exchange<DeliveriesQuery, Page<WebhookDelivery>>(
        "webhookDeliveries", .get, "/v1/admin/webhooks/{id}/deliveries", .staff(.manageWebhooks),
        about: "Lists the deliveries to a webhook with their attempts, latest first.")
    /// Sends the event again, with ten attempts, as soon as no earlier event of its object is waiting.
    public static let redeliverWebhook = Exchange<NoInput, WebhookDelivery>(
        "redeliverWebhook", .post, "/v1/admin/webhook-deliveries/{id}/redeliver", .staff(.manageWebhooks),
        problems: [.eventExpired],
        about: "Sends a delivery again.")

    static let webhookExchanges: [any AnyExchange] = [
        webhooks, addWebhook, webhook, updateWebhook, deleteWebhook, rotateWebhookSecret, webhookDeliveries,
        redeliverWebhook,
    ]
}

/// The body of `addWebhook`.
public struct WebhookInput: JSONModel, Equatable, FieldsDescribed {
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

    public static let json = JSONObject(
        WebhookInput.init, .field("url", \.url), .field("types", \.types), .field("description", \.description))
}

/// The body of `updateWebhook`.
public struct WebhookPatch: JSONModel, Equatable, FieldsDescribed {
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
        url: String? = nil, types: [EventType]? = nil, isActive: Bool? = nil, description: FieldChange<String> = .keep
    ) {
        self.url = url
        self.types = types
        self.isActive = isActive
        self.description = description
    }

    public static let json = JSONObject(
        WebhookPatch.init, .nonNull("url", \.url), .nonNull("types", \.types), .nonNull("active", \.isActive),
        .field("description", \.description))
}

/// The query of `webhookDeliveries`.
public struct DeliveriesQuery: PagedQuery {
    /// nil for all deliveries.
    public var status: WebhookDelivery.Status?
    public var page = PageQuery()

    public init() {}

    public mutating func code(_ coder: inout QueryCoder) throws(QueryProblem) {
        try coder.word("status", &status)
        try page.code(&coder)
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
