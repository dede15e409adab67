import ServerTesting
import Testing

@testable import PouchDomain

extension Caller {
    func addProduct(_ terms: ProductTerms) async throws -> Answered<ManagedProduct> {
        try await call(Contract.addProduct, terms)
    }

    func product(_ key: String) async throws -> ManagedProduct {
        try await call(Contract.managedProduct, path: ["id": key]).good()
    }

    @discardableResult
    func change(
        product key: String, ifMatch version: Int? = nil, _ change: (inout ProductPatch) -> Void
    ) async throws -> Answered<ManagedProduct> {
        var patch = ProductPatch.empty
        change(&patch)
        return try await call(
            Contract.updateProduct, patch, path: ["id": key],
            headers: version.map { [HeaderName.ifMatch: "\"\($0)\""] } ?? [:])
    }
}

extension VariantTerms {
    static func size(_ size: String, sku: String? = nil, price: Int64 = 2900, stock: Int? = 5) -> VariantTerms {
        VariantTerms(sku: sku, options: ["Size": size], price: Money(price, .eur), stock: stock)
    }

    static func priced(_ price: Int64, sku: String? = nil, stock: Int? = nil) -> VariantTerms {
        VariantTerms(sku: sku, price: Money(price, .eur), stock: stock)
    }
}

extension TestShop {
    /// Lets the catalogue be read again.
    func readAgain() async throws { try await services.catalog.check() }
}

@Suite("Administration of products", .inShop())
struct ProductAdministrationTests {
    private let shop = TestShop.current
    private let admin: Caller
    private let guest: Caller

    init() async throws { (admin, guest) = (try await shop.admin(), try await shop.guest()) }

    @Test func `The first product without a category makes one, which customers see by its name`() async throws {
        // Every process has read the catalogue without that category.
        try await shop.anyone.call(Contract.categories).good()
        let product = try await admin.addProduct(
            ProductTerms(name: "Blanket", status: .published, variants: [.size("M")])
        ).good()
        try await shop.readAgain()
        let categories = try await shop.anyone.call(Contract.categories).good().items
        let own = try #require(categories.first { $0.id == product.details.category })
        #expect(own.name == "Uncategorised" && own.productCount == 1)
    }

