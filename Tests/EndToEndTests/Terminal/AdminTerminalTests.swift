import ClientTesting
import Foundation
import PouchClient
import PouchDomain
import PouchEntities
import PouchJSON
import Testing

/// `pouch admin` in scripts, against a running server.
@Suite(.timeLimit(.minutes(5)))
struct AdminTerminalTests {
    @Test func `A file is imported and followed until it is published, and a dry run changes nothing`() async throws {
        try await withRunningShop { shop in
            let admin = try await shop.owner()
            let folder = try TemporaryFolder()
            let feed = try folder.file(
                "more.csv",
                containing: """
                    Handle,Title,Type,Published,Option1 Name,Option1 Value,Variant Inventory Qty,Variant Price
                    felt-hat,Felt Hat,Hats,true,Title,Default Title,4,29.00
                    sun-hat,Sun Hat,Hats,true,Title,Default Title,2,dear
                    """)
            let dry = try await admin.pouch("admin", "import", feed.path, "--dry-run", "--json")
            // One of the rows has an error.
            #expect(dry.status == 1)
            let found = try CatalogImport(json: dry.output)
            #expect(found.status == .dryRun && found.created == 1 && found.failed == 1)
            #expect(try await admin.pouch("admin", "stock", "felt-hat", "--adjust", "0").status == 2)

            let published = try await admin.pouch("admin", "import", feed.path)
            #expect(published.status == 1, "\(published.errors)")
            #expect(published.output.contains("The import is published."))
            #expect(published.output.contains("2 rows: 1 product new, 0 changed, 0 unchanged, 1 error\n"))
            let stock = try await admin.pouch("admin", "stock", "felt-hat", "--adjust", "0", "--json")
            #expect(try stock.json(ManagedVariant.self).available == 4)

            let started = try await admin.pouch("admin", "import", feed.path, "--no-wait", "--json")
            let id = try started.json(CatalogImport.self).id
            let ended = try await admin.pouch("admin", "import", "show", id, "--json")
            #expect(try CatalogImport(json: ended.output).unchanged == 1)
            #expect(try await admin.pouch("admin", "import", "show", "imp_nothing").status == 2)

            let wrong = try folder.file("wrong.csv", containing: "Handle,Title,Variant Price\ncap,Cap,dear\n")
            let none = try await admin.pouch("admin", "import", wrong.path)
            #expect(none.status == 1 && none.output.contains("No product was imported."), "\(none.errors)")
            #expect(!none.output.contains("published"))

            let letter = try folder.file("letter.csv", containing: "Dear shop,\nhello\n")
            let refused = try await admin.pouch("admin", "import", letter.path)
            #expect(refused.status == 3 && refused.output.isEmpty)
            let nameless = try folder.file("feed", containing: "")
            let unknown = try await admin.pouch("admin", "import", nameless.path)
            #expect(unknown.status == 64 && unknown.errors.contains("--format shopify-csv"))
        }
    }

    @Test func `Stock is set and adjusted, and never falls below zero`() async throws {
        try await withRunningShop { shop in
            let admin = try await shop.owner()
            let set = try await admin.pouch("admin", "stock", "wool-scarf", "--set", "7", "--json")
            #expect(try set.json(ManagedVariant.self).available == 7)
            let adjusted = try await admin.pouch("admin", "stock", "wool-scarf", "--adjust", "-3")
            #expect(adjusted.output == "wool-scarf\t42.99 EUR\t4\t4\t0\n", "\(adjusted.errors)")
            for adjust in [["--adjust=-1"], ["--adjust", "1"]] {
                let adjusted = try await admin.pouch(arguments: ["admin", "stock", "wool-scarf"] + adjust)
                #expect(adjusted.status == 0, "\(adjusted.errors)")
            }
            for set in [["--set", "-1"], ["--set=-1"]] {
                let refused = try await admin.pouch(arguments: ["admin", "stock", "wool-scarf"] + set)
                #expect(refused.status == 64 && refused.errors.contains("is invalid for '--set"))
            }
            let refused = try await admin.pouch("admin", "stock", "wool-scarf", "--adjust", "-5")
            #expect(refused.status == 3 && refused.output.isEmpty)
            #expect(refused.errors.contains("Only 4 units are free"))
            #expect(try await admin.pouch("admin", "stock", "nothing", "--set", "1").status == 2)
        }
    }

