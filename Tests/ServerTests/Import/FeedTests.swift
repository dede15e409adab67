import ServerTesting
import Testing

@testable import PouchImport

@Suite("The stream of a feed's records")
struct FeedStreamTests {
    @Test(.timeLimit(.minutes(5)))
    func `All batches but the last are full, and nothing is read ahead`() async throws {
        let records = (1...5).map { FeedRecord.bad(FeedRowError(line: $0, code: .invalid, detail: "")) }
        let stream = FeedStream(ListedFeed(records))
        #expect(try await stream.next(2).errors.map(\.line) == [1, 2])
        #expect(await stream.progress.rows == 2)
        #expect(try await stream.next(2).errors.map(\.line) == [3, 4])
        #expect(try await stream.next(2).errors.map(\.line) == [5])
        #expect(try await stream.next(2).isEmpty)
    }
}

@Suite("Slugs")
struct SlugTests {
    @Test(arguments: [
        ("Ribbed Cardigan", "ribbed-cardigan"), ("  --Å la  Crème! ", "a-la-creme"), ("Women's Coat", "womens-coat"),
        ("Straße & Øre", "strasse-ore"), ("S/M", "s-m"), ("e\u{301}te\u{301}", "ete"), ("été", "ete"),
        ("東京 12", "67714eac-12"), ("\u{130}stanbul", "istanbul"), ("!?", ""), ("", ""),
    ])
    func `A slug has letters, digits and single hyphens, and is its own slug`(text: String, expected: String) {
        #expect(text.slug == expected)
        #expect(expected.slug == expected)
    }
}

