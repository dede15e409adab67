import Logging
import ServerTesting
import Testing

@testable import PouchDomain

@Suite("The administration's pages of webhooks", .inShop(), .timeLimit(.minutes(10)))
struct AdminWebhookPageTests {
    private let shop = TestShop.current
    private let manager: Caller
    private let visitor: WebVisitor

    init() async throws {
        (manager, visitor) = try await shop.staff(.manager).atPages(of: shop)
    }

    /// The secrets of webhooks that a text has.
    private static func secrets(in text: String) -> [String] {
        text.matches(of: #/whsec_[A-Za-z0-9+/=]+/#).map { String($0.output) }
    }

    private static func add(
        _ visitor: WebVisitor, _ url: String = "https://example.com/a", _ fields: [String: String?] = [:]
    ) async throws -> WebPage { try await visitor.submit(at: "/admin/webhooks", ["url": url].merging(fields) { $1 }) }

    @Test func `A secret is shown once, by its form, and is in no log, no entry and no stored answer`() async throws {
        let lines = LogLines()
        try await TestShop.open(logger: lines.logger(.trace)) { shop in
            let (manager, visitor) = try await shop.staff(.manager).atPages(of: shop)
            let made = try await Self.add(visitor)
            let first = try #require(Self.secrets(in: made.words).first)
            #expect(made.status == 200 && made.header("Cache-Control") == "no-store")
            let hook = try #require(try await manager.call(Contract.webhooks).good().items.first)
            let path = "/admin/webhooks/\(hook.id)"
            let page = try await visitor.get(path)
            #expect(Self.secrets(in: page.text).isEmpty)
            let rotated = try await visitor.submit(page, action: path + "/secret")
            let second = try #require(Self.secrets(in: rotated.words).first)
            #expect(first != second && rotated.header("Cache-Control") == "no-store")
            let after = try await visitor.get(path)
            #expect(Self.secrets(in: after.text).isEmpty && after.words.contains("The previous secret is valid until"))
            for secret in [first, second] {
                #expect(!lines.text.contains(secret))
                #expect(try await !visitor.get("/admin/audit").text.contains(secret))
            }
            #expect(try await shop.rows("SELECT key FROM idempotency WHERE length(body) > 0").isEmpty)
        }
    }

    @Test func `A form that shows a secret takes effect once, and leads to its page when sent again`() async throws {
        let list = try await visitor.get("/admin/webhooks")
        func add(_ url: String, following: Bool = true) async throws -> WebPage {
            try await visitor.submit(list, action: "/admin/webhooks", ["url": url], following: following)
        }
        func ids() async throws -> [String] { try await shop.rows("SELECT id FROM webhooks").map { try $0.text(0) } }
        for _ in 0..<2 {
            #expect(try await add("http://10.0.0.1/hook").status == 422, "a form without effect was not sent already")
        }
        #expect(Self.secrets(in: try await add("https://example.com/a").words).count == 1)
        let again = try await add("https://example.com/a", following: false)
        #expect(again.status == 303 && again.location == "/admin/webhooks" && Self.secrets(in: again.text).isEmpty)
        let told = try await visitor.get("/admin/webhooks")
        #expect(told.words.contains("This form was already sent. Its secret is shown only once."))
        #expect(try await ids().count == 1)
        // After going back, another address is another webhook.
        #expect(Self.secrets(in: try await add("https://example.com/b").words).count == 1)
        #expect(try await ids().count == 2)
        let path = "/admin/webhooks/\(try await ids()[0])"
        let page = try await visitor.get(path)
        #expect(Self.secrets(in: try await visitor.submit(page, action: path + "/secret").words).count == 1)
        let rotated = try await visitor.submit(page, action: path + "/secret")
        #expect(rotated.location == path && Self.secrets(in: rotated.text).isEmpty)
    }

    @Test func `A webhook gets the ticked types, all without any, and keeps them when it is off`() async throws {
        let boxes = try await visitor.get("/admin/webhooks").choices(of: "/admin/webhooks", "types.")
        #expect(boxes.count == EventType.allCases.count - 1)
        let chosen = boxes.filter { ["order.paid", "ride.cancelled"].contains($0.value) }
        let ticks = Dictionary(uniqueKeysWithValues: chosen.map { ($0.name, Optional($0.value)) })
        _ = try await Self.add(visitor, "https://example.com/a", ticks)
        let hook = try #require(try await manager.call(Contract.webhooks).good().items.first)
        #expect(Set(hook.types) == [.orderPaid, .rideCancelled])
        let path = "/admin/webhooks/\(hook.id)"
        let off = try await visitor.submit(at: path, ["active:flag": "false"])
        #expect(off.words.contains("The webhook was saved; it is off."))
        var now = try await manager.webhook(hook.id)
        #expect(now.status == .off && now.types == hook.types && now.url == hook.url)
        let none = ticks.mapValues { _ in String?.none }
        _ = try await visitor.submit(at: path, none.merging(["description": "ERP"]) { $1 })
        now = try await manager.webhook(hook.id)
        #expect(now.types.isEmpty && now.description == "ERP" && now.status == .off)
        _ = try await visitor.submit(at: path, ["active:flag": "true"])
        #expect(try await manager.webhook(hook.id).status == .active)
        let gone = try await visitor.submit(at: path, action: path + "/delete")
        #expect(gone.location == "/admin/webhooks" && gone.words.contains("No webhooks yet."))
        #expect(try await visitor.get(path).status == 404)
    }

    @Test func `An address that is refused comes back with its ticks`() async throws {
        let box = try await visitor.get("/admin/webhooks").box("/admin/webhooks", "order.paid")
        let page = try await Self.add(visitor, "http://10.0.0.1/hook", [box: "order.paid"])
        #expect(page.status == 422)
        let fields = page.fields(of: "/admin/webhooks")
        #expect(fields["url"] == "http://10.0.0.1/hook" && fields[box] == "order.paid")
        #expect(try await shop.rows("SELECT id FROM webhooks").isEmpty)
    }

    @Test func `Deliveries are listed by status and page; one is sent again while its event is kept`() async throws {
        let hook = try await manager.addWebhook("https://example.com/a", [.rideCancelled]).good().webhook
        // An endpoint that is off gets no request.
        try await manager.call(Contract.updateWebhook, WebhookPatch(isActive: false), path: ["id": hook.id]).good()
        _ = try await shop.customer()
        // Events are listed a moment after their transaction.
        try await eventually { try await manager.call(Contract.shopEvents).good().items.first != nil }
        let event = try #require(try await manager.call(Contract.shopEvents).good().items.first).id
        let path = "/admin/webhooks/\(hook.id)"
        let attempt = #"[{"at":"2026-03-14T08:12:03.000Z","milliseconds":112,"status":500,"answer":"no <disk>"}]"#
        for number in 100..<160 {
            _ = try await shop.rows(
                """
                INSERT INTO webhook_deliveries
                    (id, webhook_id, event_id, position, type, object_id, status, attempts, created_at)
                VALUES (?, ?, ?, 1, 'order.paid', ?, ?, ?, ?) RETURNING id
                """,
                [
                    .text("dlv_\(number)"), .text(hook.id), .text(number == 100 ? event : "evt_gone"),
                    .text("ord_\(number)"), .text(number < 110 ? "failed" : "delivered"), .text(attempt),
                    // The job that deletes old ones may run at any moment.
                    .integer(Int64(shop.clock.now.timeIntervalSince1970 * 1_000)),
                ])
        }
        func deliveries(_ page: WebPage) -> [String] { page.forms.map(\.action).filter { $0.hasSuffix("/redeliver") } }
        let first = try await visitor.get(path)
        let second = try await visitor.get(try #require(first.next))
        // Another status begins at its first page.
        #expect(second.links.contains(path + "?status=failed") && second.links.contains(path))
        let all = deliveries(first) + deliveries(second)
        #expect(all.count == 60 && Set(all).count == 60)
        #expect(first.words.contains("no <disk>") && !first.text.contains("<disk>"))
        #expect(first.words.contains("1 attempt Time Duration Response"))
        let failed = try await visitor.get(path + "?status=failed")
        #expect(deliveries(failed).count == 10)
        let sent = try await visitor.submit(failed, action: "/admin/webhook-deliveries/dlv_100/redeliver")
        #expect(sent.location == path && sent.words.contains("The event will be sent again."))
        #expect(try await manager.deliveries(hook.id, query: "status=pending").map(\.id) == ["dlv_100"])
        let expired = try await visitor.submit(failed, action: "/admin/webhook-deliveries/dlv_101/redeliver")
        #expect(expired.status >= 400 && expired.heading == hook.url)
        #expect(expired.words.contains("Events are kept for 30 days."))
    }
}
