import ServerTesting
import Testing

@testable import PouchDomain

@Suite("Products in the administration", .inShop(), .timeLimit(.minutes(5)))
struct AdminProductPageTests {
    private static let hat: [String: String?] = [
        "name": "Wool hat", "description": "Warm & <dry>", "materials": "wool\ncotton", "tags": "winter\n\nwarm",
        "options.0.name": "Size", "options.0.values": "M\nS", "variants.0.options.0": "S", "variants.0.price": "49.90",
        "variants.0.compareAtPrice": "59,90", "variants.0.weightGrams": "120", "variants.0.stock": "3",
        "variants.1.options.0": "M", "variants.1.sku": "hat-m", "variants.1.price": "51", "variants.1.stock": "0",
    ]

    private let shop = TestShop.current
    private let owner: WebVisitor

    init() async throws {
        owner = try await shop.member(.owner)
    }

    private func make(
        by visitor: WebVisitor? = nil, _ values: [String: String?] = [:], status: String = "published"
    ) async throws -> WebPage {
        let values = Self.hat.merging(values) { $1 }.merging(["status": status]) { own, _ in own }
        return try await (visitor ?? owner).submit(at: "/admin/products/new", action: "/admin/products", values)
    }

    private func address(_ key: String) async throws -> String { "/admin/products/\(try await shop.stored(key).id)" }

    @Test func `A product goes from the form to its page in the shop, and can be bought at once`() async throws {
        let page = try await make(by: try await shop.member(.manager))
        #expect(page.status == 200 && page.heading == "Wool hat" && page.words.contains("“Wool hat” was published."))
        let product = try await shop.stored("wool-hat")
        #expect(page.location == "/admin/products/\(product.id)")
        #expect(product.details.options == [ProductOption(name: "Size", values: ["M", "S"])])
        #expect(product.details.tags == ["winter", "warm"] && product.details.materials == ["wool", "cotton"])
        #expect(product.variants.map(\.sku) == ["wool-hat-s", "hat-m"])
        #expect(product.variants.map(\.price.amount) == [4_990, 5_100])
        #expect(product.variants.map(\.compareAtPrice?.amount) == [5_990, nil])
        #expect(product.variants.map(\.weightGrams) == [120, nil] && product.variants.map(\.onHand) == [3, 0])
        try await shop.readAgain()
        let buyer = WebVisitor(shop)
        let shown = try await buyer.open("/product/wool-hat")
        #expect(shown.heading == "Wool hat" && shown.words.contains("Warm & <dry>"))
        #expect(try await buyer.add("wool-hat", 2, sku: "wool-hat-s").words.contains("€99.80"))
    }

    @Test func `Each cell of a variant has a label, also in an added row`() async throws {
        let page = try await make()
        let labels = page.attributes(of: "td").compactMap { $0["data-label"] }
        let row = ["Size", "Option 2", "SKU", "Price", "Compare-at price", "Grams", "Stock", "Remove"]
        #expect(labels.prefix(row.count).elementsEqual(row) && labels.suffix(row.count).elementsEqual(row))
        #expect(labels.count == page.attributes(of: "td").count { $0["colspan"] == nil })
    }

    @Test func `A form sent twice is one request; if only a value ends elsewhere, it is another`() async throws {
        let token = try #require(try await owner.get("/admin/products/new").fields(of: "/admin/products")["csrf"])
        let common = [("csrf", token), ("key", "k"), ("name", "Wool hat"), ("status", "draft")]
        let whole = [("description", "Warm\ncareInstructions\nWash")]
        for fields in [whole, whole, [("description", "Warm"), ("careInstructions", "Wash")]] {
            let page = try await owner.post("/admin/products", (common + fields).map { (name: $0.0, value: $0.1) })
            #expect(page.status == 303)
        }
        #expect(try await shop.rows("SELECT id FROM products WHERE handle LIKE 'wool-hat%'").count == 2)
    }

