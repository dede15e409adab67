import Foundation
import PouchEntities
import PouchJSON

/// Converts events to deliveries, hands those that are due to servers, and stores their results.
///
/// A delivery is stored in the transaction that processes its event, so each event has one delivery to each webhook
/// that wants it. A server leases what it sends; another server continues with it if the lease ends without a result.
public struct WebhookDispatch: Sendable {
    /// The time after which a server that has not reported a result counts as dead, in seconds. Longer than a request
    /// can take.
    public static let leaseTime: TimeInterval = 30

    private let environment: DomainEnvironment
    /// The name of this server in its leases.
    let holder: String

    public init(_ environment: DomainEnvironment) {
        self.environment = environment
        holder = Data(environment.random.bytes(16)).base64EncodedString()
    }

    /// Stores the deliveries of events.
    public var consumer: EventConsumer {
        EventConsumer("webhooks", environment.store) { [environment] repositories in
            let webhooks = try repositories.enabledWebhooks(at: environment.time.now)
            let types = Set(webhooks.flatMap(\.types))
            // A type that only a later release knows is found only by its event.
            let needsAll = types.contains(.unrecognised) || webhooks.contains { $0.types.isEmpty }
            return EventConsumer.Interest(types: needsAll ? nil : types) { events in
                let now = environment.time.now
                try repositories.webhooks.add(
                    events.flatMap { record in
                        webhooks.filter { $0.types.isEmpty || $0.types.contains(record.event.type) }.map { webhook in
                            NewDelivery(
                                id: environment.ids.make(.delivery), webhookId: webhook.id, event: record,
                                createdAt: now)
                        }
                    })
            }
        }
    }

    /// Leases deliveries that are due.
    ///
    /// - Parameters:
    ///   - limits: the number of further deliveries to busy webhooks.
    ///   - limit: the number for each other webhook.
    public func lease(limits: [String: Int], limit: Int) async throws -> [DueDelivery] {
        let now = environment.time.now
        return try await environment.store.write(.readCommitted) { [holder] repositories in
            // Nothing that waits is sent for an expired key.
            _ = try repositories.enabledWebhooks(at: now)
            return try repositories.webhooks.lease(
                limits: limits, limit: limit, holder: holder, at: now, until: now.addingTimeInterval(Self.leaseTime))
        }
    }

    /// Stores the results of requests. A webhook is paused when it answers 410, when its address is not usable, or when
    /// all attempts of a delivery have failed and no other request has succeeded since the first of them.
    ///
    /// - Returns: the paused webhooks.
    public func finish(
        _ attempts: [(delivery: DueDelivery, attempt: WebhookDelivery.Attempt)]
    ) async throws -> [WebhookEndpoint] {
        let now = environment.time.now
        let results = attempts.map { delivery, attempt in
            WebhookSchedule.result(of: delivery, attempt, fraction: fraction, at: now)
        }
        let gone = Set(attempts.filter(\.attempt.isGone).map(\.delivery.webhook.id))
        return try await environment.store.write(.readCommitted) { [holder, environment] repositories in
            let stored = try repositories.webhooks.finish(results, holder: holder)
            let byWebhook = Dictionary(grouping: results.filter { stored.contains($0.id) }, by: \.webhookId)
            var paused: [WebhookEndpoint] = []
            // Always in the same order, so that transactions do not deadlock.
            for (id, results) in byWebhook.sorted(by: { $0.key < $1.key }) {
                let hasSuccess = results.contains { $0.status == .delivered }
                let known = attempts.first { $0.delivery.webhook.id == id }?.delivery.webhook
                // Usually nothing changes for the webhook, and it needs no lock.
                if hasSuccess, known?.failingSince == nil, !gone.contains(id) { continue }
                guard var webhook = try repositories.webhooks.webhook(id: id, locking: true) else { continue }
                let before = webhook
                let firstFailure = results.compactMap { $0.attempts.last?.at }.min()
                webhook.failingSince = hasSuccess ? nil : webhook.failingSince ?? firstFailure
                let isHopeless = results.contains { $0.hasFailed(since: webhook.failingSince) }
                let isUnusable = gone.contains(id) || isHopeless || webhook.address == nil
                if isUnusable, webhook.status == .active { webhook.status = .paused }
                guard webhook != before else { continue }
                try repositories.webhooks.update(webhook)
                guard webhook.status == .paused, before.status == .active else { continue }
                let endpoint = webhook.endpoint(at: now)
                try environment.events.append(
                    .webhookPaused, of: id, EventData(webhook: endpoint), in: repositories)
                paused.append(endpoint)
            }
            return paused
        }
    }