    @Test func `A price is set permanently or for a time`() async throws {
        try await withRunningShop { shop in
            let admin = try await shop.owner()
            let set = try await admin.pouch("admin", "price", "wool-scarf", "39.50", "--json")
            #expect(try set.json(ManagedVariant.self).price == Money(3950, .eur))
            let scheduled = try await admin.pouch(
                "admin", "price", "wool-scarf", "35", "--from", "2031-12-01T00:00:00Z", "--until",
                "2031-12-24T12:30:00Z", "--json")
            let price = try scheduled.json(ScheduledPrice.self)
            #expect(price.price == Money(3500, .eur) && price.sku == "wool-scarf")
            #expect(price.endsAt.timeIntervalSince(price.startsAt) == 23 * 86_400 + 45_000)
            let list = try await admin.pouch("admin", "price", "list")
            #expect(list.output.hasPrefix("\(price.id)\twool-scarf\t35.00 EUR\t20"))
            #expect(try await admin.pouch("admin", "price", "remove", price.id).status == 0)
            let again = try await admin.pouch("admin", "price", "remove", price.id)
            #expect(again.status == 2 && again.errors.contains("pouch admin price list"))
            #expect(try await admin.pouch("admin", "price", "list").output == "No price is scheduled.\n")
        }
    }

    /// The second day is the one on which the clocks of Berlin are put forward.
    @Test func `Days are those of the shop, wherever the merchant is, and the last one counts`() async throws {
        let settings = ShopSettings(
            currency: .eur, country: "DE", timeZone: try #require(TimeZone(identifier: "Europe/Berlin")),
            shipping: ShopSettings.standard().shipping)
        try await withRunningShop(settings: settings) { shop in
            let admin = try await shop.owner()
            for (from, until, start, end) in [
                ("2031-12-01", "2031-12-24", "2031-11-30T23:00:00Z", "2031-12-24T23:00:00Z"),
                ("2031-03-30", "2031-03-30", "2031-03-29T23:00:00Z", "2031-03-30T22:00:00Z"),
                ("2031-05-01T09:30", "2031-05-01T10:00:00Z", "2031-05-01T07:30:00Z", "2031-05-01T10:00:00Z"),
            ] {
                let period = ["--from", from, "--until", until, "--json"]
                for command in [["price", "wool-scarf", "35"], ["season", "set", "s", "S"]] {
                    let made = try await admin.pouch(
                        arguments: ["admin"] + command + period, environment: ["TZ": "America/New_York"])
                    #expect(made.output.contains(start.dropLast()) && made.output.contains(end.dropLast()), "\(made)")
                }
            }
        }
    }

    @Test func `Discount codes are added, changed by their code, and removed`() async throws {
        try await withRunningShop { shop in
            let admin = try await shop.owner()
            let added = try await admin.pouch(
                "admin", "discount", "add", "summer", "--percent", "12.5", "--minimum", "50", "--category", "scarves",
                "--limit", "100", "--until", "2031-09-01", "--json")
            let discount = try added.json(ManagedDiscount.self)
            #expect(discount.terms.code == "SUMMER" && discount.terms.basisPoints == 1250)
            #expect(discount.terms.minimum == Money(5000, .eur) && discount.terms.categories == ["scarves"])
            let changed = try await admin.pouch(
                "admin", "discount", "change", "Summer", "--amount", "5", "--without", "limit", "--without", "until",
                "--limit-per-account", "1", "--json")
            let terms = try changed.json(ManagedDiscount.self).terms
            #expect(terms.kind == .amount && terms.amount == Money(500, .eur) && terms.basisPoints == nil)
            #expect(terms.limit == nil && terms.endsAt == nil && terms.limitPerAccount == 1)
            #expect(terms.minimum == Money(5000, .eur))
            let list = try await admin.pouch("admin", "discount", "list")
            #expect(list.output.contains("SUMMER\t5.00 EUR\t"))
            let taken = try await admin.pouch("admin", "discount", "add", "SUMMER", "--free-shipping")
            #expect(taken.status == 3 && taken.errors.contains("code"))
            #expect(try await admin.pouch("admin", "discount", "remove", "summer").output == "Removed SUMMER.\n")
            #expect(try await admin.pouch("admin", "discount", "remove", "summer").status == 2)
        }
    }

