import Foundation
import Hummingbird
import PouchContract
import PouchEntities
import PouchJSON
import PouchStorage
import PouchWire
import Testing

@testable import PouchDomain

@Suite("Webhooks", .timeLimit(.minutes(5)))
struct WebhookTests {
    // MARK: Endpoints

    @Test func `An endpoint is added, shown without its secret, changed and deleted`() async throws {
        try await TestShop.openSending([]) { shop in
            let admin = try await shop.admin()
            let added = try await admin.addWebhook("https://example.com/a", [.orderPaid], description: "ERP").good()
            #expect(added.secret.hasPrefix("whsec_"))
            #expect(Data(base64Encoded: String(added.secret.dropFirst(6)))?.count == 24)
            let id = added.webhook.id
            #expect(try await admin.webhook(id) == added.webhook)
            let patch = WebhookPatch(types: [], isActive: false, description: .clear)
            let changed = try await admin.call(Contract.updateWebhook, patch, path: ["id": id]).good()
            #expect(changed.types.isEmpty && changed.status == .off && changed.description == nil)
            #expect(changed.url == added.webhook.url)
            let list = try await admin.call(Contract.webhooks)
            #expect(try list.good().items == [changed])
            #expect(!list.text.contains("whsec_"))
            try await admin.call(Contract.deleteWebhook, path: ["id": id]).good()
            try await admin.call(Contract.webhook, path: ["id": id]).problem(.notFound)
            try await admin.call(Contract.webhookDeliveries, path: ["id": id]).problem(.notFound)
        }
    }

    @Test(arguments: [
        "example.com", "ftp://example.com", "https://", "https://user:pass@example.com/", "https://example.com/#a",
        "http://example.com/", "https://localhost/", "https://localhost./", "https://shop.localhost",
        "https://127.0.0.1/",
        "https://[::1]/", "https://10.1.2.3/", "https://192.168.0.1:8443/", "https://172.31.0.1/",
        "https://169.254.169.254/latest/meta-data/", "https://[fe80::1]/", "https://[fc00::1]/",
        "https://[::ffff:10.0.0.1]/", "https://100.64.0.1/", "https://0.0.0.0/", "https://224.0.0.1/",
        "https://%6cocalhost/", "https://exa%6dple.com/", "https://a b.com/", "https://[ff02::1]/",
        "https://[2002:7f00:1::]/", "https://[64:ff9b::7f00:1]/", "https://93.184.216.34:99999/",
        "https://example.com:0/",
        "https://example.com:65536/", "https://example.com:18446744073709551616/", "https://example.com:-1/",
    ])
    func `An address that is not public, or not encrypted, is refused`(url: String) async throws {
        try await TestShop.open([]) { shop in
            let problem = try await shop.admin().addWebhook(url).problem(.validationFailed)
            #expect(problem.problem.errors?.map(\.field) == ["url"])
        }
    }

    @Test func `Unknown types, blank descriptions and too many endpoints are refused`() async throws {
        try await TestShop.openSending([]) { shop in
            let admin = try await shop.admin()
            try await admin.send(
                "POST", "/v1/admin/webhooks", #"{"url":"https://example.com","types":["order.eaten"]}"#
            ).problem(.validationFailed)
            try await admin.addWebhook("https://example.com", [.orderPaid, .orderPaid]).problem(.validationFailed)
            try await admin.addWebhook("https://example.com", description: " ").problem(.validationFailed)
            for number in 0..<ModelLimits.webhooks {
                try await admin.addWebhook("https://example.com/\(number)").good()
            }
            try await admin.addWebhook("https://example.com/x").problem(.limitReached)
        }
    }

    @Test func `An answer with a secret is not stored for the request's key`() async throws {
        try await TestShop.openSending([]) { shop in
            let admin = try await shop.admin()
            let (body, key) = (WebhookInput(url: "https://example.com"), [HeaderName.idempotencyKey: "k"])
            let first = try await admin.call(Contract.addWebhook, body, headers: key).good()
            let second = try await admin.call(Contract.addWebhook, body, headers: key).good()
            #expect(first.secret != second.secret)
            let rows = try await shop.rows("SELECT COUNT(*) FROM idempotency")
            #expect(try rows.first?.int(0) == 0)
        }
    }

