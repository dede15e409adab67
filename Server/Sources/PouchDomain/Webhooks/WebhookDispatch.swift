import Foundation
import PouchEntities

/// Turns events into deliveries, hands those that are due to servers, and takes their results.
///
/// A delivery is stored in the transaction in which its event is taken, so each event has one delivery at each endpoint
/// that wants it. A server leases what it sends: another server continues with it when the lease has ended without a
/// result.
public struct WebhookDispatch: Sendable {
    /// Seconds after which a server that has not reported a result counts as dead. More than a request may take.
    public static let leaseTime: TimeInterval = 30

    private let environment: DomainEnvironment
    /// Names this server in its leases.
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
            // A type that only a later release knows is found by its event alone.
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
    ///   - limits: the number of further deliveries to endpoints that are busy.
    ///   - limit: that to each other endpoint.
    public func lease(limits: [String: Int], limit: Int) async throws -> [DueDelivery] {
        let now = environment.time.now
        return try await environment.store.write(.readCommitted) { [holder] repositories in
            // Nothing that waits is sent for a key that has expired.
            _ = try repositories.enabledWebhooks(at: now)
            return try repositories.webhooks.lease(
                limits: limits, limit: limit, holder: holder, at: now, until: now.addingTimeInterval(Self.leaseTime))
        }
    }

    /// Stores the results of requests. An endpoint is paused when it answers 410, when its address cannot be used, or when
    /// all tries of a delivery have failed and no other succeeded since the first of them.
    ///
    /// - Returns: the endpoints that were paused.
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
            // In one order, so that transactions do not deadlock.
            for (id, results) in byWebhook.sorted(by: { $0.key < $1.key }) {
                let hasSuccess = results.contains { $0.status == .delivered }
                let known = attempts.first { $0.delivery.webhook.id == id }?.delivery.webhook
                // Most of the time nothing changes at the endpoint, and it needs no lock.
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