@Suite("Documents in the database")
struct StoredDocumentTests {
    @Test func `Documents have the form in which earlier releases stored them`() throws {
        let product = FeedProduct(
            line: 2, handle: "cap", promoImage: .cleared,
            variants: [FeedVariant(sku: "c", options: [:], price: Money(100, .eur))])
        try expect(
            StagedRecord.product(product),
            #"{"product":{"_0":{"handle":"cap","line":2,"promoImage":{"cleared":{}},"variants":[{"options":{},"#
                + #""price":{"amount":100,"currency":"EUR"},"sku":"c"}]}}}"#)
        let season = Season(id: "71", name: "Summer", startsAt: Date(timeIntervalSinceReferenceDate: 1))
        try expect(StagedRecord.season(season), #"{"season":{"_0":{"id":"71","name":"Summer","startsAt":1}}}"#)
        try expect(CatalogChange.season(season), #"{"season":{"_0":{"id":"71","name":"Summer","startsAt":1}}}"#)
        try expect(
            CatalogChange.theme(Theme(id: "712", name: "Surf", seasonId: "71")),
            #"{"theme":{"_0":{"id":"712","name":"Surf","seasonId":"71"}}}"#)
        try expect(CatalogChange.category(id: "caps", name: "Caps"), #"{"category":{"id":"caps","name":"Caps"}}"#)
        try expect(
            CatalogChange.promotion(.init(productId: "p", image: ProductImage(url: "/a", alt: "b"), position: 1)),
            #"{"promotion":{"_0":{"image":{"alt":"b","url":"/a"},"position":1,"productId":"p"}}}"#)
        try expect(FeedChange.set(ProductImage(url: "/a", alt: "b")), #"{"set":{"_0":{"alt":"b","url":"/a"}}}"#)
    }

    @Test func `An import and its errors have the form in which earlier releases stored them`() throws {
        var record = ImportRecord(id: "imp_1", isDryRun: true)
        (record.phase, record.cursor, record.revision, record.promotions) = (.comparing, "7", 3, 2)
        (record.report.rows, record.report.created, record.report.updated) = (9, 8, 7)
        (record.report.products, record.report.variants, record.report.failed) = (6, 5, 4)
        try expect(
            record,
            #"{"cursor":"7","hasChanges":false,"id":"imp_1","phase":"comparing","promotions":2,"report":{"created":8,"#
                + #""errors":[],"failed":4,"id":"imp_1","products":6,"rows":9,"status":"dryRun","updated":7,"#
                + #""variants":5},"revision":3}"#)
        try expect(
            FeedRowError(line: 2, field: "price", code: .outOfRange, detail: "too large"),
            #"{"code":"out_of_range","detail":"too large","field":"price","line":2}"#)
    }

    @Test func `The rule of a discount has the form in which earlier releases stored it`() throws {
        try expect(Discount.Rule.percentage(basisPoints: 1_000), #"{"percentage":{"basisPoints":1000}}"#)
        try expect(Discount.Rule.amount(Money(500, .eur)), #"{"amount":{"_0":{"amount":500,"currency":"EUR"}}}"#)
        try expect(Discount.Rule.buyXGetY(buy: 2, get: 1), #"{"buyXGetY":{"buy":2,"get":1}}"#)
        try expect(Discount.Rule.freeShipping, #"{"freeShipping":{}}"#)
    }

    @Test(arguments: [#"{}"#, #"{"cleared":{},"set":{}}"#, #"{"set":{}}"#, #"{"other":{"_0":1}}"#])
    func `A document with no case, two or an unknown one is refused`(text: String) {
        #expect(throws: JSONError.self) { try FeedChange<ProductImage>(json: text) }
    }

    private func expect<Document: JSONCodable & Equatable>(_ document: Document, _ text: String) throws {
        #expect(try String(decoding: document.json(.stored), as: UTF8.self) == text)
        #expect(try Document(json: text, .stored) == document)
    }
}

@Suite("The demo catalogue")
struct DemoCatalogueTests {
    private static let folder = URL.repository.appending(path: "Server/Demo")

    private let records: [FeedRecord]

    init() throws { records = try FeedFixture.all(LayersReader(folder: Self.folder, currency: .eur)) }

    @Test func `It is valid, and covers seasons, themes, categories, options, stock levels and reductions`() {
        #expect(records.errors == [])
        #expect(records.seasons.map(\.id) == ["71", "72"])
        // Without dates the whole demo is always on sale.
        #expect(records.seasons.allSatisfy { $0.startsAt == nil && $0.endsAt == nil })
        #expect(Set(records.themes.map(\.seasonId)) == ["71", "72"])
        #expect(records.products.count >= 60)
        #expect(Set(records.products.compactMap(\.categoryName)).count >= 12)
        #expect(Set(records.variants.compactMap { $0.options["Colour"] }).count == 10)
        #expect(Set(records.variants.compactMap { $0.options["Size"] }) == ["XS", "S", "M", "L", "XL"])
        #expect(records.variants.contains { $0.stock == 0 })
        #expect(records.variants.contains { (1...Availability.lowStock).contains($0.stock ?? 0) })
        #expect(records.variants.contains { $0.compareAtPrice != nil })
    }

    @Test func `Every product has a theme, texts and an image for each colour`() {
        let themes = Set(records.themes.map(\.id))
        for product in records.products {
            #expect(themes.contains(product.themeId ?? ""))
            #expect(product.description?.isEmpty == false && product.materials?.isEmpty == false)
            #expect(product.careInstructions?.isEmpty == false)
            #expect(product.images?.count == product.options?.first { $0.name == "Colour" }?.values.count)
        }
        let handles = records.products.map(\.handle)
        #expect(Set(handles).count == handles.count)
    }

    @Test func `Five promotions show products of the catalogue, each with its own image`() {
        let styles = Set(records.products.compactMap(\.styleCode))
        #expect(records.promotions.count == 5)
        #expect(records.promotions.allSatisfy { styles.contains($0.styleCode) })
        #expect(Set(records.promotions.compactMap(\.image?.url)).count == 5)
    }

    @Test func `Images are small, and all are used`() throws {
        let assets = records.assets
        let bytes: Int = assets.map(\.byteCount).reduce(0, +)
        #expect(bytes < 2 << 20)
        #expect(assets.allSatisfy { (500...10_000).contains($0.byteCount) })
        for part in ["products", "slides"] {
            let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder.appending(path: part).path)
            #expect(Set(files.map { "\(part)/\($0)" }).subtracting(assets.map(\.path)) == [])
        }
    }
}

@Suite("Shopify's sample files", .enabled(if: FeedFixture.hasRealFiles))
struct ShopifyRealFilesTests {
    private func read(_ name: String) throws -> [FeedRecord] {
        try FeedFixture.all(ShopifyReader(file: FeedFixture.realFiles.appending(path: name), currency: .eur))
    }

    @Test func `The apparel file has 20 products and 22 variants`() throws {
        let records = try read("shopify-apparel.csv")
        #expect(records.reports == [] && records.products.count == 20 && records.variants.count == 22)
        let top = try #require(records.products.first { $0.handle == "classic-varsity-top" })
        #expect(top.options == [ProductOption(name: "Size", values: ["Small", "Medium", "Large"])])
        #expect(top.variants.map(\.sku).last == "classic-varsity-top-large")
        #expect(records.variants.allSatisfy { $0.stock == 1 && $0.weightGrams == nil })
        #expect(records.products.allSatisfy { $0.categoryName == "Uncategorised" })
    }

    @Test func `The jewellery file has 20 products and 23 variants, with exact prices`() throws {
        let records = try read("shopify-jewelery.csv")
        #expect(records.reports == [] && records.products.count == 20 && records.variants.count == 23)
        #expect(records.products.map { $0.images?.count ?? 0 }.reduce(0, +) == 41)
        let bracelet = try #require(records.products.first { $0.handle == "chain-bracelet" })
        #expect(bracelet.variants.map(\.price) == [Money(4299, .eur), Money(4299, .eur)])
        #expect(bracelet.variants.map(\.compareAtPrice) == [Money(4499, .eur), Money(4499, .eur)])
        #expect(bracelet.variants.map(\.stock) == [1, 0] && bracelet.tags == ["Beads"])
        #expect(bracelet.categoryName == "Bracelet")
        let pendant = try #require(records.products.first { $0.handle == "choker-with-gold-pendant" })
        #expect(pendant.description?.hasSuffix("\n• Width, 0.3\"\n• Lobster clasp\n• Made in USA") == true)
        #expect(pendant.options == [])
    }
}

@Suite("The forms of a Shopify file")
struct ShopifyFileFormsTests {
    private static let table = [
        ["Handle", "Title", "Variant Price", "Variant Grams"], ["kaeppi", "Käppi “Öl” €", "12,50", "80,5"],
        ["hut", "Hut", "1.234,00", ""],
    ]

    private func text(separator: String) -> String {
        Self.table.map { row in
            row.map { separator == "," ? "\"\($0)\"" : $0 }.joined(separator: separator)
        }.joined(separator: "\r\n") + "\r\n"
    }

    private func check(_ records: [FeedRecord]) {
        #expect(records.reports == [])
        #expect(records.products.map(\.name) == ["Käppi “Öl” €", "Hut"])
        #expect(records.variants.map(\.price) == [Money(1250, .eur), Money(123_400, .eur)])
        #expect(records.variants.map(\.weightGrams) == [81, nil])
    }

    @Test(arguments: [",", ";", "\t"], [1, 3, 1 << 16])
    func `Commas, semicolons or tabs separate cells, and a comma decimals`(separator: String, chunkSize: Int) throws {
        let records = try FeedFixture.shopify(text(separator: separator), chunkSize: chunkSize)
        check(records)
        #expect(records.notes == [])
    }

    @Test(arguments: [String.Encoding.utf16LittleEndian, .utf16BigEndian], [1, 2, 5, 1 << 16])
    func `UTF-16 is read with its byte order mark and without`(encoding: String.Encoding, chunkSize: Int) throws {
        for mark in ["\u{FEFF}", ""] {
            let bytes = try #require((mark + text(separator: "\t")).data(using: encoding))
            check(try FeedFixture.shopify(bytes, chunkSize: chunkSize))
        }
    }

    @Test func `Windows-1252 is read and reported`() throws {
        var bytes = Data(text(separator: ";").utf8)
        for (letter, byte) in ["ä": 0xE4, "Ö": 0xD6, "“": 0x93, "”": 0x94, "€": 0x80] as [String: UInt8] {
            bytes.replace(Data(letter.utf8), with: [byte])
        }
        let records = try FeedFixture.shopify(bytes)
        check(records)
        #expect(records.notes == ["1 - changed"])
    }

    /// A file with these prices, which semicolons separate.
    private static func csv(_ prices: String) -> String {
        "Handle,Title,Variant Price\n"
            + prices.split(separator: ";").enumerated().map { "p\($0),P,\"\($1)\"\n" }.joined()
    }

    @Test(arguments: [("1,234", "2"), ("1,234;12.50;3,75", "2"), ("1.234;12.50;3,75", "2"), ("1.234;5,678", "3")])
    func `An ambiguous number is one error for the file`(prices: String, line: String) throws {
        let error = #expect(throws: FeedError.self) { try FeedFixture.shopify(Self.csv(prices)) }
        let text = error?.description ?? ""
        #expect(text.contains("line \(line): “1") || text.contains("“5,678”"), "\(text)")
    }

    @Test(
        arguments: [
            ("1,234.50", [123_450]), ("1.234,50", [123_450]), ("1,234,567.00", [123_456_700]), ("0,5", [50]),
            (".5", [50]), ("1,234;12.50", [123_400, 1250]),
        ] as [(String, [Int64])])
    func `A number that other prices make unambiguous is read`(prices: String, cents: [Int64]) throws {
        #expect(try FeedFixture.shopify(Self.csv(prices)).variants.map(\.price) == cents.map { Money($0, .eur) })
    }
}

@Suite("Figures and words of real exports")
struct ShopifyFiguresTests {
    private func read(_ columns: String, _ cells: String) throws -> [FeedRecord] {
        try FeedFixture.shopify("Handle,Title,Variant Price,\(columns)\ncap,Cap,5,\(cells)\n")
    }

    @Test(
        arguments: [
            ("453.59237", 454), ("1270.058636", 1270), ("0.7", 1), ("0.2", 1), ("0.0", nil), ("80", 80),
        ] as [(String, Int?)])
    func `A weight is rounded to grams`(text: String, grams: Int?) throws {
        let records = try read("Variant Grams", text)
        #expect(records.variants.map(\.weightGrams) == [grams] && records.reports == [])
    }

    @Test func `Stock that was oversold is 0, with a note`() throws {
        let records = try read("Variant Inventory Qty", "-3")
        #expect(records.variants.map(\.stock) == [0] && records.reports == [])
        #expect(records.notes == ["2 Variant Inventory Qty changed"])
    }

    @Test(arguments: [("4.99", true), ("5", true), ("0", false), ("5.01", false)])
    func `A compare-at price not above the price is left out with a note`(text: String, isNoted: Bool) throws {
        let records = try read("Variant Compare At Price", text)
        #expect(records.variants.map { $0.compareAtPrice != nil } == [text == "5.01"])
        #expect(records.notes == (isNoted ? ["2 Variant Compare At Price changed"] : []))
    }

    @Test(arguments: [("unlisted,TRUE", true), ("aktiv,TRUE", true), ("active,maybe", true), ("active,FALSCH", false)])
    func `An unknown word as the status puts no product on sale`(cells: String, isNoted: Bool) throws {
        let records = try read("Status,Published", cells)
        #expect(records.products.map(\.status) == [.notForSale])
        #expect(records.notes.count == (isNoted ? 1 : 0))
    }

    @Test func `Each column that the shop does not use is noted once, with the first row that has a value`() throws {
        let records = try FeedFixture.shopify(
            """
            Handle,Title,Body (HTML),Vendor,Variant Inventory Tracker,Variant Inventory Policy,Variant Price,\
            Variant Requires Shipping,Variant Taxable,Gift Card,Variant Barcode,Variant Weight Unit,SEO Title
            a,A,<p>Plain</p>,,shopify,deny,5,true,true,false,,g,
            b,B,"<b>Bold</b>",Acme,,continue,5,false,false,true,4006381333931,kg,
            c,C,,Acme,shopify,continue,5,true,true,false,,kg,
            """)
        #expect(
            records.notes == [
                "3 Vendor not_used", "3 Variant Inventory Tracker not_used", "3 Variant Inventory Policy not_used",
                "3 Variant Requires Shipping not_used", "3 Variant Taxable not_used", "3 Gift Card not_used",
                "3 Variant Barcode not_used", "3 Body (HTML) changed",
            ])
        #expect(records.products.count == 3 && records.reports == [])
    }
}
