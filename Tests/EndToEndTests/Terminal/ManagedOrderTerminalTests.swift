import ClientTesting
import Foundation
import PouchClient
import PouchEntities
import Testing

@Suite("The order desk by commands", .timeLimit(.minutes(10)))
struct ManagedOrderTerminalTests {
    @Test func `The link of a mail is sent to its own server, and to no other`() async throws {
        try await withRunningShop { shop in
            let folder = try TemporaryFolder()
            let (own, other) = (shop.url.absoluteString, "http://127.0.0.1:9")
            func order(_ link: String, at server: String?, _ options: String...) async throws -> Program.Outcome {
                var environment = ["XDG_STATE_HOME": folder.url.path]
                environment["POUCH_SERVER"] = server
                return try await Program.run(
                    "pouch", ["order", "--link", link] + options, environment: environment, input: "")
            }
            // The shop's own server says that the link is no good.
            let link = own + "/orders#forged"
            for (link, server) in [(link, nil), (link, own + "/"), ("forged", own)] as [(String, String?)] {
                let outcome = try await order(link, at: server)
                #expect(outcome.status == 3, "\(outcome.errors)")
            }
            for outcome in [try await order(link, at: other), try await order(link, at: nil, "--server", other)] {
                #expect(outcome.status == 64 && outcome.output.isEmpty)
                #expect(outcome.errors.contains("is for \(own), not for \(other)"), "\(outcome.errors)")
            }
            #expect(try await order("https://shop.example/elsewhere#forged", at: nil).status == 64)
        }
    }

