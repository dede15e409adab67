import Foundation
import PouchEntities

/// Registers webhooks, and shows their deliveries.
public struct WebhookService: Sendable {
    /// The time for which both secrets sign after a rotation, in seconds.
    public static let rotationTime: TimeInterval = 24 * 3600

    private let environment: DomainEnvironment
    private let rule: WebhookAddressRule

    public init(_ environment: DomainEnvironment, rule: WebhookAddressRule) {
        self.environment = environment
        self.rule = rule
    }

    /// - Parameter granter: the account or API key that adds the webhook.
    /// - Throws: `DomainError.invalid`, `.limitReached`.
    public func add(
        url: String, types: [EventType], description: String?, by granter: String? = nil,
        in repositories: any Repositories
    ) throws -> SecretWebhook {
        try check(url: url, types: types, description: description)
        guard try repositories.webhooks.webhooks(after: nil, limit: ModelLimits.webhooks).count < ModelLimits.webhooks
        else { throw DomainError.limitReached }
        let (now, secret) = (environment.time.now, WebhookSigner.newSecret(environment.random))
        let record = WebhookRecord(
            id: environment.ids.make(.webhook), url: url, types: types, description: description, status: .active,
            failingSince: nil, secrets: [.init(text: secret, endsAt: nil)], addedBy: granter, createdAt: now)
        try repositories.webhooks.insert(record)
        return SecretWebhook(webhook: record.endpoint(at: now), secret: secret)
    }

    public func webhooks(after id: String?, limit: Int, in repositories: any Repositories) throws -> [WebhookEndpoint] {
        try repositories.webhooks.webhooks(after: id, limit: limit).map { $0.endpoint(at: environment.time.now) }
    }

    /// - Throws: `DomainError.notFound`.
    public func webhook(id: String, in repositories: any Repositories) throws -> WebhookEndpoint {
        try record(id: id, locking: false, in: repositories).endpoint(at: environment.time.now)
    }

    /// - Parameters:
    ///   - isActive: true also ends a pause, after which waiting deliveries are sent.
    ///   - granter: the account or API key that changes it.
    /// - Throws: `DomainError.invalid`, `.notFound`.
    public func update(
        id: String, isActive: Bool?, by granter: String, in repositories: any Repositories,
        _ change: (inout WebhookRecord) -> Void
    ) throws -> (before: WebhookEndpoint, after: WebhookEndpoint) {
        var record = try record(id: id, locking: true, in: repositories)
        let now = environment.time.now
        let before = record.endpoint(at: now)
        change(&record)
        try check(url: record.url, types: record.types, description: record.description)
        if let isActive {
            if isActive, record.status == .paused { record.failingSince = nil }
            record.status = isActive ? .active : .off
        }
        if isActive == true || record.url != before.url { record.addedBy = granter }
        try repositories.webhooks.update(record)
        return (before, record.endpoint(at: now))
    }

    /// Deletes a webhook with its deliveries.
    ///
    /// - Throws: `DomainError.notFound`.
    public func delete(id: String, in repositories: any Repositories) throws -> WebhookEndpoint {
        let record = try record(id: id, locking: true, in: repositories)
        try repositories.webhooks.delete(id: id)
        return record.endpoint(at: environment.time.now)
    }

    /// Creates a new secret. The previous one also signs until the receiver has had time to change.
    ///
    /// - Parameter granter: the account or API key that learns the secret. The webhook ends with its right to add one.
    /// - Throws: `DomainError.notFound`.
    public func rotate(id: String, by granter: String, in repositories: any Repositories) throws -> SecretWebhook {
        var record = try record(id: id, locking: true, in: repositories)
        let (now, secret) = (environment.time.now, WebhookSigner.newSecret(environment.random))
        let previous = record.secrets.first.map {
            WebhookRecord.Secret(text: $0.text, endsAt: now.addingTimeInterval(Self.rotationTime))
        }
        record.secrets = [.init(text: secret, endsAt: nil)] + [previous].compactMap(\.self)
        record.addedBy = granter
        try repositories.webhooks.update(record)
        return SecretWebhook(webhook: record.endpoint(at: now), secret: secret)
    }

    // MARK: Deliveries

    /// - Throws: `DomainError.notFound`.
    public func deliveries(
        webhookId: String, status: WebhookDelivery.Status?, after id: String?, limit: Int,
        in repositories: any Repositories
    ) throws -> [WebhookDelivery] {
        _ = try record(id: webhookId, locking: false, in: repositories)
        return try repositories.webhooks.deliveries(webhookId: webhookId, status: status, after: id, limit: limit)
    }

    /// Sends a delivery again, with all its attempts.
    ///
    /// - Throws: `DomainError.notFound`, `.eventExpired`.
    public func redeliver(id: String, in repositories: any Repositories) throws -> WebhookDelivery {
        let found = try repositories.webhooks.delivery(id: id).orNotFound()
        guard try repositories.events.event(id: found.eventId) != nil else { throw DomainError.eventExpired }
        try repositories.webhooks.restart(deliveryId: id, at: environment.time.now)
        return try repositories.webhooks.delivery(id: id) ?? found
    }

    // MARK: Rules

    private func record(id: String, locking: Bool, in repositories: any Repositories) throws -> WebhookRecord {
        try repositories.webhooks.webhook(id: id, locking: locking).orNotFound()
    }

    private func check(url: String, types: [EventType], description: String?) throws(DomainError) {
        try rule.check(url)
        if types.contains(.unrecognised) {
            throw .invalid("types", .invalid, "There is no such event type. GET /openapi.json lists the types.")
        }
        if Set(types).count != types.count {
            throw .invalid("types", .invalid, "List each event type only once.")
        }
        let isBlank = description?.allSatisfy(\.isWhitespace) ?? false
        let length = ModelLimits.textLength
        guard !isBlank, length.contains(description?.unicodeScalars.count ?? 1) else {
            throw .invalid(
                "description", .outOfRange,
                "A description must have \(length.lowerBound) to \(length.upperBound) characters.")
        }
    }
}

/// The addresses to which a shop sends requests on behalf of its staff. Requests to other addresses would give staff
/// access to the shop's own network.
public struct WebhookAddressRule: Sendable {
    /// Whether http and addresses of private networks are allowed, for example in tests.
    public let allowsPrivate: Bool

    public init(allowsPrivate: Bool) {
        self.allowsPrivate = allowsPrivate
    }

    /// Whether a request may go to the address that a name resolved to.
    public func allows(_ address: NetworkAddress) -> Bool { allowsPrivate || address.isPublic }

    /// - Throws: `DomainError.invalid`. Names are resolved only for each request.
    func check(_ text: String) throws(DomainError) {
        func refuse(_ detail: String) -> DomainError { .invalid("url", .invalid, detail) }
        guard ModelLimits.webhookURLLength.contains(text.count), let address = PeerAddress(text) else {
            throw refuse(
                "Enter the address of a web server, such as https://example.com/pouch, without a user, password or "
                    + "fragment. A port must be from 1 to 65535.")
        }
        guard !allowsPrivate else { return }
        guard address.isEncrypted else { throw refuse("The address must begin with https://.") }
        let name = address.host.lowercased().trimmingCharacters(in: ["."])
        let isLocal = name == "localhost" || name.hasSuffix(".localhost")
        guard !isLocal, NetworkAddress(address.host)?.isPublic ?? true else {
            throw refuse("The address must be in the public network.")
        }
    }
}