    // MARK: Deliveries

    @Test func `Endpoints get the events of their types, signed, and the log shows the answers`() async throws {
        try await Receiver.serve({ _ in .status(200, "thanks") }) { receiver in
            try await TestShop.openSending { shop in
                let (admin, customer) = (try await shop.admin(), try await shop.customer())
                let hook = try await admin.addWebhook(receiver.url, [.orderPaid, .orderFulfilled]).good()
                let order = try await customer.order()
                try await admin.fulfil(order.id).good()
                try await admin.deliver(order.id).good()
                try await eventually {
                    try await admin.deliveries(hook.webhook.id, query: "status=delivered").count == 2
                }
                let requests = receiver.requests
                #expect(try requests.map { try $0.event.type } == [.orderPaid, .orderFulfilled])
                #expect(try requests.first?.event.data.order?.status == .paid)
                let events = try await shop.events(of: order.id).prefix(2).map { try $0.shopEvent }
                #expect(try requests.map { try $0.event } == events)
                let signer = WebhookSigner(shop.environment.digests)
                for request in requests {
                    #expect(request.id == (try request.event.id))
                    let timestamp = try #require(Int64(request.timestamp))
                    let expected = signer.signatures(
                        [hook.secret], id: request.id, timestamp: timestamp, body: request.body)
                    #expect(request.signatures == [expected])
                }
                let log = try await admin.deliveries(hook.webhook.id)
                #expect(Set(log.map(\.type)) == [.orderFulfilled, .orderPaid])
                for delivery in log {
                    let attempt = try #require(delivery.attempts.first)
                    #expect(attempt.status == 200 && attempt.answer == "thanks" && attempt.milliseconds >= 0)
                    #expect(delivery.attempts.count == 1 && delivery.nextAttemptAt == nil)
                }
            }
        }
    }

    @Test func `A failed request is made again with the same id, and later events of its object wait for it`()
        async throws
    {
        try await Receiver.serve({ _ in .status(500, "broken") }) { receiver in
            try await TestShop.openSending { shop in
                let (admin, customer) = (try await shop.admin(), try await shop.customer())
                let hook = try await admin.addWebhook(receiver.url, [.orderPaid, .orderFulfilled]).good().webhook
                let order = try await customer.order()
                let other = try await customer.buyNow().good()
                try await admin.fulfil(order.id).good()
                try await eventually { receiver.requests.count == 2 }
                try await eventually {
                    try await admin.deliveries(hook.id).filter { $0.attempts.count == 1 }.count == 2
                }
                #expect(try await admin.webhook(hook.id).failingSince == shop.clock.now)
                receiver.answers { _ in .status(204) }
                shop.clock.advance(by: WebhookSchedule.waits[0])
                try await eventually {
                    try await admin.deliveries(hook.id, query: "status=delivered").count == 3
                }
                let ids = receiver.requests.map(\.id)
                let own = try receiver.requests.filter { try $0.event.objectId == order.id }
                #expect(try own.map { try $0.event.type } == [.orderPaid, .orderPaid, .orderFulfilled])
                #expect(own[0].id == own[1].id && own[0].body == own[1].body)
                #expect(ids.count == 5 && Set(ids).count == 3)
                #expect(try receiver.requests.filter { try $0.event.objectId == other.id }.count == 2)
                #expect(try await admin.webhook(hook.id).failingSince == nil)
            }
        }
    }

