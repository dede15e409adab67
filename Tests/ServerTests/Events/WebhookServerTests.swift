import HTTPTypes
import Hummingbird
import ServerTesting
import Subprocess
import SystemPackage
import Testing

@testable import PouchDomain
@testable import PouchServer

@Suite("Webhooks of several servers", .timeLimit(.minutes(5)), .withReceiver, .inSendingShop([]))
struct WebhookServerTests {
    private let receiver = Receiver.current
    private let shop = TestShop.current
    private let admin: Caller

    init() async throws { admin = try await shop.admin() }

    @Test func `Two servers send each delivery once`() async throws {
        try await shop.another { other in
            let hook = try await admin.addWebhook(receiver.url).good().webhook
            _ = try await parallel(60) { try await ($0.isMultiple(of: 2) ? shop : other).append("o\($0 % 7)") }
            try await eventually {
                try await shop.rows("SELECT 1 FROM webhook_deliveries WHERE status = 'delivered'").count == 60
            }
            #expect(receiver.requests.count == 60)
            #expect(Set(receiver.requests.map(\.id)).count == 60)
            let positions = Dictionary(uniqueKeysWithValues: try await shop.events().map { ($0.id, $0.position) })
            // Of each object in the order of the events.
            let byObject = Dictionary(grouping: receiver.requests) { (try? $0.event.objectId) ?? "" }
            for requests in byObject.values {
                let order = requests.compactMap { positions[$0.id] }
                #expect(order == order.sorted())
            }
            #expect(try await admin.webhook(hook.id).status == .active)
        }
    }

    @Test func `Deliveries of a dead server continue when its lease ends, and its result is ignored`() async throws {
        // No server has this port; only leases of this test count.
        let hook = try await admin.addWebhook("http://127.0.0.1:9/", [.orderPaid]).good().webhook
        try await admin.change(hook.id, WebhookPatch(isActive: false)).good()
        let (dead, alive) = (WebhookDispatch(shop.environment), WebhookDispatch(shop.environment))
        let now = shop.clock.now
        try await shop.append("o")
        let event = try #require(await shop.events().first { $0.event.objectId == "o" })
        try await shop.store.write { repositories in
            try repositories.webhooks.add([NewDelivery(id: "dlv_1", webhookId: hook.id, event: event, createdAt: now)])
        }
        // The server of this shop sends to active endpoints only, and this one is switched on in the lease.
        func lease(_ dispatch: WebhookDispatch) async throws -> [DueDelivery] {
            try await shop.store.write { repositories in
                guard var record = try repositories.webhooks.webhook(id: hook.id, locking: true) else { return [] }
                record.status = .active
                try repositories.webhooks.update(record)
                let now = shop.clock.now
                let found = try repositories.webhooks.lease(
                    limits: [:], limit: 10, holder: dispatch.holder, at: now,
                    until: now.addingTimeInterval(WebhookDispatch.leaseTime))
                record.status = .off
                try repositories.webhooks.update(record)
                return found
            }
        }
        let first = try await lease(dead)
        #expect(first.map(\.id) == ["dlv_1"])
        #expect(try await lease(alive).isEmpty)
        shop.clock.advance(by: WebhookDispatch.leaseTime)
        let second = try await lease(alive)
        #expect(second.map(\.id) == ["dlv_1"])
        _ = try await dead.finish([(first[0], .init(at: now, milliseconds: 1, status: 500))])
        #expect(try await admin.deliveries(hook.id).first?.attempts == [])
        let success = WebhookDelivery.Attempt(at: now, milliseconds: 2, status: 204)
        _ = try await alive.finish([(second[0], success)])
        #expect(try await admin.deliveries(hook.id).first?.attempts == [success])
    }

    @Test func `A slow endpoint delays no other`() async throws {
        let gate = AsyncStream<Never>.makeStream()
        receiver.answers { _ in
            for await _ in gate.stream {}
            return .status(204)
        }
        try await Receiver.serve { quick in
            let hook = try await admin.addWebhook(receiver.url).good().webhook
            try await admin.addWebhook(quick.url).good()
            for number in 0..<100 { try await shop.append("o\(number)") }
            try await eventually { quick.requests.count == 100 }
            #expect(receiver.requests.count <= WebhookSender.atOnce)
            gate.continuation.finish()
            try await eventually {
                try await admin.deliveries(hook.id, query: "status=delivered&limit=200").count == 100
            }
        }
    }
}

/// A receiver of webhooks that verifies requests with the Python library of Standard Webhooks.
struct VerifyingReceiver: Sendable {
    private let port: Int
    private var receiver: Transport { .tcp(port: port) }
    var url: String { "http://127.0.0.1:\(port)/hook" }

    /// Runs the receiver during the body.
    static func run(_ body: @escaping @Sendable (VerifyingReceiver) async throws -> Void) async throws {
        _ = try await Subprocess.run(
            .path(PeerProgram.python), arguments: [PeerProgram.path("Webhooks/receiver.py")], input: .none,
            output: .sequence, error: .string(limit: 1 << 16)
        ) { execution in
            var lines = execution.standardOutput.strings().makeAsyncIterator()
            let first = try await lines.next() ?? ""
            let port = try #require(Int(first.trimmingCharacters(in: .whitespacesAndNewlines)), "\(first)")
            do { try await body(VerifyingReceiver(port: port)) } catch { Issue.record(error) }
            try? execution.send(signal: .terminate)
        }
    }

    /// Verifies later requests with this secret.
    func use(_ secret: String) async throws {
        _ = try await receiver(.post, "/secret", HTTPFields(), Data(secret.utf8))
    }

    /// The requests so far, once there are as many: the `type` of each, the `error` of the library, and its opinion of a
    /// `forged` body, which is null when it refuses one.
    func found(_ count: Int) async throws -> [JSON] {
        var found: [JSON] = []
        try await eventually {
            found = try JSON(json: try await receiver(.get, "/found", HTTPFields(), nil).body).array ?? []
            return found.count == count
        }
        return found
    }
}

@Suite("Standard Webhooks", .timeLimit(.minutes(5)), .inSendingShop())
struct StandardWebhookTests {
    @Test func `The library verifies each request, also after a rotation, and refuses a changed body`() async throws {
        let shop = TestShop.current
        try await VerifyingReceiver.run { receiver in
            // The library compares the time of a request with its own. In whole seconds: a time that is stored has no
            // fractions of a millisecond, and may be later than a clock that has them.
            shop.clock.advance(by: Date.now.timeIntervalSince(shop.clock.now).rounded())
            let (admin, customer) = (try await shop.admin(), try await shop.customer())
            let hook = try await admin.addWebhook(receiver.url, [.orderPaid, .orderFulfilled]).good()
            try await receiver.use(hook.secret)
            let order = try await customer.order()
            _ = try await receiver.found(1)
            let rotated = try await admin.call(Contract.rotateWebhookSecret, path: ["id": hook.webhook.id]).good()
            // The receiver still has the secret from before.
            try await admin.fulfil(order.id).good()
            _ = try await receiver.found(2)
            try await receiver.use(rotated.secret)
            try await customer.buyNow().good()
            let found = try await receiver.found(3)
            #expect(found.map { $0["type"]?.string } == ["order.paid", "order.fulfilled", "order.paid"])
            #expect(found.allSatisfy { $0["error"] == nil && $0["forged"] == .null })
            try await receiver.use("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
            try await customer.buyNow().good()
            #expect(try await receiver.found(4).last?["error"] == "No matching signature found")
        }
    }
}
