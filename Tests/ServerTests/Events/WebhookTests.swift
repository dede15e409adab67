import Hummingbird
import ServerTesting
import Testing

@testable import PouchDomain

@Suite("The endpoints of webhooks", .inSendingShop([]))
struct WebhookEndpointTests {
    private let shop = TestShop.current
    private let admin: Caller

    init() async throws { admin = try await shop.admin() }

    @Test func `An endpoint is added, shown without its secret, changed and deleted`() async throws {
        let added = try await admin.addWebhook("https://example.com/a", [.orderPaid], description: "ERP").good()
        #expect(added.secret.hasPrefix("whsec_"))
        #expect(Data(base64Encoded: String(added.secret.dropFirst(6)))?.count == 24)
        let id = added.webhook.id
        #expect(try await admin.webhook(id) == added.webhook)
        let patch = WebhookPatch(types: [], isActive: false, description: .clear)
        let changed = try await admin.change(id, patch).good()
        #expect(changed.types.isEmpty && changed.status == .off && changed.description == nil)
        #expect(changed.url == added.webhook.url)
        let list = try await admin.call(Contract.webhooks)
        #expect(try list.good().items == [changed])
        #expect(!list.text.contains("whsec_"))
        try await admin.call(Contract.deleteWebhook, path: ["id": id]).good()
        try await admin.call(Contract.webhook, path: ["id": id]).problem(.notFound)
        try await admin.call(Contract.webhookDeliveries, path: ["id": id]).problem(.notFound)
    }

    /// `PeerAddressTests` has more that are no address, and `WebhookFailureTests` more that are not public.
    @Test(
        .inShop([]),
        arguments: [
            "ftp://example.com", "http://example.com/", "https://localhost/", "https://localhost./",
            "https://shop.localhost", "https://%6cocalhost/", "https://127.0.0.1/", "https://192.168.0.1:8443/",
            "https://[::1]/", "https://[::ffff:10.0.0.1]/",
        ])
    func `An address that is not public, or not encrypted, is refused`(url: String) async throws {
        #expect(try await admin.addWebhook(url).invalidFields() == ["url"])
    }

    @Test func `Unknown types, blank descriptions and too many endpoints are refused`() async throws {
        let unknown = #"{"url":"https://example.com","types":["order.eaten"]}"#
        try await admin.send("POST", "/v1/admin/webhooks", unknown).problem(.validationFailed)
        try await admin.addWebhook("https://example.com", [.orderPaid, .orderPaid]).problem(.validationFailed)
        try await admin.addWebhook("https://example.com", description: " ").problem(.validationFailed)
        for number in 0..<ModelLimits.webhooks { try await admin.addWebhook("https://example.com/\(number)").good() }
        try await admin.addWebhook("https://example.com/x").problem(.limitReached)
    }

    @Test func `An answer with a secret is not stored for the request's key`() async throws {
        let body = WebhookInput(url: "https://example.com")
        let first = try await admin.call(Contract.addWebhook, body, headers: .key("k")).good()
        #expect(try await admin.call(Contract.addWebhook, body, headers: .key("k")).good().secret != first.secret)
        #expect(try await shop.rows("SELECT 1 FROM idempotency").isEmpty)
    }
}

@Suite("Webhooks", .timeLimit(.minutes(5)), .withReceiver, .inSendingShop())
struct WebhookTests {
    private let receiver = Receiver.current
    private let shop = TestShop.current
    private let admin: Caller
    private let customer: Caller

    init() async throws { (admin, customer) = (try await shop.admin(), try await shop.customer()) }

    /// Adds an endpoint for paid and fulfilled orders, or for paid ones alone.
    private func addHook(_ types: [EventType] = [.orderPaid]) async throws -> SecretWebhook {
        try await admin.addWebhook(receiver.url, types).good()
    }

    private func waitForDelivered(_ count: Int, of id: String) async throws {
        try await eventually { try await admin.deliveries(id, query: "status=delivered").count == count }
    }