    /// From 0 to 1.
    private var fraction: Double {
        Double(environment.random.bytes(4).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }) / Double(UInt32.max)
    }
}

/// The times at which a failed delivery is retried, and its end.
public enum WebhookSchedule {
    /// The maximum waits after the first to the ninth failure, in seconds: a delivery has ten attempts within three
    /// days. The actual wait is random up to these, so that the attempts after an outage are spread out.
    public static let waits: [TimeInterval] = [
        5, 5 * 60, 30 * 60, 2 * 3600, 5 * 3600, 10 * 3600, 14 * 3600, 18 * 3600, 22 * 3600,
    ]
    /// The number of the latest requests that a delivery shows.
    static let shownAttempts = 20

    /// - Parameter fraction: a random number from 0 to 1.
    /// - Returns: the seconds after a number of failures; nil if the delivery is abandoned.
    public static func wait(after failures: Int, fraction: Double) -> TimeInterval? {
        zip(1..., waits).first { number, _ in number == failures }.map { $1 * fraction }
    }

    /// The state of a delivery after one more request.
    public static func result(
        of delivery: DueDelivery, _ attempt: WebhookDelivery.Attempt, fraction: Double, at now: Date
    ) -> DeliveryResult {
        let attempts = Array((delivery.attempts + [attempt]).suffix(shownAttempts))
        let isOver = attempt.isSuccess || delivery.webhook.address == nil
        let wait = isOver ? nil : wait(after: delivery.number, fraction: fraction)
        return DeliveryResult(
            id: delivery.id, webhookId: delivery.webhook.id,
            status: attempt.isSuccess ? .delivered : wait == nil ? .failed : .pending, attempts: attempts,
            tries: delivery.number, dueAt: wait.map(now.addingTimeInterval))
    }
}

extension DeliveryResult {
    /// Whether all attempts have failed, the first of them after a time.
    func hasFailed(since time: Date?) -> Bool {
        guard status == .failed, let time, tries >= 1, tries <= attempts.count else { return false }
        // The store rounds times.
        return time <= attempts[attempts.count - tries].at.addingTimeInterval(0.001)
    }
}

extension WebhookDelivery.Attempt {
    /// Redirects are not followed, and count as failures.
    public var isSuccess: Bool { status.map { (200..<300).contains($0) } ?? false }
    /// Whether the receiver says that it never wants a request again.
    var isGone: Bool { status == 410 }
}

/// The signatures of Standard Webhooks: HMAC-SHA-256 over the id of the event, the time of the request and the body.
public struct WebhookSigner: Sendable {
    private static let prefix = "whsec_"

    private let digests: any Digests

    public init(_ digests: any Digests) {
        self.digests = digests
    }

    static func newSecret(_ random: any RandomSource) -> String {
        prefix + Data(random.bytes(24)).base64EncodedString()
    }

    /// The value of `webhook-signature`, with one signature for each secret.
    public func signatures(_ secrets: [String], id: String, timestamp: Int64, body: Data) -> String {
        let signed = Data("\(id).\(timestamp).".utf8) + body
        return secrets.compactMap { secret in
            Data(base64Encoded: String(secret.dropFirst(Self.prefix.count))).map { key in
                "v1," + digests.hmacSHA256(signed, key: key).base64EncodedString()
            }
        }.joined(separator: " ")
    }
}

extension EventRecord {
    /// The JSON of its `ShopEvent`. The data are unchanged.
    public func body() throws -> Data {
        func text(_ text: String) throws -> Data { try text.json() }
        return try Data(#"{"createdAt":"#.utf8) + event.createdAt.json() + Data(#","data":"#.utf8) + event.data
            + Data(#","id":"#.utf8) + text(id) + Data(#","objectId":"#.utf8) + text(event.objectId)
            + Data(#","type":"#.utf8) + text(event.typeName) + Data("}".utf8)
    }
}