    @Test func `Orders are listed, marked as shipped and marked as delivered`() async throws {
        try await withRunningShop { shop in
            let admin = try await shop.owner()
            let ann = try Shopper(at: shop.url)
            let bought = try await ann.pouch(
                arguments: ["buy", "wool-scarf", "--card", "tok_ok", "--email", "a@example.com", "--json"]
                    + TerminalTests.address)
            let order = try bought.json(Order.self)
            let paid = try await admin.pouch("admin", "orders", "--status", "paid")
            #expect(paid.output.contains(order.id) && paid.output.contains("a@example.com"))
            #expect(try await admin.pouch("admin", "orders", "--unsent").output == paid.output)
            let early = try await admin.pouch("admin", "deliver", order.id)
            #expect(early.status == 3 && early.errors.contains("has not been sent yet"))
            let sent = try await admin.pouch("admin", "fulfil", order.id)
            #expect(sent.status == 0 && sent.output.contains("on its way"))
            for choice in [["--status", "paid"], ["--unsent"]] {
                let list = try await admin.pouch(arguments: ["admin", "orders"] + choice)
                #expect(list.output == "There are no such orders.\n")
            }
            // The word that the list prints, and that of --json.
            for status in ["on its way", "fulfilled"] {
                let list = try await admin.pouch("admin", "orders", "--status", status)
                #expect(list.output.contains(order.id) && list.output.contains("\ton its way\t"), "\(list.errors)")
            }
            let delivered = try await admin.pouch("admin", "deliver", order.id, "--json")
            #expect(try delivered.json(Order.self).status == .delivered)
            #expect(try await admin.pouch("admin", "fulfil", "ord_nothing").status == 2)
        }
    }

    @Test func `A refund covers units, an amount or the rest, and is made once for its key`() async throws {
        try await withRunningShop { shop in
            let admin = try await shop.owner()
            let ann = try Shopper(at: shop.url)
            let bought = try await ann.pouch(
                arguments: [
                    "buy", "wool-scarf", "--quantity", "3", "--card", "tok_ok", "--email", "a@example.com", "--json",
                ] + TerminalTests.address)
            let order = try bought.json(Order.self)
            let unit = try await admin.pouch(
                "admin", "refund", order.id, "--line", "wool-scarf", "--reason", "a hole", "--json")
            let refund = try unit.json(Refund.self)
            #expect(refund.amount == Money(4299, .eur) && refund.status == .succeeded && refund.reason == "a hole")
            let blank = try await admin.pouch("admin", "refund", order.id, "--all", "--reason", " ")
            #expect(blank.status == 3 && blank.errors.contains("eason must have 1 to 2000"), "\(blank.errors)")
            let amount = ["admin", "refund", order.id, "--amount", "10", "--reason", "late", "--key", "k"]
            let first = try await admin.pouch(arguments: amount)
            #expect(first.status == 0 && first.output.hasPrefix("10.00 EUR was refunded."), "\(first.errors)")
            #expect(try await admin.pouch(arguments: amount).output == first.output)
            let reused = try await admin.pouch(
                "admin", "refund", order.id, "--amount", "11", "--reason", "late", "--key", "k")
            #expect(reused.status == 3 && reused.output.isEmpty)
            #expect(try await admin.pouch("admin", "orders").output.contains("52.99"))
            let more = try await admin.pouch("admin", "refund", order.id, "--amount", "80.89", "--reason", "late")
            #expect(more.status == 3 && more.output.isEmpty && more.errors.contains("Only 80.88 EUR is left"))
            let rest = try await admin.pouch("admin", "refund", order.id, "--all", "--reason", "late", "--json")
            #expect(try rest.json(Refund.self).amount == Money(8088, .eur))
            let seen = try await ann.pouch("order", order.id)
            #expect(seen.output.contains("Refunded: 133.87") && seen.output.contains("partly refunded"))
            #expect(try await admin.pouch("admin", "refund", order.id, "--all", "--reason", "late").status == 3)
            let unknown = try await admin.pouch("admin", "refund", "ord_nothing", "--all", "--reason", "late")
            #expect(unknown.status == 2 && unknown.errors.contains("pouch admin orders"))
        }
    }