    private func signatures(_ secret: String, of request: Receiver.Request) throws -> String {
        WebhookSigner(shop.environment.digests).signatures(
            [secret], id: request.id, timestamp: try #require(Int64(request.timestamp)), body: request.body)
    }

    /// Waits until the only delivery was tried as often, the last time when its next try was due.
    private func waitForTry(_ number: Int, of id: String) async throws {
        if number > 1 { shop.clock.advance(by: WebhookSchedule.waits[number - 2]) }
        // The session of hours ago has ended.
        let admin = try await shop.signIn("grace@example.com")
        try await eventually { try await admin.deliveries(id).first?.attempts.count == number }
    }

    @Test func `Endpoints get the events of their types, signed, and the log shows the answers`() async throws {
        receiver.answers { _ in .status(200, "thanks") }
        let hook = try await addHook([.orderPaid, .orderFulfilled])
        let order = try await customer.order()
        try await admin.fulfil(order.id).good()
        try await admin.deliver(order.id).good()
        try await waitForDelivered(2, of: hook.webhook.id)
        let requests = receiver.requests
        let events = try requests.map { try $0.event }
        #expect(events.map(\.type) == [.orderPaid, .orderFulfilled])
        #expect(events.first?.data.order?.status == .paid)
        let stored = try await shop.events(of: order.id).prefix(2).map { try $0.shopEvent }
        #expect(events == stored)
        #expect(requests.map(\.id) == events.map(\.id))
        for request in requests { #expect(try request.signatures == [signatures(hook.secret, of: request)]) }
        let log = try await admin.deliveries(hook.webhook.id)
        #expect(Set(log.map(\.type)) == [.orderFulfilled, .orderPaid])
        for delivery in log {
            let attempt = try #require(delivery.attempts.first)
            #expect(attempt.status == 200 && attempt.answer == "thanks" && attempt.milliseconds >= 0)
            #expect(delivery.attempts.count == 1 && delivery.nextAttemptAt == nil)
        }
    }

    @Test func `A failed request is made again with the same id, and later events of its object wait`() async throws {
        receiver.answers { _ in .status(500, "broken") }
        let hook = try await addHook([.orderPaid, .orderFulfilled]).webhook
        let order = try await customer.order()
        let other = try await customer.buyNow().good()
        try await admin.fulfil(order.id).good()
        try await eventually { receiver.requests.count == 2 }
        try await eventually { try await admin.deliveries(hook.id).filter { $0.attempts.count == 1 }.count == 2 }
        #expect(try await admin.webhook(hook.id).failingSince == shop.clock.now)
        receiver.answers { _ in .status(204) }
        shop.clock.advance(by: WebhookSchedule.waits[0])
        try await waitForDelivered(3, of: hook.id)
        let ids = receiver.requests.map(\.id)
        let own = try receiver.requests.filter { try $0.event.objectId == order.id }
        #expect(try own.map { try $0.event.type } == [.orderPaid, .orderPaid, .orderFulfilled])
        #expect(own[0].id == own[1].id && own[0].body == own[1].body)
        #expect(ids.count == 5 && Set(ids).count == 3)
        #expect(try receiver.requests.filter { try $0.event.objectId == other.id }.count == 2)
        #expect(try await admin.webhook(hook.id).failingSince == nil)
    }

    @Test func `After ten failures a delivery is given up, and its endpoint is paused with an event`() async throws {
        receiver.answers { _ in .status(503) }
        let hook = try await addHook().webhook
        let order = try await customer.order()
        for number in 1...10 { try await waitForTry(number, of: hook.id) }
        #expect(receiver.requests.count == 10)
        let (later, buyer) = (try await shop.signIn("grace@example.com"), try await shop.signIn())
        let delivery = try #require(try await later.deliveries(hook.id).first)
        #expect(delivery.status == .failed && delivery.nextAttemptAt == nil)
        #expect(try await later.webhook(hook.id).status == .paused)
        let events = try await shop.events(of: hook.id)
        #expect(events.map(\.type) == [.webhookPaused])
        #expect(try events.first?.shopEvent.data.webhook?.status == .paused)
        #expect(events.first.map { String(decoding: $0.event.data, as: UTF8.self).contains("whsec_") } == false)

        // Later events wait.
        shop.clock.advance(by: 1)
        let next = try await buyer.buyNow().good()
        try await eventually { try await later.deliveries(hook.id).count == 2 }
        #expect(receiver.requests.count == 10)
        receiver.answers { _ in .status(204) }
        try await later.change(hook.id, WebhookPatch(isActive: true)).good()
        try await eventually { receiver.requests.count == 11 }
        #expect(try receiver.requests.last?.event.objectId == next.id)

        // By hand.
        #expect(try await later.call(Contract.redeliverWebhook, path: ["id": delivery.id]).good().status == .pending)
        try await eventually { try await later.deliveries(hook.id, query: "status=delivered").count == 2 }
        #expect(receiver.requests.last?.id == delivery.eventId)
        #expect(try receiver.requests.last?.event.objectId == order.id)
        #expect(try await later.deliveries(hook.id).last?.attempts.count == 11)
    }

    @Test func `An endpoint that answers 410 is paused at once`() async throws {
        receiver.answers { _ in .status(410) }
        let hook = try await addHook().webhook
        _ = try await customer.order()
        try await eventually { try await admin.webhook(hook.id).status == .paused }
        #expect(receiver.requests.count == 1)
    }

    @Test func `An endpoint whose address cannot be reached is paused, and others get their events`() async throws {
        let broken = try await admin.addWebhook("http://127.0.0.1:9/broken", [.orderPaid]).good().webhook
        _ = try await addHook()
        // As an earlier release stored it.
        _ = try await shop.rows(
            "UPDATE webhooks SET url = 'https://93.184.216.34:99999/x' WHERE id = ? RETURNING id", [.text(broken.id)])
        _ = try await customer.order()
        try await eventually { try await admin.webhook(broken.id).status == .paused }
        try await eventually { receiver.requests.count == 1 }
        let delivery = try #require(try await admin.deliveries(broken.id).first)
        #expect(delivery.status == .failed && delivery.attempts.count == 1)
        #expect(delivery.attempts.first?.error == "The address is not valid. Correct it.")
        // It becomes active with an address that can be used.
        try await admin.change(broken.id, WebhookPatch(isActive: true)).problem(.validationFailed)
        try await admin.change(broken.id, WebhookPatch(url: receiver.url, isActive: true)).good()
        try await admin.call(Contract.redeliverWebhook, path: ["id": delivery.id]).good()
        try await eventually { receiver.requests.count == 2 }
    }

    @Test func `The owners get one mail each about a paused webhook, with its last and first failure`() async throws {
        receiver.answers { _ in .status(500) }
        _ = try await shop.staff(.owner, "joan@example.com")
        _ = try await shop.staff(.manager)
        let hook = try await addHook().webhook
        let start = shop.clock.now
        _ = try await customer.order()
        for number in 1...9 { try await waitForTry(number, of: hook.id) }
        receiver.answers { _ in .status(503) }
        try await waitForTry(10, of: hook.id)
        #expect(try await shop.events(of: hook.id).last?.type == .webhookPaused)
        try await shop.waitForEvents(takenBy: "mail")
        let mails = try await shop.mails(.webhookPaused)
        #expect(mails.map(\.recipient).sorted() == ["grace@example.com", "joan@example.com"])
        let content = MailContent.Webhook(
            id: hook.id, url: hook.url, failure: "the answer had the status 503", failingSince: start)
        for mail in mails { #expect(mail.content.webhook == content) }
        try await eventually {
            try shop.writtenMails().values.filter { mail in
                mail.contains("Subject: The Burrow: a webhook endpoint is paused") && mail.contains(hook.url)
                    && mail.replacing("\r\n", with: " ").contains("the answer had the status 503.")
                    && mail.replacing("\r\n", with: " ").contains("webhook change \(hook.id) --active")
            }.count == 2
        }
    }

    @Test func `An endpoint that is off gets no events, and a deleted one has no deliveries`() async throws {
        let hook = try await addHook().webhook
        try await admin.change(hook.id, WebhookPatch(isActive: false)).good()
        _ = try await customer.order()
        try await shop.waitForEvents(takenBy: "webhooks")
        try await admin.change(hook.id, WebhookPatch(isActive: true)).good()
        let order = try await customer.order()
        try await waitForDelivered(1, of: hook.id)
        #expect(try receiver.requests.map { try $0.event.objectId } == [order.id])
        try await admin.call(Contract.deleteWebhook, path: ["id": hook.id]).good()
        #expect(try await shop.rows("SELECT id FROM webhook_deliveries").isEmpty)
    }

    @Test func `For a day after a rotation, requests are signed with both secrets`() async throws {
        let first = try await addHook()
        let second = try await admin.call(Contract.rotateWebhookSecret, path: ["id": first.webhook.id]).good()
        #expect(second.webhook.previousSecretEndsAt == shop.clock.now.addingTimeInterval(24 * 3600))
        _ = try await customer.order()
        try await eventually { receiver.requests.count == 1 }
        let both = receiver.requests[0]
        #expect(try both.signatures == [second.secret, first.secret].map { try signatures($0, of: both) })
        shop.clock.advance(by: 24 * 3600)
        _ = try await shop.signIn().order()
        try await eventually { receiver.requests.count == 2 }
        let one = receiver.requests[1]
        #expect(try one.signatures == [signatures(second.secret, of: one)])
    }
}
