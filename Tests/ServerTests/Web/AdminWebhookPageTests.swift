import Foundation
import Logging
import PouchContract
import PouchEntities
import PouchJSON
import PouchStorage
import ServerTesting
import Testing

@testable import PouchDomain

@Suite("The administration's pages of webhooks", .timeLimit(.minutes(10)))
struct AdminWebhookPageTests {
    /// The secrets of webhooks that a text has.
    private static func secrets(in text: String) -> [String] {
        text.matches(of: #/whsec_[A-Za-z0-9+/=]+/#).map { String($0.output) }
    }

    private static func add(
        _ visitor: WebVisitor, _ url: String = "https://example.com/a", _ fields: [String: String?] = [:]
    ) async throws -> WebPage {
        try await visitor.submit(
            try await visitor.get("/admin/webhooks"), action: "/admin/webhooks",
            ["url": url].merging(fields) { $1 })
    }

    @Test func `A secret is shown once, as the answer of its form, and is in no log, no entry and no stored answer`()
        async throws
    {
        let lines = LogLines()
        try await TestShop.open(logger: lines.logger(.trace)) { shop in
            let admin = try await shop.staff(.manager)
            let visitor = WebVisitor(shop, session: admin.session)
            let made = try await Self.add(visitor)
            let first = try #require(Self.secrets(in: made.words).first)
            #expect(made.status == 200 && made.header("Cache-Control") == "no-store")
            let hook = try #require(try await admin.call(Contract.webhooks).good().items.first)
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
                for column in ["old_value", "new_value"] {
                    let rows = try await shop.rows(
                        "SELECT id FROM audit WHERE \(column) LIKE ?", [.text("%\(secret)%")])
                    #expect(rows.isEmpty)
                }
                #expect(!(try await visitor.get("/admin/audit")).text.contains(secret))
            }
            #expect(try await shop.rows("SELECT key FROM idempotency WHERE length(body) > 0").isEmpty)
        }
    }

    @Test func `A form that shows a secret takes effect once, and leads to its page when it is sent again`()
        async throws
    {
        try await TestShop.open { shop in
            let visitor = try await shop.member(.manager)
            func count() async throws -> Int { try await shop.rows("SELECT id FROM webhooks").count }
            let list = try await visitor.get("/admin/webhooks")
            func add(_ url: String, following: Bool = true) async throws -> WebPage {
                try await visitor.submit(list, action: "/admin/webhooks", ["url": url], following: following)
            }
            let refused = try await add("http://10.0.0.1/hook")
            let refusedAgain = try await add("http://10.0.0.1/hook")
            #expect(refused.status == 422 && refusedAgain.status == 422, "a form without effect was not sent already")
            #expect(Self.secrets(in: try await add("https://example.com/a").words).count == 1)
            let again = try await add("https://example.com/a", following: false)
            #expect(again.status == 303 && again.location == "/admin/webhooks" && Self.secrets(in: again.text).isEmpty)
            let told = try await visitor.get("/admin/webhooks")
            #expect(told.words.contains("This form was already sent. Its secret is shown only once."))
            #expect(try await count() == 1)
            // After going back, another address is another webhook.
            #expect(Self.secrets(in: try await add("https://example.com/b").words).count == 1)
            #expect(try await count() == 2)

            let id = try #require(try await shop.rows("SELECT id FROM webhooks").first).text(0)
            let path = "/admin/webhooks/\(id)"
            let page = try await visitor.get(path)
            #expect(Self.secrets(in: try await visitor.submit(page, action: path + "/secret").words).count == 1)
            let rotated = try await visitor.submit(page, action: path + "/secret")
            #expect(rotated.location == path && Self.secrets(in: rotated.text).isEmpty)
        }
    }

