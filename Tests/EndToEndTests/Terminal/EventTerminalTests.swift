import Foundation
import PouchClient
import PouchEntities
import Testing

/// Webhooks, events, the audit log and live orders in `pouch`, against a running server.
@Suite(.timeLimit(.minutes(5)))
struct EventTerminalTests {
    @Test func `A webhook is added with its secret, changed, and removed; its secret is shown once`() async throws {
        try await withRunningShop { shop in
            let admin = try await shop.owner()
            #expect(try await admin.pouch("admin", "webhook").output == "There are no webhooks yet.\n")
            let refused = try await admin.pouch("admin", "webhook", "add", "https://127.0.0.1/")
            #expect(refused.status != 0 && refused.output.isEmpty)
            let added = try await admin.pouch(
                "admin", "webhook", "add", "https://hooks.example/pouch", "--type", "order.paid", "--json")
            let new = try added.json(SecretWebhook.self)
            #expect(new.secret.hasPrefix("whsec_") && new.webhook.types == [.orderPaid])
            let id = new.webhook.id
            let list = try await admin.pouch("admin", "webhook", "list")
            #expect(list.output.contains(id) && !list.output.contains("whsec_"))
            let changed = try await admin.pouch(
                "admin", "webhook", "change", id, "--all-types", "--no-active", "--json")
            let webhook = try changed.json(WebhookEndpoint.self)
            #expect(webhook.types.isEmpty && webhook.status == .off)
            let rotated = try await admin.pouch("admin", "webhook", "rotate", id, "--json")
            #expect(try rotated.json(SecretWebhook.self).secret != new.secret)
            #expect(try await admin.pouch("admin", "webhook", "deliveries", id).output == "Nothing was sent yet.\n")
            #expect(try await admin.pouch("admin", "webhook", "remove", id).status == 0)
            let again = try await admin.pouch("admin", "webhook", "remove", id)
            #expect(again.status == 2 && again.errors.contains("pouch admin webhook list"))
            #expect(try await admin.pouch("admin", "webhook", "redeliver", "dlv_nothing").status == 2)
        }
    }

    @Test func `Events and changes by staff are listed`() async throws {
        try await withRunningShop { shop in
            let admin = try await shop.owner()
            _ = try await admin.pouch("admin", "stock", "wool-scarf", "--set", "7")
            let audit = try await admin.pouch("admin", "audit", "--action", "updateVariant")
            #expect(audit.output.contains("/v1/admin/variants/wool-scarf"), "\(audit.errors)")
            #expect(audit.output.contains(#"{"available":7}"#))
            let own = try await admin.pouch("admin", "audit", "--actor", "Boss@example.com")
            #expect(own.output.contains("boss@example.com\tacc_") && own.output.contains("updateVariant"))
            let others = try await admin.pouch("admin", "audit", "--actor", "ann@example.com")
            #expect(others.status == 0 && !others.output.contains("updateVariant"))
            let events = try await admin.pouch("admin", "events", "--type", "import.ended")
            #expect(events.output.contains("import.ended"), "\(events.errors)")
            _ = try await admin.pouch("admin", "stock", "wool-scarf", "--set", "2")
            let all = try await admin.pouch("admin", "events", "--oldest", "--json").json(EventPage.self).items
            let last = try #require(all.last)
            #expect(last.type == .stockLow)
            let latest = try await admin.pouch("admin", "events", "--limit", "1")
            #expect(latest.output.hasPrefix(last.id) && latest.errors.contains("--before \(last.id)"))
            let earlier = try await admin.pouch("admin", "events", "--before", last.id, "--json")
            #expect(try earlier.json(EventPage.self).items == Array(all.dropLast().reversed()))
            #expect(try await admin.pouch("admin", "events", "--after", last.id).output.contains("no such events"))
            #expect(try await admin.pouch("admin", "events", "--after", last.id, "--oldest").status == 64)
            let missed = try await admin.pouch("admin", "events", "--after", "evt_nothing")
            #expect(missed.status != 0 && missed.errors.contains("does not keep this event"))
        }
    }

    @Test func `The order of a failed payment is shown by its event, and the commands say why it cannot be opened`()
        async throws
    {
        try await withRunningShop { shop in
            let owner = try await shop.owner()
            let declined = try await Shopper(at: shop.url).pouch(
                arguments: ["buy", "wool-scarf", "--card", "tok_declined", "--email", "a@example.com"]
                    + TerminalTests.address)
            #expect(declined.status == 3, "\(declined.errors)")
            let page = try await owner.pouch("admin", "events", "--type", "payment.failed", "--json").json(
                EventPage.self)
            let order = try #require(page.items.first?.data.order)
            #expect(order.payment.status == .failed && order.status == .cancelled)
            let events = try await owner.pouch("admin", "events", "--type", "payment.failed")
            #expect(events.output.hasSuffix("\t\(order.id)\t\(order.number)\n"))
            #expect(events.errors.contains("is not kept"))
            for name in [order.id, order.number] {
                let shown = try await owner.pouch("admin", "order", name)
                #expect(shown.status == 2 && shown.errors.contains("No such order: \(name)."))
                #expect(shown.errors.contains("pouch admin events --type payment.failed --json"))
            }
            let others = try await owner.pouch("admin", "events", "--type", "import.ended")
            #expect(!others.errors.contains("is not kept"))
        }
    }

    @Test func `An order is followed until it is delivered`() async throws {
        try await withRunningShop { shop in
            let admin = try await shop.owner()
            let buyer = try Shopper(at: shop.url)
            _ = try await buyer.pouch("cart", "add", "wool-scarf")
            let bought = try await buyer.pouch(
                "checkout", "--card", "tok_ok", "--name", "Ann", "--line1", "High Street 1", "--city", "Berlin",
                "--postal-code", "10115", "--country", "DE", "--email", "ann@example.com", "--json")
            let order = try bought.json(Order.self)
            async let followed = buyer.pouch("order", order.id, "--follow")
            #expect(try await admin.pouch("admin", "fulfil", order.id).status == 0)
            #expect(try await admin.pouch("admin", "deliver", order.id).status == 0)
            let lines = try await followed
            #expect(lines.status == 0 && lines.output.contains("delivered"), "\(lines.errors)")
        }
    }
}