    @Test func `An order is found, shown, sent with tracking, annotated and exported by its number`() async throws {
        try await withOwner { admin, shop in
            let ann = try Shopper(at: shop.url)
            let order = try await ann.buys("wool-scarf")
            let number = order.number
            let found = try await admin.succeeds("admin orders --search A@example.com --sku wool-scarf")
            #expect(found.output.hasPrefix(number + "\t"))
            try await admin.succeeds("admin order \(number)", printing: "Left to refund", "wool-scarf")
            let slip = try await admin.succeeds("admin order slip \(number)", printing: "SKU wool-scarf")
            #expect(slip.output.hasPrefix("PACKING SLIP"))
            try await admin.succeeds("admin order note \(number) 'Call first'", printing: "Call first")
            try await admin.succeeds("admin fulfil \(number) --carrier DHL --tracking 0034", printing: "DHL 0034")
            try await ann.succeeds("order \(number)", printing: "DHL 0034")
            try await admin.fails("admin order cancel \(number)", 3, saying: "has already been sent")
            let json = try await admin.pouch("admin order cancel \(number) --json")
            #expect(json.errors.hasPrefix("{\"error\":{\"advice\":") && json.output.isEmpty)

            for command in ["order slip \(number)", "order export", "stock export", "customer export", "export"] {
                try await admin.fails("admin \(command) --json", 64, saying: "Leave out --json.", #""reason":"usage""#)
            }
            let export = try await admin.succeeds("admin order export --search \(number)")
            #expect(export.output.split(separator: "\r\n").count == 2)
            try await admin.succeeds("admin stock list --threshold 100000", printing: "wool-scarf")
            #expect(try await admin.json("admin sales", as: SalesReport.self).total.orders == 1)
            try await admin.succeeds("admin customer list --all")
            try await admin.fails("admin customer show nobody@example.com", 2)
        }
    }

    @Test(
        arguments: [("ordesr", "pouch orders"), ("admin oders", "pouch admin orders"), ("zzzzz", nil)]
            as [(String, String?)])
    func `The error for a misspelt command names one that may be meant`(typed: String, meant: String?) async throws {
        let outcome = try await Shopper(at: nowhere()).fails(typed, 64)
        #expect(outcome.errors.contains("Did you mean") == (meant != nil))
        if let meant { #expect(outcome.errors.contains("Did you mean `\(meant)`?"), "\(outcome.errors)") }
    }
}

/// Webhooks, events, the audit log and live orders in `pouch`, against a running server.
@Suite(.timeLimit(.minutes(5)))
struct EventTerminalTests {
    @Test func `A webhook is added with its secret, changed, and removed; its secret is shown once`() async throws {
        try await withOwner { admin, _ in
            #expect(try await admin.pouch("admin webhook").output == "There are no webhooks yet.\n")
            let refused = try await admin.pouch("admin webhook add https://127.0.0.1/")
            #expect(refused.status != 0 && refused.output.isEmpty)
            let new = try await admin.json(
                "admin webhook add https://hooks.example/pouch --type order.paid", as: SecretWebhook.self)
            #expect(new.secret.hasPrefix("whsec_") && new.webhook.types == [.orderPaid])
            let id = new.webhook.id
            let list = try await admin.succeeds("admin webhook list", printing: id)
            #expect(!list.output.contains("whsec_"))
            let webhook = try await admin.json(
                "admin webhook change \(id) --all-types --no-active", as: WebhookEndpoint.self)
            #expect(webhook.types.isEmpty && webhook.status == .off)
            #expect(try await admin.json("admin webhook rotate \(id)", as: SecretWebhook.self).secret != new.secret)
            #expect(try await admin.pouch("admin webhook deliveries \(id)").output == "There are no deliveries yet.\n")
            try await admin.succeeds("admin webhook remove \(id)")
            try await admin.fails("admin webhook remove \(id)", 2, saying: "pouch admin webhook list")
            try await admin.fails("admin webhook redeliver dlv_nothing", 2)
        }
    }

    @Test func `Events and changes by staff are listed`() async throws {
        try await withOwner { admin, _ in
            try await admin.succeeds("admin stock wool-scarf --set 7")
            try await admin.succeeds(
                "admin audit --action updateVariant", printing: "/v1/admin/variants/wool-scarf", #"{"available":7}"#)
            try await admin.succeeds(
                "admin audit --actor Boss@example.com", printing: "boss@example.com\tacc_", "updateVariant")
            #expect(try await !admin.succeeds("admin audit --actor ann@example.com").output.contains("updateVariant"))
            try await admin.succeeds("admin events --type import.ended", printing: "import.ended")
            try await admin.succeeds("admin stock wool-scarf --set 2")
            let all = try await admin.json("admin events --oldest", as: EventPage.self).items
            let last = try #require(all.last)
            #expect(last.type == .stockLow)
            let latest = try await admin.succeeds("admin events --limit 1")
            #expect(latest.output.hasPrefix(last.id) && latest.errors.contains("--before \(last.id)"))
            let earlier = try await admin.json("admin events --before \(last.id)", as: EventPage.self)
            #expect(earlier.items == Array(all.dropLast().reversed()))
            try await admin.succeeds("admin events --after \(last.id)", printing: "No matching events.")
            try await admin.fails("admin events --after \(last.id) --oldest", 64)
            let missed = try await admin.pouch("admin events --after evt_nothing")
            #expect(missed.status != 0 && missed.errors.contains("The event is no longer available."))
        }
    }

    @Test func `A failed payment's order is shown by its event; commands say why it cannot be opened`() async throws {
        try await withOwner { owner, shop in
            let buy = "buy wool-scarf --card tok_declined --email a@example.com \(Shopper.address)"
            try await Shopper(at: shop.url).fails(buy, 3)
            let list = "admin events --type payment.failed"
            let order = try #require(try await owner.json(list, as: EventPage.self).items.first?.data.order)
            #expect(order.payment.status == .failed && order.status == .cancelled)
            let events = try await owner.pouch(list)
            #expect(events.output.hasSuffix("\t\(order.id)\t\(order.number)\n"))
            #expect(events.errors.contains("is not stored"))
            for name in [order.id, order.number] {
                try await owner.fails(
                    "admin order \(name)", 2, saying: "No such order: \(name).", "pouch \(list) --json")
            }
            #expect(try await !owner.pouch("admin events --type import.ended").errors.contains("is not stored"))
        }
    }

    @Test func `An order is followed until it is delivered`() async throws {
        try await withOwner { admin, shop in
            let buyer = try Shopper(at: shop.url)
            try await buyer.succeeds("cart add wool-scarf")
            let order = try await buyer.json(
                "checkout --card tok_ok --email ann@example.com \(Shopper.address)", as: Order.self)
            async let followed = buyer.pouch("order \(order.id) --follow")
            try await admin.succeeds("admin fulfil \(order.id)")
            try await admin.succeeds("admin deliver \(order.id)")
            let lines = try await followed
            #expect(lines.status == 0 && lines.output.contains("delivered"), "\(lines.errors)")
        }
    }
}

/// `pouch admin product` in scripts, against a running server.
@Suite(.timeLimit(.minutes(5)))
struct ProductTerminalTests {
    @Test func `A refused change of a product names what to do, in the words of the shop`() async throws {
        try await withOwner { admin, _ in
            try await admin.fails(
                "admin product variant remove wool-scarf wool-scarf", 3, saying: "needs at least one variant")
            let picture = try admin.folder.file("scarf.png", containing: "no picture").path
            let unlike = try await admin.fails("admin product picture add wool-scarf \(picture)", 3)
            #expect(!unlike.errors.contains("Content-Type"), "\(unlike.errors)")
            try await admin.succeeds("admin product archive wool-scarf")
            try await admin.fails(
                "admin product publish wool-scarf", 3, saying: "pouch admin product restore wool-scarf")
        }
    }

    @Test func `A product is shown with everything that was set, and without what was not`() async throws {
        try await withOwner { admin, _ in
            for command in [
                "season set spring Spring",
                "product add 'Felt Hat' --sku hat --price 29 --stock 4 --category hats --season spring "
                    + "--tags 'wool, soft' --description Warm.",
                "product variant edit felt-hat hat --compare-at 35 --grams 120",
                "product publish felt-hat --at 2031-03-15T12:00:00Z --until 2031-09-15T12:00:00Z",
                "price hat 25 --from 2031-04-15T12:00:00Z --until 2031-05-15T12:00:00Z",
            ] { try await admin.succeeds("admin \(command)") }
            let shown = try await admin.succeeds(
                "admin product show felt-hat", printing: "Category: hats\n", "Season: spring\n", "Tags: wool, soft\n",
                "published from 2031-03-15", "withdrawn at 2031-09-15", "\nhat\t\t29.00 EUR\t35.00 EUR\t120\t4\t4\t0\n",
                "\that\t25.00 EUR\t2031-04-15")
            for name in ["Theme", "Materials", "Care", "Style code"] { #expect(!shown.output.contains(name)) }
            let plain = try await admin.succeeds(
                "admin product show wool-scarf", printing: "\nwool-scarf\t\t42.99 EUR\t\t")
            #expect(!plain.output.contains("Season") && !plain.output.contains("Scheduled"))
            let json = try await admin.json("admin product show felt-hat", as: ManagedProduct.self)
            #expect(json.details.seasonId == "spring")
        }
    }

    @Test func `Only a second product of the same name says so on standard error`() async throws {
        try await withOwner { admin, _ in
            let second = try await admin.pouch("admin product add 'Wool Scarf' --json")
            #expect(try second.json(ManagedProduct.self).handle == "wool-scarf-2")
            #expect(second.errors.contains("Another product has the handle wool-scarf, so this one is wool-scarf-2."))
            #expect(second.errors.contains("pouch admin product archive wool-scarf-2"))
            for product in ["'Wool Scarf 7'", "'Wool Scarf' --handle wool-scarf-9"] {
                #expect(try await admin.succeeds("admin product add \(product)").errors.isEmpty)
            }
        }
    }

    @Test func `Themes are made, listed, changed, given to products, and removed once none has them`() async throws {
        try await withOwner { admin, _ in
            #expect(try await admin.pouch("admin theme").output == "There are no themes.\n")
            try await admin.fails("admin theme set coast Coast --season spring", 3)
            try await admin.fails("admin theme set coast Coast", 64)
            for season in ["spring", "autumn"] { try await admin.succeeds("admin season set \(season) \(season)") }

            let made = try await admin.json("admin theme set coast Coast --season spring", as: Theme.self)
            #expect(made == Theme(id: "coast", name: "Coast", seasonId: "spring"))
            let changed = try await admin.succeeds("admin theme set coast 'The Coast' --season autumn")
            #expect(changed.output == "coast\tThe Coast\tautumn\n")
            #expect(try await admin.pouch("admin theme list").output == changed.output)

            try await admin.succeeds("admin product edit wool-scarf --theme coast --season autumn")
            try await admin.succeeds("admin product show wool-scarf", printing: "Theme: coast\n")
            try await admin.fails("admin theme remove coast", 3)
            try await admin.succeeds("admin product edit wool-scarf --theme '' --season ''")
            try await admin.fails("admin season remove autumn", 3)
            for name in ["theme remove coast", "season remove autumn"] {
                #expect(try await admin.pouch("admin \(name)").output == "Removed.\n")
            }
            try await admin.fails("admin theme remove coast", 2, saying: "pouch admin theme")
        }
    }
}
