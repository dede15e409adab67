import Foundation
import Hummingbird
import PouchContract
import PouchEntities
import PouchStorage
import Synchronization
import Testing

@testable import PouchDomain
@testable import PouchServer

@Suite("Webhooks of several servers", .timeLimit(.minutes(5)))
struct WebhookServerTests {
    @Test func `Two servers send each delivery once`() async throws {
        try await Receiver.serve { receiver in
            try await TestShop.openSending([]) { shop in
                try await shop.another { other in
                    let admin = try await shop.admin()
                    let hook = try await admin.addWebhook(receiver.url).good().webhook
                    _ = try await parallel(60) { try await ($0.isMultiple(of: 2) ? shop : other).append("o\($0 % 7)") }
                    try await eventually {
                        let counts = try await shop.rows(
                            "SELECT COUNT(*) FROM webhook_deliveries WHERE status = 'delivered'")
                        return try counts.first?.int(0) == 60
                    }
                    #expect(receiver.requests.count == 60)
                    #expect(Set(receiver.requests.map(\.id)).count == 60)
                    let positions = Dictionary(
                        uniqueKeysWithValues: try await shop.events().map { ($0.id, $0.position) })
                    // Of each object in the order of the events.
                    let byObject = Dictionary(grouping: receiver.requests) { (try? $0.event.objectId) ?? "" }
                    for requests in byObject.values {
                        let order = requests.compactMap { positions[$0.id] }
                        #expect(order == order.sorted())
                    }
                    #expect(try await admin.webhook(hook.id).status == .active)
                }
            }
        }
    }

    @Test func `The deliveries of a server that died are continued when its lease ends, and its result is ignored`()
        async throws
    {
        try await TestShop.openSending([]) { shop in
            let admin = try await shop.admin()
            // No server has this port; only leases of this test count.
            let hook = try await admin.addWebhook("http://127.0.0.1:9/", [.orderPaid]).good().webhook
            try await admin.call(Contract.updateWebhook, WebhookPatch(isActive: false), path: ["id": hook.id]).good()
            let (dead, alive) = (WebhookDispatch(shop.environment), WebhookDispatch(shop.environment))
            let now = shop.clock.now
            try await shop.append("o")
            let event = try #require(await shop.events().first { $0.event.objectId == "o" })
            try await shop.store.write { repositories in
                try repositories.webhooks.add([
                    NewDelivery(id: "dlv_1", webhookId: hook.id, event: event, createdAt: now)
                ])
                // The server of this shop sends to active endpoints only, and this one is switched on in the lease.
            }
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
            let attempt = WebhookDelivery.Attempt(at: now, milliseconds: 1, status: 500)
            _ = try await dead.finish([(first[0], attempt)])
            #expect(try await admin.deliveries(hook.id).first?.attempts == [])
            let success = WebhookDelivery.Attempt(at: now, milliseconds: 2, status: 204)
            _ = try await alive.finish([(second[0], success)])
            #expect(try await admin.deliveries(hook.id).first?.attempts == [success])
        }
    }

    @Test func `A slow endpoint delays no other`() async throws {
        let gate = AsyncStream<Never>.makeStream()
        try await Receiver.serve({ _ in
            for await _ in gate.stream {}
            return .status(204)
        }) { slow in
            try await Receiver.serve { quick in
                try await TestShop.openSending([]) { shop in
                    let admin = try await shop.admin()
                    let hook = try await admin.addWebhook(slow.url).good().webhook
                    try await admin.addWebhook(quick.url).good()
                    for number in 0..<100 { try await shop.append("o\(number)") }
                    try await eventually { quick.requests.count == 100 }
                    #expect(slow.requests.count <= WebhookSender.atOnce)
                    gate.continuation.finish()
                    try await eventually {
                        try await admin.deliveries(hook.id, query: "status=delivered&limit=200").count == 100
                    }
                }
            }
        }
    }
}
