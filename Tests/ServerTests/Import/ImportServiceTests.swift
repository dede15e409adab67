import ServerTesting
import Testing

@Suite("Imports", .inShop([]))
struct ImportServiceTests {
    private let shop = TestShop.current

    /// Stocks the shop, as it is before the import of a test.
    private func fill(_ products: [FeedProduct] = .usual) async throws {
        try await shop.stock(products)
        shop.clock.advance(by: 1)
    }

    private func product(_ handle: String) async throws -> Product {
        try await shop.anyone.call(Contract.product, path: ["handle": handle]).good()
    }

    private func catalogVersion() async throws -> Int64 { try await shop.store.read { try $0.catalog.version() } }

    @Test func `New products are created, changed ones updated, and equal ones left unchanged`() async throws {
        let first = try await shop.stock(.usual)
        #expect(first.counts == [3, 0, 0, 0])
        #expect(first.status == .published && first.products == 3 && first.variants == 4 && first.rows == 3)
        let version = try await catalogVersion()
        shop.clock.advance(by: 60)
        #expect(try await shop.stock(.usual).counts == [0, 0, 3, 0])
        #expect(try await catalogVersion() == version)
        let changed = [FeedProduct.stocked("cap", price: 1100, category: "Hats"), .stocked("hat")]
        #expect(try await shop.stock(changed).counts == [1, 1, 0, 0])
        #expect(try await catalogVersion() == version + 1)
        shop.clock.advance(by: 1)
        let products = try await shop.anyone.call(Contract.products, query: "sort=name").good().items
        #expect(products.map(\.handle) == ["cap", "gloves", "hat", "scarf"])
        #expect(products[0].price == Money(1100, .eur) && products[0].updatedAt > products[1].updatedAt)
    }

    @Test(.enabled(if: TestDatabase.isPostgres))
    func `An import updates the statistics of PostgreSQL's planner`() async throws {
        try await shop.stock((0..<500).map { .stocked("thing-\($0)") })
        let counted = try await shop.rows(
            "SELECT relname FROM pg_class WHERE relname IN ('products', 'variants', 'stock') AND reltuples = 500")
        #expect(counted.count == 3)
    }

    @Test func `Units sold since the last import are no change, and a different figure sets the stock`() async throws {
        try await fill([.stocked("cap", stock: 10)])
        try await shop.guest().buyNow("cap", 3, total: 3490).good()
        for (price, stock, updated, available) in [
            (1000, 10, 0, 7), (1100, 10, 1, 7), (1100, 12, 1, 12), (1100, nil, 0, 12),
        ] as [(Int64, Int?, Int, Int)] {
            let counts = try await shop.stock([.stocked("cap", price: price, stock: stock)]).counts
            #expect(counts == [0, updated, 1 - updated, 0])
            #expect(try await shop.available("cap") == available)
        }
    }

    @Test func `Units held by an order stay on hand when a feed lowers the stock`() async throws {
        try await fill([.stocked("cap", stock: 10)])
        #expect(try await shop.store.write { try $0.stock.hold(.one("cap", 4)) } == ["cap": 6])
        try await shop.stock([.stocked("cap", stock: 1)])
        #expect(try await shop.available("cap") == 0)
        try await shop.store.write { try $0.stock.sell(.one("cap", 4)) }
        #expect(try await shop.available("cap") == 0)
    }

    @Test func `Products, variants and fields that a feed does not name stay`() async throws {
        try await fill()
        try await fill([.sized("scarf", price: 2600, stock: [("S", 5)])])
        let scarf = try await product("scarf")
        #expect(scarf.variants.map(\.sku) == ["scarf-s", "scarf-m"])
        #expect(scarf.variants.map(\.price.amount) == [2600, 2500])
        #expect(scarf.options == [ProductOption(name: "Size", values: ["S", "M"])])
        #expect(scarf.tags == ["wool"] && scarf.category == "scarves")
        #expect(try await shop.anyone.call(Contract.products).good().items.count == 3)
    }