    @Test func `A product is created as a draft, published, sold, edited and withdrawn`() async throws {
        let made = try await admin.addProduct(
            ProductTerms(
                name: "  Ribbed   jumper ", description: "Warm.\n\n\nVery.", category: "hats",
                tags: ["wool", "wool"], variants: [.size("M"), .size("S")]))
        let draft = try made.good()
        #expect(made.etag == "\"1\"" && draft.version == 1 && draft.status == .draft)
        #expect(draft.handle == "ribbed-jumper" && draft.name == "Ribbed jumper")
        #expect(draft.details.description == "Warm.\n\nVery." && draft.details.tags == ["wool"])
        #expect(draft.details.options == [ProductOption(name: "Size", values: ["M", "S"])])
        #expect(draft.variants.map(\.sku) == ["ribbed-jumper-m", "ribbed-jumper-s"])
        #expect(draft.variants.allSatisfy { $0.available == 5 && $0.onHand == 5 && $0.held == 0 })
        try await shop.readAgain()
        try await shop.anyone.call(Contract.product, path: ["handle": draft.handle]).problem(.notFound)
        let listed = try await shop.anyone.call(Contract.products, query: "limit=50").good()
        #expect(listed.nextCursor == nil && listed.items.allSatisfy { $0.id != draft.id })
        let refusal = try await guest.add("ribbed-jumper-s").problem(.notForSale)
        #expect(refusal.lines == [StockShortfall(sku: "ribbed-jumper-s", available: 0)])

        let published = try await admin.change(product: draft.id) { $0.status = .published }.good()
        #expect(published.status == .published && published.version == 2)
        try await shop.readAgain()
        let seen = try await shop.anyone.call(Contract.product, path: ["handle": draft.handle]).good()
        #expect(seen.price == Money(2900, .eur) && seen.variants.map(\.available) == [5, 5])
        let order = try await guest.order("ribbed-jumper-s", 2)
        let sold = try await admin.product("ribbed-jumper")
        #expect(sold.variants[1].available == 3 && sold.version == 2)

        let edited = try await admin.change(product: draft.id) { ($0.name, $0.description) = ("Cable jumper", .clear) }
            .good()
        #expect(edited.name == "Cable jumper" && edited.details.description == nil && edited.version == 3)
        #expect(edited.handle == "ribbed-jumper" && edited.variants == sold.variants)
        try await admin.change(product: draft.id) { $0.status = .withdrawn }.good()
        try await admin.change(product: draft.id) { $0.status = .archived }.good()
        try await shop.readAgain()
        try await shop.anyone.call(Contract.product, path: ["handle": draft.handle]).problem(.notFound)
        // It stays on old orders.
        #expect(try await guest.order(id: order.id).lines.map(\.name) == ["Ribbed jumper"])
        #expect(
            try await shop.events(of: draft.id).map(\.type) == [
                .productCreated, .productPublished, .productUpdated, .productWithdrawn, .productArchived,
            ])
    }

    @Test func `Of two concurrent edits of one version one is refused with 412`() async throws {
        let cap = try await admin.product("cap")
        let statuses = try await parallel(8) { number in
            try await admin.change(product: cap.id, ifMatch: cap.version) { $0.name = "Cap \(number)" }.status
        }
        #expect(statuses.filter { $0 == 200 }.count == 1 && statuses.filter { $0 == 412 }.count == 7)
        #expect(try await admin.product("cap").version == cap.version + 1)
        // Without the header the later edit wins, and each counts.
        _ = try await parallel(4) { number in
            try await admin.change(product: cap.id) { $0.name = "Cap \(number)" }.good()
        }
        let after = try await admin.product("cap")
        #expect((cap.version + 2...cap.version + 5).contains(after.version))
    }

    @Test func `An edit that changes nothing keeps the version and appends no event`() async throws {
        let cap = try await admin.product("cap")
        let version = try await shop.store.read { try $0.catalog.version() }
        #expect(try await admin.change(product: "cap") { $0.name = cap.name }.good() == cap)
        #expect(try await shop.store.read { try $0.catalog.version() } == version)
        #expect(try await shop.events(of: cap.id).map(\.type) == [])
    }

    @Test func `A handle or SKU of another product is refused, and a derived handle gets a number`() async throws {
        try await admin.addProduct(ProductTerms(name: "Cap", handle: "cap")).problem(.handleTaken)
        let sku = ProductTerms(name: "Other", variants: [.priced(100, sku: "scarf-s")])
        try await admin.addProduct(sku).problem(.skuTaken)
        let second = try await admin.addProduct(ProductTerms(name: "Cap", variants: [.priced(100)])).good()
        #expect(second.handle == "cap-2" && second.variants.map(\.sku) == ["cap-2"])
        try await admin.change(product: second.id) { $0.handle = "scarf" }.problem(.handleTaken)
        let numbers = try await parallel(6) { _ in
            try await admin.addProduct(ProductTerms(name: "Twin", handle: "twin", variants: [.priced(100)])).status
        }
        #expect(numbers.filter { $0 == 201 }.count == 1 && numbers.filter { $0 == 409 }.count == 5)
    }

    @Test func `Fields out of their bounds are refused by name`() async throws {
        let price = Money(100, .eur)
        let cases: [(ProductTerms, String)] = [
            (ProductTerms(name: " "), "name"),
            (ProductTerms(name: String(repeating: "x", count: 256)), "name"),
            (ProductTerms(name: "A", handle: "Not a handle"), "handle"),
            (ProductTerms(name: "A", category: "nosuch"), "category"),
            (ProductTerms(name: "A", seasonId: "nosuch"), "seasonId"),
            (ProductTerms(name: "A", themeId: "nosuch"), "themeId"),
            (ProductTerms(name: "A", tags: ["a,b"]), "tags.0"),
            (ProductTerms(name: "A", images: [ProductImage(url: "javascript:alert(1)", alt: "")]), "images.0.url"),
            (ProductTerms(name: "A", images: [ProductImage(url: "/assets/nosuch.png", alt: "")]), "images"),
            (ProductTerms(name: "A", status: .published), "variants"),
            (ProductTerms(name: "A", publishAt: shop.clock.now.addingTimeInterval(60)), "variants"),
            (ProductTerms(name: "A", variants: [.size("S"), .size("S")]), "variants.1.options"),
            (ProductTerms(name: "A", variants: [.size("S"), .priced(100, sku: "x")]), "variants.1.options"),
            (ProductTerms(name: "A", variants: [.priced(-1)]), "variants.0.price.amount"),
            (
                ProductTerms(name: "A", variants: [VariantTerms(price: price, compareAtPrice: price)]),
                "variants.0.compareAtPrice"
            ),
            (ProductTerms(name: "A", variants: [.priced(100, stock: -1)]), "variants.0.stock"),
        ]
        for (terms, field) in cases {
            let problem = try await admin.addProduct(terms).problem(.validationFailed)
            #expect(problem.problem.errors?.map(\.field).contains(field) == true, "\(field): \(problem)")
        }
        let stock = try await admin.change(product: "cap") { $0.variants = [.priced(100, sku: "cap", stock: 3)] }
            .problem(.validationFailed)
        #expect(stock.problem.errors?.map(\.field) == ["variants.0.stock"])
    }

    @Test func `Variants are added, changed and removed, and one that is added again has its stock`() async throws {
        try await guest.add("scarf-m").good()
        let scarf = try await admin.product("scarf")
        var variants = scarf.variants.map(VariantTerms.init).filter { $0.sku != "scarf-m" }
        variants[0].price = Money(3100, .eur)
        let terms = variants + [.size("L", price: 3200, stock: 7)]
        let changed = try await admin.change(product: "scarf", ifMatch: scarf.version) { $0.variants = terms }.good()
        #expect(changed.variants.map(\.sku) == ["scarf-s", "scarf-l"])
        #expect(changed.details.options == [ProductOption(name: "Size", values: ["S", "L"])])
        try await shop.readAgain()
        let seen = try await shop.anyone.call(Contract.product, path: ["handle": "scarf"]).good()
        #expect(seen.variants.map(\.price.amount) == [3100, 3200] && seen.variants.map(\.available) == [5, 7])
        let cart = try await guest.cart()
        #expect(cart.lines == [] && cart.changes == [.quantity(sku: "scarf-m", .removed, from: 1, to: 0)])
        try await guest.add("scarf-m").problem(.notForSale)
        try await admin.change("scarf-m", price: 1).problem(.unknownSKU)
        // Its SKU stays with the product.
        let other = ProductTerms(name: "Thief", variants: [.priced(1, sku: "scarf-m")])
        try await admin.addProduct(other).problem(.skuTaken)
        let all = changed.variants.map(VariantTerms.init) + [.size("M", sku: "scarf-m", price: 2500, stock: nil)]
        let back = try await admin.change(product: "scarf") { $0.variants = all }.good()
        #expect(back.variants.map(\.available) == [5, 7, 2])
        #expect(try await guest.cart().lines.map(\.sku) == ["scarf-m"])
    }

    @Test func `A variant that is removed while a pending order holds it is sold to that order`() async throws {
        try await guest.fillCart("scarf-m", 2)
        let pending = try await guest.checkout("tok_lost").good()
        #expect(pending.status == .pending)
        #expect(try await admin.product("scarf").variants[1].held == 2)
        try await admin.change(product: "scarf") { $0.variants = [.size("S", sku: "scarf-s", price: 2500, stock: nil)] }
            .good()
        shop.clock.advance(by: OrderSettlement.gracePeriod)
        try await eventually { try await guest.order(id: pending.id).status == .paid }
        let order = try await guest.order(id: pending.id)
        #expect(order.lines.map(\.sku) == ["scarf-m"])
        #expect(try await shop.units("scarf-m") == [0, 0])
        // A cancelled order puts its units back although the variant is gone.
        try await guest.cancel(order.id).good()
        #expect(try await shop.units("scarf-m") == [2, 0])
    }

    @Test func `The list has every status, is searched and filtered, and pages without gaps`() async throws {
        for number in 0..<5 { try await admin.addProduct(ProductTerms(name: "Draft 10\(number)%_")).good() }
        try await admin.change(product: "gloves") { $0.status = .withdrawn }.good()
        let all = try await admin.pages(Contract.managedProducts, limit: 3).joined()
        #expect(all.count == 8 && Set(all.map(\.id)).count == 8)
        #expect(all.map(\.id) == all.map(\.id).sorted(by: >))
        func handles(_ query: String) async throws -> [String] {
            try await admin.call(Contract.managedProducts, query: query).good().items.map(\.handle).sorted()
        }
        #expect(try await handles("status=draft").count == 5)
        #expect(try await handles("status=withdrawn") == ["gloves"])
        #expect(try await handles("status=published") == ["cap", "scarf"])
        #expect(try await handles("q=SCARF-M") == ["scarf"])
        #expect(try await handles("q=loV") == ["gloves"])
        // The characters of LIKE are taken as they are.
        #expect(try await handles("q=3%25_") == ["draft-103"])
        #expect(try await handles("q=_ap") == [])
        // Letters beyond ASCII, which a database may not know in upper and lower case.
        for number in 0..<3 {
            let (name, variant) = ("Überwurf \(number)", VariantTerms.priced(100, sku: "ÖL-\(number)"))
            try await admin.addProduct(ProductTerms(name: name, handle: "throw-\(number)", variants: [variant])).good()
        }
        for text in ["überwurf", "ÜBERWURF", "Überwurf", "öl-"] {
            let query = try #require(text.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
            #expect(try await handles("q=" + query) == ["throw-0", "throw-1", "throw-2"], "\(text)")
            #expect(try await handles("limit=2&q=" + query).count == 2, "\(text)")
        }
        #expect(try await handles("q=%C3%BCbertopf") == [])
        #expect(try await handles("category=hats&status=published") == ["cap"])
        try await admin.call(Contract.managedProducts, query: "status=nosuch").problem(.invalidQuery)
    }
}