    @Test func `After ten failures within three days a delivery is given up, and its endpoint is paused with an event`()
        async throws
    {
        try await Receiver.serve({ _ in .status(503) }) { receiver in
            try await TestShop.openSending { shop in
                let (admin, customer) = (try await shop.admin(), try await shop.customer())
                let hook = try await admin.addWebhook(receiver.url, [.orderPaid]).good().webhook
                let order = try await customer.order()
                for number in 1...10 {
                    // The session of hours ago has ended.
                    let admin = try await shop.signIn("grace@example.com")
                    try await eventually { try await admin.deliveries(hook.id).first?.attempts.count == number }
                    if number < 10 { shop.clock.advance(by: WebhookSchedule.waits[number - 1]) }
                }
                #expect(receiver.requests.count == 10)
                let (later, buyer) = (
                    try await shop.signIn("grace@example.com"), try await shop.signIn("ada@example.com")
                )
                let delivery = try #require(try await later.deliveries(hook.id).first)
                #expect(delivery.status == .failed && delivery.nextAttemptAt == nil)
                #expect(try await later.webhook(hook.id).status == .paused)
                let told = try await shop.events(of: hook.id)
                #expect(told.map(\.type) == [.webhookPaused])
                #expect(try told.first?.shopEvent.data.webhook?.status == .paused)
                #expect(told.first.map { String(decoding: $0.event.data, as: UTF8.self).contains("whsec_") } == false)

                // Later events wait.
                shop.clock.advance(by: 1)
                let next = try await buyer.buyNow().good()
                try await eventually { try await later.deliveries(hook.id).count == 2 }
                #expect(receiver.requests.count == 10)
                receiver.answers { _ in .status(204) }
                try await later.call(Contract.updateWebhook, WebhookPatch(isActive: true), path: ["id": hook.id]).good()
                try await eventually { receiver.requests.count == 11 }
                #expect(try receiver.requests.last?.event.objectId == next.id)

                // By hand.
                let again = try await later.call(Contract.redeliverWebhook, path: ["id": delivery.id]).good()
                #expect(again.status == .pending)
                try await eventually { try await later.deliveries(hook.id, query: "status=delivered").count == 2 }
                #expect(receiver.requests.last?.id == delivery.eventId)
                #expect(try receiver.requests.last?.event.objectId == order.id)
                #expect(try await later.deliveries(hook.id).last?.attempts.count == 11)
            }
        }
    }

    @Test func `An endpoint that answers 410 is paused at once`() async throws {
        try await Receiver.serve({ _ in .status(410) }) { receiver in
            try await TestShop.openSending { shop in
                let admin = try await shop.admin()
                let hook = try await admin.addWebhook(receiver.url, [.orderPaid]).good().webhook
                _ = try await shop.customer().order()
                try await eventually { try await admin.webhook(hook.id).status == .paused }
                #expect(receiver.requests.count == 1)
            }
        }
    }

    @Test func `An endpoint with an address that no request can reach is paused, and the others get their events`()
        async throws
    {
        try await Receiver.serve { receiver in
            try await TestShop.openSending { shop in
                let admin = try await shop.admin()
                let broken = try await admin.addWebhook("http://127.0.0.1:9/broken", [.orderPaid]).good().webhook
                try await admin.addWebhook(receiver.url, [.orderPaid]).good()
                // As an earlier release stored it.
                _ = try await shop.rows(
                    "UPDATE webhooks SET url = 'https://93.184.216.34:99999/x' WHERE id = ? RETURNING id",
                    [.text(broken.id)])
                _ = try await shop.customer().order()
                try await eventually { try await admin.webhook(broken.id).status == .paused }
                try await eventually { receiver.requests.count == 1 }
                let delivery = try #require(try await admin.deliveries(broken.id).first)
                #expect(delivery.status == .failed && delivery.attempts.count == 1)
                #expect(delivery.attempts.first?.error == "The address is not valid. Correct it.")
                // It becomes active with an address that can be used.
                try await admin.call(
                    Contract.updateWebhook, WebhookPatch(isActive: true), path: ["id": broken.id]
                ).problem(.validationFailed)
                let mended = WebhookPatch(url: receiver.url, isActive: true)
                try await admin.call(Contract.updateWebhook, mended, path: ["id": broken.id]).good()
                try await admin.call(Contract.redeliverWebhook, path: ["id": delivery.id]).good()
                try await eventually { receiver.requests.count == 2 }
            }
        }
    }