    @Test func `A dry run reports the same as the real import and changes nothing`() async throws {
        try await fill()
        let records: [FeedRecord] = [
            .season(Season(id: "71", name: "Spring")), .product(.stocked("hat", line: 2)),
            .product(.stocked("cap", price: 1100, stock: 3, category: "Hats")),
            .product(.stocked("thief", sku: "cap", line: 3)),
            .bad(FeedRowError(line: 4, field: "price", code: .invalid, detail: "“x” is not an amount.")),
        ]
        let before = try await contents()
        let dry = try await shop.feed(records, isDryRun: true)
        #expect(dry.status == .dryRun)
        #expect(try await contents() == before)
        let real = try await shop.feed(records)
        #expect(dry.counts == real.counts && dry.rows == real.rows && real.created == 2 && real.updated == 1)
        #expect(dry.errors == real.errors && dry.notes == real.notes && real.notes.count == 1)
        #expect(try await contents() != before)
    }

    /// Everything that an import can change, as sorted texts.
    private func contents() async throws -> [String] {
        try await shop.rows(
            """
            SELECT 'v' || version FROM catalog_version UNION ALL SELECT id || name FROM seasons
            UNION ALL SELECT id || name FROM categories UNION ALL SELECT id || name || updated_at FROM products
            UNION ALL SELECT sku || price || COALESCE(CAST(imported_stock AS TEXT), '') FROM variants
            UNION ALL SELECT sku || on_hand || held FROM stock
            UNION ALL SELECT import_id || position FROM import_records UNION ALL SELECT import_id || key FROM import_changes
            UNION ALL SELECT import_id || product_id FROM import_products
            """
        ).map { try $0.text(0) }.sorted()
    }

    @Test func `A variant with another product's SKU gets its own, and leaves that product alone`() async throws {
        try await fill()
        let mixed: [FeedVariant] = [
            .stocked("scarf-s", price: 1, options: ["Size": "S"]), .stocked("mixed-1", options: ["Size": "M"]),
        ]
        let report = try await shop.feed([
            .product(.stocked("thief", sku: "cap", price: 1, line: 7)),
            .product(FeedProduct(line: 9, handle: "mixed", name: "Mixed", variants: mixed)),
        ])
        #expect(report.notes.map(\.line) == [7, 9] && Set(report.notes.map(\.code)) == [.duplicateSKU])
        #expect(report.errors == [] && report.created == 2)
        shop.clock.advance(by: 1)
        #expect(try await product("thief").variants.map(\.sku) == ["cap-thief"])
        #expect(try await product("mixed").variants.map(\.sku) == ["scarf-s-mixed-s", "mixed-1"])
        #expect(try await product("cap").price == Money(1000, .eur))
    }

    /// A product with a style code and one variant, whose SKU is the style code.
    private func styled(_ style: String, _ handle: String = "scarf", price: Int64 = 1000) -> FeedProduct {
        FeedProduct(line: 1, handle: handle, styleCode: style, name: handle, variants: [.stocked(style, price: price)])
    }

    /// The prices of all products.
    private func prices() async throws -> [String: Int64] {
        shop.clock.advance(by: 1)
        let products = try await shop.anyone.call(Contract.products).good().items
        return Dictionary(uniqueKeysWithValues: products.map { ($0.handle, $0.price.amount) })
    }

    @Test func `Two styles with one name from two imports are two products`() async throws {
        try await fill([styled("A1")])
        let first = try await product("scarf")
        #expect(try await shop.stock([styled("B2", price: 2000)]).counts == [1, 0, 0, 0])
        #expect(try await prices() == ["scarf": 1000, "scarf-b2": 2000])
        #expect(try await product("scarf") == first)
        #expect(try await shop.stock([styled("B2", price: 2500)]).counts == [0, 1, 0, 0])
        #expect(try await prices() == ["scarf": 1000, "scarf-b2": 2500])
        #expect(try await shop.stock([styled("A1"), styled("B2", price: 2500)]).unchanged == 2)
    }