    @Test
    func `A code is applied and removed, and discount and tax are listed below the cart and the order`() async throws {
        let settings = ShopSettings(
            currency: .eur, country: "AU",
            taxes: TaxSettings(
                pricesIncludeTax: false, rounding: .perLine,
                regions: [TaxRegion(territory: .everywhere, standardRate: 1000, shipping: .untaxed)]),
            shipping: ShopSettings.standard().shipping)
        try await withRunningShop(settings: settings) { shop in
            let admin = try await shop.owner()
            let ann = try Shopper(at: shop.url)
            for arguments in [["ten", "--percent", "10"], ["once", "--amount", "5", "--limit", "1"]] {
                let added = try await admin.pouch(arguments: ["admin", "discount", "add"] + arguments)
                #expect(added.status == 0, "\(added.errors)")
            }
            let plain = try await ann.pouch("cart", "add", "ribbed-cardigan-s")
            #expect(plain.output.contains("Tax\t12.90") && !plain.output.contains("Discount"))
            for code in ["nothing", "no code"] {
                let refused = try await ann.pouch("cart", "discount", code)
                #expect(refused.status == 3 && refused.output.isEmpty)
                #expect(refused.errors.contains("The discount code is not valid."))
            }
            #expect(try await ann.pouch("cart", "discount").status == 64)
            #expect(try await ann.pouch("cart", "discount", "ten", "--remove").status == 64)
            let cart = try await ann.pouch("cart", "discount", "ten")
            #expect(cart.output.contains("Discount TEN\t-12.90"), "\(cart.errors)")
            #expect(cart.output.contains("Tax\t11.61") && cart.output.contains("Total\t127.71 EUR"))
            let removed = try await ann.pouch("cart", "discount", "--remove")
            #expect(removed.status == 0 && !removed.output.contains("Discount"))

            _ = try await ann.pouch("cart", "discount", "ten")
            let order = try await ann.pouch(
                arguments: ["checkout", "--card", "tok_ok", "--email", "a@example.com"] + TerminalTests.address)
            #expect(order.output.contains("Discount\t-12.90"), "\(order.errors)")
            #expect(order.output.contains("Tax\t11.61") && order.output.contains("Total\t132.61 EUR"))

            let buy = ["buy", "wool-scarf", "--card", "tok_ok", "--email", "a@example.com", "--discount", "once"]
            let bought = try await ann.pouch(arguments: buy + TerminalTests.address)
            #expect(bought.output.contains("Discount\t-5.00"), "\(bought.errors)")
            let again = try await ann.pouch(arguments: buy + TerminalTests.address)
            #expect(again.status == 3 && again.errors.contains("used up"))
        }
    }

    @Test func `Without the permission, a command says how to sign in`() async throws {
        try await withRunningShop { shop in
            let ann = try Shopper(at: shop.url)
            let stranger = try await ann.pouch("admin", "orders")
            #expect(stranger.status == 4 && stranger.errors.contains("pouch sign-in"))
            _ = try await ann.pouch("cart", "add", "wool-scarf")
            let guest = try await ann.pouch("admin", "orders")
            #expect(guest.status == 4 && guest.errors.contains("orders:read"), "\(guest.errors)")
            #expect(guest.errors.contains("pouch sign-in"), "\(guest.errors)")
            try await ann.signUp()
            for (arguments, permission) in [
                (["orders"], "orders:read"), (["stock", "wool-scarf", "--set", "5"], "catalog:write"),
                (["discount"], "catalog:read"),
            ] {
                let refused = try await ann.pouch(arguments: ["admin"] + arguments)
                #expect(refused.status == 4 && refused.output.isEmpty)
                #expect(refused.errors.contains("may not do that") && refused.errors.contains(permission))
            }
        }
    }