    @Test func `The owners get one mail each about a paused webhook, with its last failure and since when it fails`()
        async throws
    {
        try await Receiver.serve({ _ in .status(500) }) { receiver in
            try await TestShop.openSending(mails: true) { shop in
                let admin = try await shop.admin()
                _ = try await shop.staff(.owner, "joan@example.com")
                _ = try await shop.staff(.manager)
                let hook = try await admin.addWebhook(receiver.url, [.orderPaid]).good().webhook
                let start = shop.clock.now
                _ = try await shop.customer().order()
                for number in 1...10 {
                    // The session of hours ago has ended.
                    let admin = try await shop.signIn("grace@example.com")
                    try await eventually { try await admin.deliveries(hook.id).first?.attempts.count == number }
                    if number == 9 { receiver.answers { _ in .status(503) } }
                    if number < 10 { shop.clock.advance(by: WebhookSchedule.waits[number - 1]) }
                }
                let paused = try #require(try await shop.events(of: hook.id).last)
                #expect(paused.event.type == .webhookPaused)
                try await eventually {
                    try await shop.store.read { try $0.events.places()["mail"] } ?? 0 >= paused.position
                }
                let mails = try await shop.mails(.webhookPaused)
                #expect(mails.map(\.recipient).sorted() == ["grace@example.com", "joan@example.com"])
                for mail in mails {
                    #expect(
                        mail.content.webhook
                            == MailContent.Webhook(
                                id: hook.id, url: hook.url, failure: "the answer had the status 503",
                                failingSince: start))
                }
                try await eventually {
                    try shop.writtenMails().values.filter { mail in
                        mail.contains("Subject: The Burrow: a webhook endpoint is paused") && mail.contains(hook.url)
                            && mail.replacing("\r\n", with: " ").contains("the answer had the status 503.")
                            && mail.replacing("\r\n", with: " ").contains("webhook change \(hook.id) --active")
                    }.count == 2
                }
            }
        }
    }

    @Test func `An endpoint that is off misses the events, one that is deleted has no deliveries`() async throws {
        try await Receiver.serve { receiver in
            try await TestShop.openSending { shop in
                let admin = try await shop.admin()
                let hook = try await admin.addWebhook(receiver.url, [.orderPaid]).good().webhook
                let off = WebhookPatch(isActive: false)
                try await admin.call(Contract.updateWebhook, off, path: ["id": hook.id]).good()
                let customer = try await shop.customer()
                _ = try await customer.order()
                let last = try #require(try await shop.events().last?.position)
                try await eventually { try await shop.store.read { try $0.events.places()["webhooks"] } ?? 0 >= last }
                let on = WebhookPatch(isActive: true)
                try await admin.call(Contract.updateWebhook, on, path: ["id": hook.id]).good()
                let order = try await customer.order()
                try await eventually { try await admin.deliveries(hook.id, query: "status=delivered").count == 1 }
                #expect(try receiver.requests.map { try $0.event.objectId } == [order.id])
                try await admin.call(Contract.deleteWebhook, path: ["id": hook.id]).good()
                #expect(try await shop.rows("SELECT id FROM webhook_deliveries").isEmpty)
            }
        }
    }

    @Test func `After a rotation both secrets sign for a day`() async throws {
        try await Receiver.serve { receiver in
            try await TestShop.openSending { shop in
                let (admin, customer) = (try await shop.admin(), try await shop.customer())
                let first = try await admin.addWebhook(receiver.url, [.orderPaid]).good()
                let id = first.webhook.id
                let second = try await admin.call(Contract.rotateWebhookSecret, path: ["id": id]).good()
                #expect(second.webhook.previousSecretEndsAt == shop.clock.now.addingTimeInterval(24 * 3600))
                let signer = WebhookSigner(shop.environment.digests)
                func expected(_ secrets: [String], _ request: Receiver.Request) throws -> [String] {
                    let timestamp = try #require(Int64(request.timestamp))
                    return secrets.map {
                        signer.signatures([$0], id: request.id, timestamp: timestamp, body: request.body)
                    }
                }
                _ = try await customer.order()
                try await eventually { receiver.requests.count == 1 }
                let both = receiver.requests[0]
                #expect(try both.signatures == expected([second.secret, first.secret], both))
                shop.clock.advance(by: 24 * 3600)
                _ = try await shop.signIn().order()
                try await eventually { receiver.requests.count == 2 }
                let one = receiver.requests[1]
                #expect(try one.signatures == expected([second.secret], one))
            }
        }
    }
}
