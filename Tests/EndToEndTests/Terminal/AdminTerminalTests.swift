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
        try await withOwner { admin, _ in
            let folder = try TemporaryFolder()
            let feed = try folder.file(
                "more.csv",
                containing: """
                    Handle,Title,Type,Published,Option1 Name,Option1 Value,Variant Inventory Qty,Variant Price
                    felt-hat,Felt Hat,Hats,true,Title,Default Title,4,29.00
                    sun-hat,Sun Hat,Hats,true,Title,Default Title,2,dear
                    """)
            let dry = try await admin.pouch("admin import \(feed.path) --dry-run --json")
            // One of the rows has an error.
            #expect(dry.status == 1)
            let found = try CatalogImport(json: dry.output)
            #expect(found.status == .dryRun && found.created == 1 && found.failed == 1)
            try await admin.fails("admin stock felt-hat --adjust 0", 2)

            let published = try await admin.pouch("admin import \(feed.path)")
            #expect(published.status == 1, "\(published.errors)")
            #expect(published.output.contains("The import is published."))
            #expect(published.output.contains("2 rows: 1 product new, 0 changed, 0 unchanged, 1 error\n"))
            #expect(try await admin.json("admin stock felt-hat --adjust 0", as: ManagedVariant.self).available == 4)

            let started = try await admin.json("admin import \(feed.path) --no-wait", as: CatalogImport.self)
            let ended = try await admin.pouch("admin import show \(started.id) --json")
            #expect(try CatalogImport(json: ended.output).unchanged == 1)
            try await admin.fails("admin import show imp_nothing", 2)

            let wrong = try folder.file("wrong.csv", containing: "Handle,Title,Variant Price\ncap,Cap,dear\n")
            let none = try await admin.pouch("admin import \(wrong.path)")
            #expect(none.status == 1 && none.output.contains("No product was imported."), "\(none.errors)")
            #expect(!none.output.contains("published"))
            let letter = try folder.file("letter.csv", containing: "Dear shop,\nhello\n")
            try await admin.fails("admin import \(letter.path)", 3)
            let nameless = try folder.file("feed", containing: "")
            try await admin.fails("admin import \(nameless.path)", 64, saying: "--format shopify-csv")
        }
    }

    @Test func `Stock is set and adjusted, and never falls below zero`() async throws {
        try await withOwner { admin, _ in
            let stock = "admin stock wool-scarf"
            #expect(try await admin.json("\(stock) --set 7", as: ManagedVariant.self).available == 7)
            #expect(try await admin.succeeds("\(stock) --adjust -3").output == "wool-scarf\t42.99 EUR\t4\t4\t0\n")
            for adjust in ["--adjust=-1", "--adjust 1"] { try await admin.succeeds("\(stock) \(adjust)") }
            for set in ["--set -1", "--set=-1"] {
                try await admin.fails("\(stock) \(set)", 64, saying: "is invalid for '--set")
            }
            try await admin.fails("\(stock) --adjust -5", 3, saying: "Only 4 available;")
            try await admin.fails("admin stock nothing --set 1", 2)
        }
    }

    @Test func `A price is set permanently or for a time`() async throws {
        try await withOwner { admin, _ in
            let set = try await admin.json("admin price wool-scarf 39.50", as: ManagedVariant.self)
            #expect(set.price == Money(3950, .eur))
            let price = try await admin.json(
                "admin price wool-scarf 35 --from 2031-12-01T00:00:00Z --until 2031-12-24T12:30:00Z",
                as: ScheduledPrice.self)
            #expect(price.price == Money(3500, .eur) && price.sku == "wool-scarf")
            #expect(price.endsAt.timeIntervalSince(price.startsAt) == 23 * 86_400 + 45_000)
            let list = try await admin.succeeds("admin price list")
            #expect(list.output.hasPrefix("\(price.id)\twool-scarf\t35.00 EUR\t20"))
            try await admin.succeeds("admin price remove \(price.id)")
            try await admin.fails("admin price remove \(price.id)", 2, saying: "pouch admin price list")
            #expect(try await admin.pouch("admin price list").output == "There are no scheduled prices.\n")
        }
    }

    /// The second day is the one on which the clocks of Berlin are put forward.
    @Test(arguments: [
        ("2031-12-01", "2031-12-24", "2031-11-30T23:00:00Z", "2031-12-24T23:00:00Z"),
        ("2031-03-30", "2031-03-30", "2031-03-29T23:00:00Z", "2031-03-30T22:00:00Z"),
        ("2031-05-01T09:30", "2031-05-01T10:00:00Z", "2031-05-01T07:30:00Z", "2031-05-01T10:00:00Z"),
    ])
    func `Days are those of the shop, wherever the merchant is, and the last one counts`(
        from: String, until: String, start: String, end: String
    ) async throws {
        let settings = ShopSettings(
            currency: .eur, country: "DE", timeZone: try #require(TimeZone(identifier: "Europe/Berlin")),
            shipping: ShopSettings.standard().shipping)
        try await withOwner(settings: settings) { admin, _ in
            for command in ["price wool-scarf 35", "season set s S"] {
                let made = try await admin.pouch(
                    "admin \(command) --from \(from) --until \(until) --json", environment: ["TZ": "America/New_York"])
                #expect(made.output.contains(start.dropLast()) && made.output.contains(end.dropLast()), "\(made)")
            }
        }
    }

    @Test func `Discount codes are added, changed by their code, and removed`() async throws {
        try await withOwner { admin, _ in
            let discount = try await admin.json(
                "admin discount add summer --percent 12.5 --minimum 50 --category scarves --limit 100 "
                    + "--until 2031-09-01",
                as: ManagedDiscount.self)
            #expect(discount.terms.code == "SUMMER" && discount.terms.basisPoints == 1250)
            #expect(discount.terms.minimum == Money(5000, .eur) && discount.terms.categories == ["scarves"])
            let terms = try await admin.json(
                "admin discount change Summer --amount 5 --without limit --without until --limit-per-account 1",
                as: ManagedDiscount.self
            ).terms
            #expect(terms.kind == .amount && terms.amount == Money(500, .eur) && terms.basisPoints == nil)
            #expect(terms.limit == nil && terms.endsAt == nil && terms.limitPerAccount == 1)
            #expect(terms.minimum == Money(5000, .eur))
            try await admin.succeeds("admin discount list", printing: "SUMMER\t5.00 EUR\t")
            try await admin.fails("admin discount add SUMMER --free-shipping", 3, saying: "code")
            #expect(try await admin.pouch("admin discount remove summer").output == "Removed SUMMER.\n")
            try await admin.fails("admin discount remove summer", 2)
        }
    }

    @Test func `Orders are listed, marked as shipped and marked as delivered`() async throws {
        try await withOwner { admin, shop in
            let order = try await Shopper(at: shop.url).buys("wool-scarf")
            let paid = try await admin.succeeds("admin orders --status paid", printing: order.id, "a@example.com")
            #expect(try await admin.pouch("admin orders --unsent").output == paid.output)
            try await admin.fails("admin deliver \(order.id)", 3, saying: "has not been sent yet")
            try await admin.succeeds("admin fulfil \(order.id)", printing: "on its way")
            for choice in ["--status paid", "--unsent"] {
                #expect(try await admin.pouch("admin orders \(choice)").output == "No matching orders.\n")
            }
            // The word that the list prints, and that of --json.
            for status in ["'on its way'", "fulfilled"] {
                try await admin.succeeds("admin orders --status \(status)", printing: order.id, "\ton its way\t")
            }
            #expect(try await admin.json("admin deliver \(order.id)", as: Order.self).status == .delivered)
            try await admin.fails("admin fulfil ord_nothing", 2)
        }
    }

    @Test func `A refund covers units, an amount or the rest, and is made once for its key`() async throws {
        try await withOwner { admin, shop in
            let ann = try Shopper(at: shop.url)
            let order = try await ann.buys("wool-scarf", "--quantity 3")
            let command = "admin refund \(order.id) --reason late"
            let refund = try await admin.json(
                "admin refund \(order.id) --line wool-scarf --reason 'a hole'", as: Refund.self)
            #expect(refund.amount == Money(4299, .eur) && refund.status == .succeeded && refund.reason == "a hole")
            let refused = try await admin.fails(
                "admin refund \(order.id) --all --reason ' '", 3, saying: "eason must have 1 to 2000")
            #expect(!refused.errors.contains("not known"))
            let first = try await admin.succeeds("\(command) --amount 10 --key k")
            #expect(first.output.hasPrefix("10.00 EUR was refunded."))
            #expect(try await admin.pouch("\(command) --amount 10 --key k").output == first.output)
            try await admin.fails("\(command) --amount 11 --key k", 3)
            try await admin.succeeds("admin orders", printing: "52.99")

            try await admin.fails("\(command) --amount 80.89", 3, saying: "Only 80.88 EUR is left")
            #expect(try await admin.json("\(command) --all", as: Refund.self).amount == Money(8088, .eur))
            try await ann.succeeds("order \(order.id)", printing: "Refunded: 133.87", "partly refunded")
            try await admin.fails("\(command) --all", 3)
            try await admin.fails("admin refund ord_nothing --all --reason late", 2, saying: "pouch admin orders")
        }
    }

    @Test func `A code is applied and removed; discount and tax are below the cart and the order`() async throws {
        let settings = ShopSettings(
            currency: .eur, country: "AU",
            taxes: TaxSettings(
                pricesIncludeTax: false, rounding: .perLine,
                regions: [TaxRegion(territory: .everywhere, standardRate: 1000, shipping: .untaxed)]),
            shipping: ShopSettings.standard().shipping)
        try await withOwner(settings: settings) { admin, shop in
            let ann = try Shopper(at: shop.url)
            for terms in ["ten --percent 10", "once --amount 5 --limit 1"] {
                try await admin.succeeds("admin discount add \(terms)")
            }
            let plain = try await ann.succeeds("cart add ribbed-cardigan-s", printing: "Tax\t12.90")
            #expect(!plain.output.contains("Discount"))
            for code in ["nothing", "'no code'"] {
                try await ann.fails("cart discount \(code)", 3, saying: "The discount code is not valid.")
            }
            for options in ["", "ten --remove"] { try await ann.fails("cart discount \(options)", 64) }
            try await ann.succeeds(
                "cart discount ten", printing: "Discount TEN\t-12.90", "Tax\t11.61", "Total\t127.71 EUR")
            #expect(try await !ann.succeeds("cart discount --remove").output.contains("Discount"))

            try await ann.succeeds("cart discount ten")
            try await ann.succeeds(
                "checkout --card tok_ok --email a@example.com \(Shopper.address)",
                printing: "Discount\t-12.90", "Tax\t11.61", "Total\t132.61 EUR")
            let buy = "buy wool-scarf --card tok_ok --email a@example.com --discount once \(Shopper.address)"
            try await ann.succeeds(buy, printing: "Discount\t-5.00")
            try await ann.fails(buy, 3, saying: "used up")
        }
    }

    @Test func `Without the permission, a command says how to sign in`() async throws {
        try await withShopper { ann, _ in
            try await ann.fails("admin orders", 4, saying: "pouch sign-in")
            try await ann.succeeds("cart add wool-scarf")
            try await ann.fails("admin orders", 4, saying: "orders:read", "pouch sign-in")
            try await ann.signUp()
            for (command, permission) in [
                ("orders", "orders:read"), ("stock wool-scarf --set 5", "catalog:write"), ("discount", "catalog:read"),
            ] { try await ann.fails("admin \(command)", 4, saying: "You do not have permission", permission) }
        }
    }

    @Test(arguments: [
        "stock wool-scarf", "stock wool-scarf --set 1 --adjust 1", "price wool-scarf 5 --from 2031-01-01",
        "price wool-scarf 5 --from soon", "price wool-scarf 5 --from 2031-02-30 --until 2032-01-01",
        "orders --status unrecognised", "orders --limit 0", "orders --all --page 2",
        "orders --from 2031-01-02 --until 2031-01-01", "fulfil P-1 --carrier DHL", "order track P-1",
        "order track P-1 --carrier DHL --tracking 1 --tracking-url http://example.com", "discount add TEN",
        "discount add TEN --percent 101", "discount add TEN --percent 5 --free-shipping", "discount add TEN --buy 2",
        "discount change TEN --without code", "refund ord_1 --reason late", "refund ord_1 --all",
        "refund ord_1 --all --amount 5 --reason late", "refund ord_1 --line a=0 --reason late",
        "import /nonexistent/feed.csv", "import --format tea-leaves feed.csv", "product edit wool-scarf",
        "product variant edit wool-scarf wool-scarf", "discount change TEN", "webhook change whk_1",
        "key create --name till --scope orders:read --expires 2020-01-01",
    ])
    func `An invalid command is refused before anything is sent`(command: String) async throws {
        try await Shopper(at: nowhere()).fails("admin \(command)", 64)
    }

    @Test func `An amount that is invalid in the currency is refused`() async throws {
        try await withOwner { admin, _ in
            for amount in ["5.001", "five", "5,00"] {
                try await admin.fails("admin price wool-scarf \(amount)", 64, saying: "EUR")
            }
            try await admin.fails(
                "admin refund P-1 --amount -5 --reason late", 64, saying: "-5 is not an amount in EUR.")
            for command in ["add Cap", "variant add wool-scarf"] {
                try await admin.fails(
                    "admin product \(command) --price 5 --stock -1", 64, saying: "'-1' is invalid for '--stock")
            }
        }
    }

    @Test(arguments: [
        "import", "stock", "price", "orders", "order", "fulfil", "deliver", "refund", "customer", "sales", "discount",
    ])
    func `Every command has help`(command: String) async throws {
        try await Shopper(at: nowhere()).succeeds("admin \(command) --help", printing: "OVERVIEW:")
    }
}