    @Test func `A style gets another handle when the one with its code is also taken`() async throws {
        try await fill([styled("A1"), .stocked("scarf-b2")])
        #expect(try await shop.stock([styled("B.2", price: 1)]).created == 1)
        #expect(try await shop.stock([styled("B2", price: 2), styled("B-2", price: 3)]).created == 2)
        let found = try await prices()
        #expect(found.count == 5 && found["scarf"] == 1000 && found["scarf-b2"] == 1000)
        #expect(Set(found.values) == [1000, 1, 2, 3])
    }

    @Test func `A product without a style code adopts the code of a feed with its handle`() async throws {
        try await fill([.stocked("scarf")])
        #expect(try await shop.stock([styled("A1", price: 2000)]).counts == [0, 1, 0, 0])
        #expect(try await shop.rows("SELECT handle, style_code FROM products").count == 1)
        #expect(try await shop.stock([styled("B2")]).created == 1)
    }

    @Test func `A feed that fails leaves the catalogue unchanged and nothing stored`() async throws {
        try await fill()
        let before = try await contents()
        let broken = FeedError.malformed(file: "x.csv", line: 3, detail: "it ends in the middle")
        let feed = ListedFeed((0..<500).map { .product(.stocked("new-\($0)")) }, failure: broken)
        await #expect(throws: broken) { try await ImportService(shop.environment, store: shop.store).run(feed) }
        #expect(try await contents() == before)
    }

    @Test func `The records of an abandoned import are deleted once its lease has expired`() async throws {
        try await shop.store.write { [now = shop.clock.now] repositories in
            try repositories.imports.create(ImportRecord(id: "imp_dead", isDryRun: false), at: now)
            try repositories.imports.stage(id: "imp_dead", records: [.product(.stocked("ghost"))], from: 0)
        }
        try await shop.stock([.stocked("hat")])
        #expect(try await shop.rows("SELECT 1 FROM import_records").count == 1)
        shop.clock.advance(by: 16 * 60)
        try await eventually {
            try await ImportService(shop.environment, store: shop.store).report(id: "imp_dead")?.status == .failed
        }
        #expect(try await shop.rows("SELECT 1 FROM import_records").isEmpty)
        #expect(try await shop.available("ghost") == nil)
    }

    @Test func `A feed's promotions replace the earlier ones, and a feed without promotions keeps them`() async throws {
        func pictured(_ handle: String, _ style: String) -> FeedRecord {
            .product(
                FeedProduct(
                    line: 1, handle: handle, styleCode: style, name: handle,
                    images: [ProductImage(url: "/assets/\(handle).svg", alt: handle)], variants: [.stocked(handle)]))
        }
        func promote(_ style: String, _ position: Int) -> FeedRecord {
            .promotion(FeedPromotion(line: 9, styleCode: style, image: nil, position: position))
        }
        func promoted() async throws -> [String] {
            shop.clock.advance(by: 1)
            return try await shop.anyone.call(Contract.promotions).good().items.map(\.product.handle)
        }
        try await shop.feed([pictured("a", "1"), pictured("b", "2"), promote("2", 0), promote("1", 1)])
        #expect(try await promoted() == ["b", "a"])
        try await shop.feed([pictured("a", "1")])
        #expect(try await promoted() == ["b", "a"])
        let report = try await shop.feed([promote("9", 0), promote("1", 1)])
        #expect(try await promoted() == ["a"])
        #expect(report.errors.map(\.line) == [9])
    }
}

extension ImportReport {
    /// The numbers of products that were created, updated and unchanged, and of errors.
    fileprivate var counts: [Int] { [created, updated, unchanged, failed] }
}
