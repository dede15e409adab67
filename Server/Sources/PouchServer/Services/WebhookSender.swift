import Foundation
import Logging
import PouchDomain
import PouchEntities
import PouchStorage
import ServiceLifecycle

/// Sends the deliveries of webhooks that are due. Any number of servers may do so; each leases what it sends.
///
/// Results are collected and stored many in one transaction. An endpoint that answers slowly has only its own share of
/// the requests under way, and delays no other.
struct WebhookSender: Service {
    /// The most requests to one endpoint at the same time.
    static let atOnce = 64
    /// The pause between two searches for deliveries that are due.
    private static let interval = Duration.milliseconds(200)

    let dispatch: WebhookDispatch
    let client: WebhookClient
    let signer: WebhookSigner
    let time: any TimeSource
    let logger: Logger

    func run() async throws {
        let desk = DeliveryDesk()
        await cancelWhenGracefulShutdown {
            await withTaskGroup(of: Void.self) { group in
                group.addTask {
                    await repeating("storing the results of webhooks", logger) {
                        await desk.waitForResults()
                        try await store(desk)
                    }
                }
                group.addTask { await send(to: desk) }
            }
        }
        // The last results are stored; deliveries without one are sent by other servers when the lease ends.
        try? await store(desk)
        await client.close()
    }

    private func send(to desk: DeliveryDesk) async {
        await withDiscardingTaskGroup { group in
            await repeating("leasing webhooks", logger) {
                let leased = try await lease(desk)
                for delivery in leased {
                    group.addTask {
                        let attempt = await attempt(delivery)
                        // The end of this server is no failure of the receiver; another server goes on after the lease.
                        guard attempt.status != nil || !Task.isCancelled else { return }
                        await desk.finish(delivery, attempt)
                    }
                }
                if leased.isEmpty { await desk.waitForRoom(Self.interval) }
            }
        }
    }

    private func lease(_ desk: DeliveryDesk) async throws -> [DueDelivery] {
        // Reads without a lock first, since most runs find no delivery.
        guard let due = try await dispatch.nextDue(), due <= time.now else { return [] }
        let limits = await desk.busy.mapValues { max(0, Self.atOnce - $0) }
        let leased = try await dispatch.lease(limits: limits, limit: Self.atOnce)
        await desk.begin(leased)
        return leased
    }

    private func attempt(_ delivery: DueDelivery) async -> WebhookDelivery.Attempt {
        let now = time.now
        do {
            let body = try delivery.event.body()
            let timestamp = Int64(now.timeIntervalSince1970)
            let signatures = signer.signatures(
                delivery.webhook.validSecrets(at: now), id: delivery.event.id, timestamp: timestamp, body: body)
            return await client.post(
                body, to: delivery.webhook.url,
                headers: [
                    ("content-type", "application/json"), ("user-agent", "Pouch"),
                    ("webhook-id", delivery.event.id), ("webhook-timestamp", String(timestamp)),
                    ("webhook-signature", signatures),
                ], at: now)
        } catch {
            return .init(at: now, milliseconds: 0, error: "The event cannot be read.")
        }
    }

    private func store(_ desk: DeliveryDesk) async throws {
        let done = await desk.done()
        guard !done.isEmpty else { return }
        do {
            for webhook in try await dispatch.finish(done) {
                logger.warning(
                    "requests to a webhook keep failing, so it is paused",
                    metadata: ["webhook": "\(webhook.id)"])
            }
            await desk.forget(done.map(\.delivery))
        } catch {
            // The leases end, and the deliveries are sent again.
            await desk.forget(done.map(\.delivery))
            throw error
        }
    }
}

/// The deliveries that a server has under way, and those whose results are not stored yet.
private actor DeliveryDesk {
    typealias Result = (delivery: DueDelivery, attempt: WebhookDelivery.Attempt)

    /// The number of deliveries to each endpoint that are being sent or stored.
    private(set) var busy: [String: Int] = [:]
    private var results: [Result] = []
    private let room = Alarm()
    private let finished = Alarm()

    func begin(_ deliveries: [DueDelivery]) {
        for delivery in deliveries { busy[delivery.webhook.id, default: 0] += 1 }
    }

    func finish(_ delivery: DueDelivery, _ attempt: WebhookDelivery.Attempt) async {
        results.append((delivery, attempt))
        await finished.ring()
    }

    /// The results that are to be stored.
    func done() -> [Result] {
        defer { results = [] }
        return results
    }

    func forget(_ deliveries: [DueDelivery]) async {
        for delivery in deliveries {
            let left = (busy[delivery.webhook.id] ?? 1) - 1
            busy[delivery.webhook.id] = left > 0 ? left : nil
        }
        await room.ring()
    }

    /// Waits for a result that is not stored.
    nonisolated func waitForResults() async { await finished.wait() }

    /// Waits until an endpoint has room for more requests, or the time is over.
    nonisolated func waitForRoom(_ time: Duration) async { await room.sleep(for: time) }
}