    @Test(arguments: [
        ["stock", "wool-scarf"], ["stock", "wool-scarf", "--set", "1", "--adjust", "1"],
        ["price", "wool-scarf", "5", "--from", "2031-01-01"], ["price", "wool-scarf", "5", "--from", "soon"],
        ["price", "wool-scarf", "5", "--from", "2031-02-30", "--until", "2032-01-01"],
        ["orders", "--status", "unrecognised"], ["orders", "--limit", "0"], ["orders", "--all", "--page", "2"],
        ["orders", "--from", "2031-01-02", "--until", "2031-01-01"], ["fulfil", "P-1", "--carrier", "DHL"],
        ["order", "track", "P-1"],
        ["order", "track", "P-1", "--carrier", "DHL", "--tracking", "1", "--tracking-url", "http://example.com"],
        ["discount", "add", "TEN"], ["discount", "add", "TEN", "--percent", "101"],
        ["discount", "add", "TEN", "--percent", "5", "--free-shipping"], ["discount", "add", "TEN", "--buy", "2"],
        ["discount", "change", "TEN", "--without", "code"], ["refund", "ord_1", "--reason", "late"],
        ["refund", "ord_1", "--all"], ["refund", "ord_1", "--all", "--amount", "5", "--reason", "late"],
        ["refund", "ord_1", "--line", "a=0", "--reason", "late"], ["import", "/nonexistent/feed.csv"],
        ["import", "--format", "tea-leaves", "feed.csv"], ["product", "edit", "wool-scarf"],
        ["product", "variant", "edit", "wool-scarf", "wool-scarf"], ["discount", "change", "TEN"],
        ["webhook", "change", "whk_1"],
        ["key", "create", "--name", "till", "--scope", "orders:read", "--expires", "2020-01-01"],
    ])
    func `An invalid command is refused before anything is sent`(arguments: [String]) async throws {
        let nowhere = try #require(URL(string: "http://127.0.0.1:9"))
        let outcome = try await Shopper(at: nowhere).pouch(arguments: ["admin"] + arguments)
        #expect(outcome.status == 64, "\(outcome.errors)")
        #expect(outcome.output.isEmpty && !outcome.errors.isEmpty)
    }

    @Test func `An amount that is invalid in the currency is refused`() async throws {
        try await withRunningShop { shop in
            let admin = try await shop.owner()
            for amount in ["5.001", "five", "5,00"] {
                let outcome = try await admin.pouch("admin", "price", "wool-scarf", amount)
                #expect(outcome.status == 64 && outcome.errors.contains("EUR"))
            }
            let negative = try await admin.pouch("admin", "refund", "P-1", "--amount", "-5", "--reason", "late")
            #expect(negative.status == 64 && negative.errors.contains("-5 is not an amount in EUR."))
            for command in [["product", "add", "Cap"], ["product", "variant", "add", "wool-scarf"]] {
                let stock = try await admin.pouch(arguments: ["admin"] + command + ["--price", "5", "--stock", "-1"])
                #expect(stock.status == 64 && stock.errors.contains("'-1' is invalid for '--stock"), "\(stock.errors)")
            }
        }
    }

    @Test func `Every command has help`() async throws {
        let nowhere = try #require(URL(string: "http://127.0.0.1:9"))
        for command in [
            "import", "stock", "price", "orders", "order", "fulfil", "deliver", "refund", "customer", "sales",
            "discount",
        ] {
            let outcome = try await Shopper(at: nowhere).pouch("admin", command, "--help")
            #expect(outcome.status == 0 && outcome.output.contains("OVERVIEW:"))
        }
    }
}