    @Test func `Errors are at their rows, and everything typed is still there`() async throws {
        let page = try await make(["variants.0.remove:flag": "true", "variants.1.price": "cheap"])
        #expect(page.status == 422)
        // The first row is taken away, so that the second is the first that counts.
        let fields = page.fields(of: "/admin/products")
        #expect(fields["variants.0.price?:money"] == "cheap" && fields["variants.0.sku?"] == "hat-m")
        #expect(fields["description!"] == "Warm & <dry>" && fields["status"] == "published")
        #expect(page.words.contains("Variant 1 (M): Enter a price such as 49.90."))
        let ids = Set(page.attributes(of: "input").compactMap { $0["id"] })
        for link in page.links where link.hasPrefix("#f-") { #expect(ids.contains(String(link.dropFirst()))) }
        #expect(page.links.contains("#f-variants-0-price"))
        #expect(try await owner.submit(page, action: "/admin/products", ["variants.0.price": "51"]).status == 200)
        #expect(try await shop.stored("wool-hat").variants.map(\.sku) == ["hat-m"])
    }

    @Test func `Too many rows of a product are refused, and one more than allowed is shown again`() async throws {
        func send(_ list: String, _ count: Int, _ field: String) async throws -> WebPage {
            let rows = (0..<count).map { (name: "\(list).\($0).\(field)", value: "value \($0)") }
            return try await owner.forge("/admin/products", [("name", "Hat")] + rows)
        }
        let options = try await send("options", 500, "name")
        #expect(options.status == 422 && options.words.contains("Option 4") && !options.words.contains("Option 5"))
        for (list, limit, field) in [
            ("images", ModelLimits.productImages, "url"), ("variants", ModelLimits.productVariants, "sku"),
        ] {
            let page = try await send(list, limit + 50, field)
            #expect(page.status == 422)
            let shown = page.attributes(of: "input").count { $0["value"]?.hasPrefix("value ") == true }
            #expect(shown == limit + 1, "\(list)")
        }
        #expect(try await shop.rows("SELECT id FROM products WHERE name = 'Hat'").isEmpty)
    }

    @Test func `Broken rules of the shop are named at their fields`() async throws {
        let cases: [([String: String?], String, String)] = [
            (["handle": "cap"], "#f-handle", "handle"), (["name": ""], "#f-name", "Name must have"),
            (["variants.0.compareAtPrice": "1"], "#f-variants-0-compareAtPrice", "compare-at price must be"),
            (["variants.1.options.0": ""], "#f-variants-1-options-0", "a value for each of: Size"),
            (["tags": "a,b"], "#f-tags", "must not contain a comma"),
            (["publishAt": "2030-01-01T09:00"], "#f-publishAt", "cannot have a time of publication"),
        ]
        for (values, link, text) in cases {
            let page = try await make(values)
            #expect([409, 422].contains(page.status), "\(link)")
            #expect(page.links.contains(link) && page.words.contains(text), "\(link)")
        }
    }

    @Test func `Values without variants create no product, and the form says what is missing`() async throws {
        let page = try await owner.submit(
            at: "/admin/products/new", action: "/admin/products",
            ["name": "Wool hat", "status": "draft", "options.1.name": "Size", "options.1.values": "S\nM"])
        #expect(page.status == 422 && page.words.contains("These values have no variants yet."))
        #expect(page.links.contains("#f-options-0-values"))
        #expect(try await shop.rows("SELECT id FROM products WHERE handle LIKE 'wool-hat%'").isEmpty)
        let made = try await owner.submit(
            page, action: "/admin/products", ["options.0.values": "", "options.0.name": ""])
        #expect(made.status == 200 && made.heading == "Wool hat")
    }

    @Test func `An option value without a variant is refused, and one is removed with its last variant`() async throws {
        let page = try await make()
        let path = try #require(page.location)
        let renamed = try await owner.submit(page, action: path, ["options.0.values": "Medium\nS"])
        #expect(renamed.status == 422 && renamed.links.contains("#f-options-0-values"))
        #expect(renamed.words.contains("No variant has the value “Medium”."))
        #expect(renamed.fields(of: path)["options.0.values:lines"] == "Medium\nS")
        #expect(try await owner.submit(page, action: path, ["variants.1.remove": "true"]).status == 200)
        #expect(try await shop.stored("wool-hat").details.options.map(\.values) == [["S"]])
    }

    @Test func `An edit sends only changed fields, so all others keep their exact values`() async throws {
        let admin = try await shop.admin()
        let before = try await admin.change(product: "scarf") {
            $0.withdrawAt = .set(Date(timeIntervalSince1970: 4_000_000_000.25))
            $0.careInstructions = .set("Wash\n\nby hand")
        }.good()
        let address = "/admin/products/\(before.id)"
        let page = try await owner.submit(at: address, ["name": "Long scarf", "tags": ""])
        #expect(page.status == 200 && page.words.contains("“Long scarf” was saved."))
        let after = try await shop.stored(before.id)
        #expect(after.name == "Long scarf" && after.details.tags == [] && after.version == before.version + 1)
        #expect(after.state == before.state && after.variants == before.variants)
        #expect(after.details.careInstructions == before.details.careInstructions)
        let entries = try await admin.call(Contract.auditLog, query: "object=/v1\(address)").good().items
        let entry = try #require(entries.first)
        #expect(Set(entry.values?.object?.keys.map { $0 } ?? []) == ["name", "tags"])
    }

    @Test func `Two members who edit one product choose between their values`() async throws {
        let manager = try await shop.member(.manager)
        let address = try await address("cap")
        let (first, second) = (try await owner.get(address), try await manager.get(address))
        _ = try await manager.submit(
            second, action: address, ["name": "Sun cap", "styleCode": "S-1", "description": "Theirs"])
        let conflict = try await owner.submit(
            first, action: address, ["name": "Rain cap", "description": "Mine", "careInstructions": "Wash"])
        #expect(conflict.status == 412)
        for text in ["Rain cap", "Sun cap", "Mine", "Theirs", "S-1"] { #expect(conflict.words.contains(text)) }
        let fields = conflict.fields(of: address)
        // A field that only the other has changed is theirs at first, and one that only I have changed is mine.
        #expect(fields["take.name"] == "yours" && fields["take.styleCode"] == "theirs")
        #expect(fields["take.careInstructions"] == nil)
        let saved = try await owner.submit(conflict, action: address, ["take.name": "theirs"])
        #expect(saved.status == 200, "\(saved.words)")
        let product = try await shop.stored("cap")
        #expect(product.name == "Sun cap" && product.details.styleCode == "S-1")
        #expect(product.details.description == "Mine" && product.details.careInstructions == "Wash")
        // The old form is no way around it.
        #expect(try await owner.submit(first, action: address, ["name": "Old cap"]).status == 412)
    }

    @Test func `A product names the member who made its current version, unless an import made it`() async throws {
        let address = try await address("cap")
        #expect(try await owner.submit(at: address, ["name": "Sun cap"]).words.contains("Changed by Staff on"))
        // A form without a change has an entry in the audit log, too, but makes no version.
        _ = try await shop.admin().change(product: "cap") { $0.name = "Sun cap" }.good()
        #expect(try await owner.get(address).words.contains("Changed by Staff on"))
        try await shop.stock([.stocked("cap", name: "Rain cap", category: "Hats")])
        let page = try await owner.get(address)
        #expect(page.words.contains("Changed on") && !page.words.contains("Changed by"))
        try await shop.stock([.stocked("cap", name: "Snow cap", category: "Hats")])
        let conflict = try await owner.submit(page, action: address, ["name": "Sun cap"])
        #expect(conflict.status == 412)
        #expect(conflict.words.contains("This product was changed while you were editing it."))
    }

    @Test func `Another change during the choice shows the choice again`() async throws {
        let admin = try await shop.admin()
        let address = try await address("cap")
        let page = try await owner.get(address)
        _ = try await admin.change(product: "cap") { $0.name = "Second" }.good()
        let conflict = try await owner.submit(page, action: address, ["name": "First"])
        _ = try await admin.change(product: "cap") { $0.name = "Third" }.good()
        let again = try await owner.submit(conflict, action: address, ["take.name": "yours"])
        #expect(again.status == 412 && again.words.contains("Third") && again.words.contains("First"))
        #expect(try await owner.submit(again, action: address).status == 200)
        #expect(try await shop.stored("cap").name == "First")
    }

    @Test func `The price and the stock of one variant can be changed without the rest`() async throws {
        let address = try await address("scarf")
        let action = address + "/variants"
        let page = try await owner.submit(
            at: address, action: action, ["sku": "scarf-m", "price": "19.50", "adjust": "-1"])
        #expect(page.status == 200 && page.words.contains("€19.50"))
        let after = try await shop.stored("scarf")
        #expect(after.variants.map(\.available) == [5, 1] && after.variants.map(\.price.amount) == [2_500, 1_950])
        let refused = try await owner.submit(page, action: action, ["sku": "scarf-m", "adjust": "-2"])
        #expect(refused.status == 409 && refused.words.contains("Only 1 available;"))
    }

    @Test func `Buttons change the status, and only allowed changes are offered`() async throws {
        let address = try await address("cap")
        let page = try await owner.submit(at: address, action: address + "/status", ["status": "archived"])
        #expect(page.words.contains("“Cap” was archived."))
        let offered = page.forms.filter { $0.action == address + "/status" }.flatMap(\.controls).map(\.value)
        #expect(offered.contains("withdrawn") && !offered.contains("published"))
        try await shop.readAgain()
        #expect(try await WebVisitor(shop).get("/product/cap").status != 200)
    }

    @Test func `A change of several products names those that cannot change, and changes the others`() async throws {
        _ = try await make(status: "draft")
        let list = try await owner.get("/admin/products?q=a")
        func products() async throws -> [ManagedProduct] {
            try await [shop.stored("cap"), shop.stored("scarf"), shop.stored("wool-hat")]
        }
        let ids = try await products().map(\.id)
        var values: [String: String?] = ["status": "withdrawn"]
        for id in ids { values[try list.box("/admin/products/bulk", id)] = id }
        let page = try await owner.submit(list, action: "/admin/products/bulk", values)
        #expect(page.status == 409)
        #expect(
            page.words.contains("2 products were changed; 1 could not be changed:") && page.words.contains("Wool hat:"))
        #expect(page.links.contains("#f-\(ids[2])"))
        #expect(try await products().map(\.status) == [.withdrawn, .withdrawn, .draft])
    }

    @Test func `A change of several products can be undone, and they can be given one category`() async throws {
        let bulk = "/admin/products/bulk"
        var page = try await owner.get("/admin/products?status=published")
        let ids = try page.choices(of: bulk, "ids.")
        #expect(ids.count == 3)
        let chosen = Dictionary(uniqueKeysWithValues: ids.map { ($0.name, Optional($0.value)) })
        page = try await owner.submit(page, action: bulk, chosen.merging(["status": "withdrawn"]) { $1 })
        #expect(page.location == "/admin/products?status=published")
        #expect(page.words.contains("3 products were withdrawn."))
        page = try await owner.submit(page, action: bulk)
        #expect(page.words.contains("3 products were published."))
        page = try await owner.submit(page, action: bulk, chosen.merging(["category": "hats"]) { $1 })
        #expect(page.words.contains("3 products were moved."))
        #expect(try await shop.stored("scarf").details.category == "hats")
        #expect(try await owner.submit(page, action: bulk, ["status": "archived"]).status == 422)
        // A move without a category keeps what was chosen.
        page = try await owner.submit(page, action: bulk, chosen)
        #expect(page.status == 422 && page.words.contains("Choose a category first."))
        #expect(page.fields(of: bulk).filter { $0.key.hasPrefix("ids.") } == chosen.compactMapValues(\.self))
    }

    @Test func `Those who may only read see no forms, and cannot send them`() async throws {
        let reader = try await shop.member(.readOnly)
        let id = try await shop.stored("cap").id
        let pages = [
            "/admin/products": ">Move<", "/admin/products/\(id)": ">Save product<",
            "/admin/stock": "/admin/variants/cap", "/admin/categories": ">Add category<",
            "/admin/import": ">Upload file<", "/admin/front-page": ">Save front page<",
        ]
        for (address, button) in pages {
            let (page, whole) = (try await reader.get(address), try await owner.get(address))
            #expect(page.status == 200 && !page.text.contains(button), "\(address)")
            #expect(whole.status == 200 && whole.text.contains(button), "\(address)")
        }
        #expect(try await reader.get("/admin/products/new").status == 403)
        let before = try await shop.stored(id)
        let posts = [
            "/admin/products", "/admin/products/\(id)", "/admin/products/\(id)/status", "/admin/products/bulk",
            "/admin/products/\(id)/variants", "/admin/variants/cap", "/admin/categories", "/admin/categories/hats",
            "/admin/categories/hats/delete", "/admin/front-page",
        ]
        for address in posts {
            let answer = try await reader.forge(
                address,
                [
                    ("name", "Evil"), ("status", "archived"), ("ids.0", id), ("id", "evil"), ("sku", "cap"),
                    ("adjust:int", "1"),
                ])
            #expect(answer.status == 403, "\(address)")
        }
        #expect(try await shop.stored(id) == before)
    }
}
