import Foundation
import Logging
import PouchDomain
import PouchEntities
import PouchStorage
import ServiceLifecycle
import Synchronization

/// Sends webhook deliveries that are due. Any number of servers may do so; each leases what it sends.
///
/// Its job leases deliveries, and the service sends them. Results are stored in batches, one transaction each. A slow
/// endpoint has only its own share of the active requests, and delays no other.
struct WebhookSender: Service {
    /// The maximum number of concurrent requests to one endpoint.
    static let atOnce = 64

    let dispatch: WebhookDispatch
    let store: any Store<ShopDatabase.Transaction>
    let client: WebhookClient
    let signer: WebhookSigner
    let time: any TimeSource
    let logger: Logger
    private let deliveries = DeliveriesUnderWay()

    /// Leases the deliveries that are due, and hands them to the service.
    var job: Job {
        Job(
            name: "leasing webhooks", announcement: .deliveryDue,
            nextDue: { try $0.webhooks.nextDue(except: deliveries.full) },
            run: lease)
    }

    @Sendable private func lease() async throws {
        // Reads without a lock first, since a result is often the last one.
        let due = try await store.read { [deliveries] in try $0.webhooks.nextDue(except: deliveries.full) }
        guard let due, due <= time.now else { return }
        deliveries.begin(try await dispatch.lease(limits: deliveries.room, limit: Self.atOnce))
    }

    func run() async throws {
        await cancelWhenGracefulShutdown {
            await withTaskGroup(of: Void.self) { group in
                group.addTask {
                    await repeating("storing the results of webhooks", logger) {
                        await deliveries.waitForResults()
                        try await storeResults()
                    }
                }
                group.addTask { await send() }
            }
        }
        // The last results are stored; other servers send the deliveries without a result when their lease ends.
        try? await storeResults()
        await client.close()
    }

    private func send() async {
        await withDiscardingTaskGroup { group in
            for await delivery in deliveries.begun {
                group.addTask {
                    let attempt = await attempt(delivery)
                    // The end of this server is not a failure of the receiver; another server continues after the
                    // lease.
                    guard attempt.status != nil || !Task.isCancelled else { return }
                    await deliveries.finish(delivery, attempt)
                }
            }
        }
    }

    private func attempt(_ delivery: DueDelivery) async -> WebhookDelivery.Attempt {
        let now = time.now
        guard let address = delivery.webhook.address else {
            return .init(at: now, milliseconds: 0, error: "The address is not valid. Correct it.")
        }
        do {
            let body = try delivery.event.body()
            let timestamp = Int64(now.timeIntervalSince1970)
            let signatures = signer.signatures(
                delivery.webhook.validSecrets(at: now), id: delivery.event.id, timestamp: timestamp, body: body)
            return await client.post(
                body, to: address,
                headers: [
                    ("content-type", "application/json"), ("user-agent", "Pouch"),
                    ("webhook-id", delivery.event.id), ("webhook-timestamp", String(timestamp)),
                    ("webhook-signature", signatures),
                ], at: now)
        } catch {
            return .init(at: now, milliseconds: 0, error: "The event cannot be read.")
        }
    }

    private func storeResults() async throws {
        let done = deliveries.done()
        guard !done.isEmpty else { return }
        // Runs before the commit, which announces that there is room. After a failure the leases end, and the
        // deliveries are sent again.
        deliveries.forget(done.map(\.delivery))
        for webhook in try await dispatch.finish(done) {
            logger.warning(
                "webhook paused, since its requests keep failing", metadata: ["webhook": "\(webhook.id)"])
        }
    }
}

/// A server's deliveries that are being sent, and those whose results are not stored yet.
private final class DeliveriesUnderWay: Sendable {
    typealias Result = (delivery: DueDelivery, attempt: WebhookDelivery.Attempt)

    /// The deliveries to send.
    let begun: AsyncStream<DueDelivery>
    private let beginning: AsyncStream<DueDelivery>.Continuation
    private let finished = Alarm()
    private let state = Mutex<(busy: [String: Int], results: [Result])>(([:], []))

    init() {
        (begun, beginning) = AsyncStream.makeStream()
    }

    /// The endpoints with the maximum number of active requests.
    var full: Set<String> { Set(room.filter { $0.value == 0 }.keys) }

    /// The number of further requests that each busy endpoint may have.
    var room: [String: Int] { state.withLock { $0.busy.mapValues { max(0, WebhookSender.atOnce - $0) } } }

    func begin(_ deliveries: [DueDelivery]) {
        state.withLock { state in
            for delivery in deliveries { state.busy[delivery.webhook.id, default: 0] += 1 }
        }
        for delivery in deliveries { beginning.yield(delivery) }
    }

    func finish(_ delivery: DueDelivery, _ attempt: WebhookDelivery.Attempt) async {
        state.withLock { $0.results.append((delivery, attempt)) }
        await finished.ring()
    }

    /// Returns the results to be stored.
    func done() -> [Result] {
        state.withLock { state in
            defer { state.results = [] }
            return state.results
        }
    }

    func forget(_ deliveries: [DueDelivery]) {
        state.withLock { state in
            for delivery in deliveries {
                let left = (state.busy[delivery.webhook.id] ?? 1) - 1
                state.busy[delivery.webhook.id] = left > 0 ? left : nil
            }
        }
    }

    /// Waits for a result that is not stored.
    func waitForResults() async { await finished.wait() }
}