    @Test func `A webhook gets the types that are ticked, all without any, and keeps them when it is switched off`()
        async throws
    {
        try await TestShop.open { shop in
            let admin = try await shop.staff(.manager)
            let visitor = WebVisitor(shop, session: admin.session)
            let list = try await visitor.get("/admin/webhooks")
            let boxes = try list.form("/admin/webhooks").controls.filter { $0.name.hasPrefix("types.") }
            #expect(boxes.count == EventType.allCases.count - 1)
            let chosen = boxes.filter { ["order.paid", "ride.cancelled"].contains($0.value) }
            _ = try await Self.add(
                visitor, "https://example.com/a",
                Dictionary(uniqueKeysWithValues: chosen.map { ($0.name, $0.value) }))
            let hook = try #require(try await admin.call(Contract.webhooks).good().items.first)
            #expect(Set(hook.types) == [.orderPaid, .rideCancelled])

            let path = "/admin/webhooks/\(hook.id)"
            let off = try await visitor.submit(
                try await visitor.get(path), action: path, ["active:flag": "false"])
            #expect(off.words.contains("The webhook was saved; it is off."))
            var now = try await admin.webhook(hook.id)
            #expect(now.status == .off && now.types == hook.types && now.url == hook.url)

            let none = Dictionary(uniqueKeysWithValues: chosen.map { ($0.name, String?.none) })
            _ = try await visitor.submit(
                try await visitor.get(path), action: path, none.merging(["description": "ERP"]) { $1 })
            now = try await admin.webhook(hook.id)
            #expect(now.types.isEmpty && now.description == "ERP" && now.status == .off)
            _ = try await visitor.submit(try await visitor.get(path), action: path, ["active:flag": "true"])
            #expect(try await admin.webhook(hook.id).status == .active)

            let gone = try await visitor.submit(try await visitor.get(path), action: path + "/delete")
            #expect(gone.location == "/admin/webhooks" && gone.words.contains("No webhooks yet."))
            #expect(try await visitor.get(path).status == 404)
        }
    }

    @Test func `An address that is refused comes back with its ticks`() async throws {
        try await TestShop.open { shop in
            let visitor = try await shop.member(.manager)
            let box = try #require(
                try await visitor.get("/admin/webhooks").form("/admin/webhooks").controls
                    .first { $0.value == "order.paid" })
            let page = try await Self.add(visitor, "http://10.0.0.1/hook", [box.name: box.value])
            #expect(page.status == 422)
            let fields = page.fields(of: "/admin/webhooks")
            #expect(fields["url"] == "http://10.0.0.1/hook" && fields[box.name] == "order.paid")
            #expect(try await shop.rows("SELECT id FROM webhooks").isEmpty)
        }
    }

    @Test func `Deliveries are listed by status and by pages, and one is sent again while its event is kept`()
        async throws
    {
        try await TestShop.open { shop in
            let admin = try await shop.staff(.manager)
            let visitor = WebVisitor(shop, session: admin.session)
            let hook = try await admin.addWebhook("https://example.com/a", [.rideCancelled]).good().webhook
            // An endpoint that is off gets no request.
            _ = try await admin.call(
                Contract.updateWebhook, WebhookPatch(isActive: false), path: ["id": hook.id]
            ).good()
            _ = try await shop.customer()
            // Events are listed a moment after their transaction.
            try await eventually { try await admin.call(Contract.shopEvents).good().items.first != nil }
            let event = try #require(try await admin.call(Contract.shopEvents).good().items.first).id
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
            let first = try await visitor.get(path)
            let next = try #require(first.attributes(of: "a").first { $0["rel"] == "next" }?["href"])
            let second = try await visitor.get(next)
            // Another status begins at its first page.
            #expect(second.links.contains(path + "?status=failed") && second.links.contains(path))
            let ids = [first, second].map { page in
                page.forms.map(\.action).filter { $0.hasSuffix("/redeliver") }
            }
            #expect(Set(ids[0] + ids[1]).count == 60 && ids[0].count + ids[1].count == 60)
            #expect(first.words.contains("no <disk>") && !first.text.contains("<disk>"))
            #expect(first.words.contains("1 attempt Time Duration Answer"))

            let failed = try await visitor.get(path + "?status=failed")
            #expect(failed.forms.filter { $0.action.hasSuffix("/redeliver") }.count == 10)
            let sent = try await visitor.submit(failed, action: "/admin/webhook-deliveries/dlv_100/redeliver")
            #expect(sent.location == path && sent.words.contains("The event will be sent again."))
            #expect(try await admin.deliveries(hook.id, query: "status=pending").map(\.id) == ["dlv_100"])
            let expired = try await visitor.submit(failed, action: "/admin/webhook-deliveries/dlv_101/redeliver")
            #expect(expired.status >= 400 && expired.heading == hook.url)
            #expect(expired.words.contains("Events are kept for 30 days."))
        }
    }
}
