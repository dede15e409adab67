import ServerTesting
import Testing

@testable import PouchImport

@Suite("A LAYERS feed")
struct LayersReaderTests {
    static func row(_ more: String = "", style: String = "71101", name: String = "Ivy Cardigan") -> String {
        #"{"name": "\#(name)", "style": "\#(style)", "category": "Cardigans", "price": {"retail": 129.9}\#(more)}"#
    }

    @Test func `A row becomes a product with all combinations of colour and size`() throws {
        let row = Self.row(
            #"""
            , "season": "Spring", "theme": "Meadow", "desc": " Soft.\n\n\nWarm. ", "care": "By hand",
            "materials": ["Wool", ""], "tags": ["new"], "weightGrams": 380, "colors": [39, 18, 39],
            "stock": {"18-m": 4, "39-xs": 0}
            """#)
        let records = try FeedFixture.layers(products: [row], defaultStock: 2)
        #expect(records.reports == [])
        #expect(records.seasons == [Season(id: "71", name: "Spring")])
        #expect(records.themes == [Theme(id: "711", name: "Meadow", seasonId: "71")])
        let product = try #require(records.products.first)
        let options = [
            ProductOption(name: "Colour", values: ["Navy", "Anthracite"]),
            ProductOption(name: "Size", values: ["XS", "S", "M", "L", "XL"]),
        ]
        let expected = FeedProduct(
            line: 2, handle: "ivy-cardigan", styleCode: "71101", name: "Ivy Cardigan", description: "Soft.\n\nWarm.",
            seasonId: "71", themeId: "711", categoryName: "Cardigans", tags: ["new"], materials: ["Wool"],
            careInstructions: "By hand", options: options, variants: product.variants)
        #expect(product == expected)
        let skus = ["39", "18"].flatMap { colour in ["xs", "s", "m", "l", "xl"].map { "71101-\(colour)-\($0)" } }
        #expect(product.variants.map(\.sku) == skus)
        #expect(product.variants.map(\.stock) == [0, 2, 2, 2, 2, 2, 2, 4, 2, 2])
        let first = FeedVariant(
            sku: "71101-39-xs", options: ["Colour": "Navy", "Size": "XS"], price: Money(12990, .eur), stock: 0,
            weightGrams: 380)
        #expect(product.variants.first == first)
    }

    @Test func `Missing fields are nil, and empty fields are empty`() throws {
        let plain = try #require(try FeedFixture.layers(products: [Self.row()]).products.first)
        let expected = FeedProduct(
            line: 2, handle: "ivy-cardigan", styleCode: "71101", name: "Ivy Cardigan", categoryName: "Cardigans",
            options: plain.options, variants: plain.variants)
        #expect(plain == expected)
        #expect(plain.options == [ProductOption(name: "Size", values: ["XS", "S", "M", "L", "XL"])])
        #expect(plain.variants.first?.sku == "71101-xs")
        let cleared = #", "desc": "", "care": "", "materials": [], "images": [], "promoImage": """#
        let empty = try #require(try FeedFixture.layers(products: [Self.row(cleared)]).products.first)
        #expect(empty.description == "" && empty.careInstructions == "" && empty.materials == [])
        #expect(empty.images == [] && empty.promoImage == .cleared)
    }

    @Test(
        arguments: [
            ("129.9", 12990), ("\"129.90\"", 12990), ("0.29", 29), ("1.1", 110), ("4.35", 435), ("1e2", 10000),
            ("9007199254740993", nil), ("9999999999.99", 999_999_999_999), ("129.999", nil), ("\"129,90\"", 12990),
            ("\"1,29,90\"", nil), ("-1", nil), ("true", nil), ("null", nil),
        ] as [(String, Int64?)])
    func `Prices are exact as numbers and as strings`(retail: String, cents: Int64?) throws {
        let row = #"{"name": "A", "style": "71101", "category": "C", "price": {"retail": \#(retail)}}"#
        let records = try FeedFixture.layers(products: [row])
        #expect(records.variants.first?.price.amount == cents)
        #expect(records.errors.map(\.field) == (cents == nil ? ["price.retail"] : []))
    }

    @Test func `A compare-at price counts only when it is higher than the price`() throws {
        for (text, price) in [("\"129.00\"", Money(12900, .eur)), ("99", nil)] as [(String, Money?)] {
            let row = #"""
                {"name": "A", "style": "71101", "category": "C", "sizes": ["m"],
                "price": {"currencyCode": "EUR", "retail": 99, "wholesale": 40, "compareAt": \#(text)}}
                """#
            #expect(try FeedFixture.layers(products: [row]).variants.map(\.compareAtPrice) == [price])
        }
    }

    @Test func `Invalid rows are reported with line, field and reason, and the others are read`() throws {
        let rows: [(row: String, report: String)] = [
            (#"{"style": "71101", "category": "C", "price": {"retail": 1}}"#, "name required"),
            (Self.row(style: "71"), "style invalid"), (Self.row(style: "7/../1"), "style invalid"),
            (#"{"name": "A", "style": "71101", "category": " ", "price": {"retail": 1}}"#, "category required"),
            (#"{"name": "A", "style": "71101", "category": "C"}"#, "price required"),
            (
                #"{"name": "A", "style": "71101", "category": "C", "price": {"retail": 1, "currencyCode": "USD"}}"#,
                "price.currencyCode currency_mismatch"
            ),
            (Self.row(#", "colors": ["red"]"#), "colors.0 invalid"),
            (Self.row(#", "weightGrams": -1"#), "weightGrams out_of_range"),
            (#"{"name": "A, "style": "71101", "category": "C", "price": {"retail": 1}}"#, "- malformed"),
            (#""just a text""#, "- invalid"),
            (String(repeating: "[", count: 500) + String(repeating: "]", count: 500), "- invalid"),
            (Self.row(#", "name": "B""#), "name invalid"),
        ]
        let records = try FeedFixture.layers(products: rows.map(\.row) + [Self.row()])
        #expect(records.reports == rows.enumerated().map { "\($0 + 2) \($1.report)" })
        #expect(records.errors.allSatisfy { $0.detail.hasPrefix("products.json: ") })
        let colour = records.errors.first { $0.field == "colors.0" }
        #expect(colour?.detail == "products.json: the value must be a whole number")
        #expect(records.products.map(\.line) == [14])
    }

    @Test func `Unknown colours and sizes and invalid stock exclude only their variants`() throws {
        let row = Self.row(
            #", "colors": [18, 99], "sizes": ["XL", "m", "huge"], "stock": {"18-m": -1, "18-xl": 3, "99-m": 5}"#)
        let records = try FeedFixture.layers(products: [row])
        #expect(records.reports == ["2 colors unknown_colour", "2 sizes unknown_size", "2 stock.18-m out_of_range"])
        #expect(records.variants.map(\.sku) == ["71101-18-xl"] && records.variants.map(\.stock) == [3])
        let none = try FeedFixture.layers(products: [Self.row(#", "colors": [1, 2]"#)])
        #expect(none.reports == ["2 colors unknown_colour", "2 colors unknown_colour"] && none.products == [])
        let typo = try FeedFixture.layers(products: [Self.row(#", "colors": [18], "stock": {"18-mm": 5}"#)])
        #expect(typo.reports == ["2 stock.18-mm unknown_variant"] && typo.variants.count == 5)
    }

    @Test func `A product with the single size “one” has no size option`() throws {
        let row = Self.row(#", "colors": [72], "sizes": ["one"], "stock": {"72-one": 7}"#)
        let records = try FeedFixture.layers(products: [row])
        let variant = FeedVariant(sku: "71101-72-one", options: ["Colour": "Pink"], price: Money(12990, .eur), stock: 7)
        #expect(records.variants == [variant])
        #expect(records.products.first?.options == [ProductOption(name: "Colour", values: ["Pink"])])
    }

    @Test func `A handle is made from the name, with the style code if the name is taken`() throws {
        let rows = [
            Self.row(), Self.row(style: "71102"), Self.row(style: "71101"), Self.row(style: "71103", name: "東京"),
            Self.row(style: "A.~1", name: "?!"), Self.row(style: "71104", name: "Ivy Cardigan 71102"),
        ]
        let handles = [
            "ivy-cardigan", "ivy-cardigan-71102", "ivy-cardigan", "67714eac", "a-1", "ivy-cardigan-71102-71104",
        ]
        for _ in 1...2 { #expect(try FeedFixture.layers(products: rows).products.map(\.handle) == handles) }
    }

    @Test func `Seasons and themes are read from their own file, with dates in every format`() throws {
        let seasons = #"""
            {"version": 2, "notes": {"seasons": "not this"}, "seasons": [
              {"id": "71", "name": "Spring", "startsAt": "2026-02-01", "endsAt": 1785542400,
               "themes": [{"id": "711", "name": "Meadow"}]},
              {"id": "72", "name": "Autumn", "startsAt": "2026-08-01T00:00:00Z",
               "endsAt": "2027-01-31T23:59:59.500Z"},
              {"id": "73", "name": "Winter", "startsAt": "soon"},
              {"name": "Nameless"}
            ]}
            """#
        let records = try FeedFixture.layers(
            products: [Self.row(#", "season": "Other name""#), Self.row(style: "73101", name: "B")],
            files: ["seasons.json": seasons])
        #expect(records.seasons.map(\.name) == ["Spring", "Autumn"])
        #expect(records.seasons.map { $0.startsAt?.timeIntervalSince1970 } == [1_769_904_000, 1_785_542_400])
        #expect(records.seasons.map { $0.endsAt?.timeIntervalSince1970 } == [1_785_542_400, 1_801_439_999.5])
        #expect(records.themes == [Theme(id: "711", name: "Meadow", seasonId: "71")])
        #expect(records.products.map(\.seasonId) == ["71", nil])
        #expect(records.products.map(\.themeId) == ["711", nil])
        #expect(records.reports == ["6 startsAt invalid", "7 id required"])
        #expect(records.errors.allSatisfy { $0.detail.hasPrefix("seasons.json: ") })
        #expect(records.first == records.seasons.first.map(FeedRecord.season))
    }

    @Test(
        arguments: [
            ("2026-02-01", "2026-01-31T23:00:00Z"), ("2026-07-01", "2026-06-30T22:00:00Z"),
            ("2026-02-01T08:30:00", "2026-02-01T07:30:00Z"), ("2026-07-01T08:30:00.5", "2026-07-01T06:30:00.5Z"),
            ("2026-07-01T08:30:00Z", "2026-07-01T08:30:00Z"), ("2026-07-01T08:30:00-04:00", "2026-07-01T12:30:00Z"),
            // Summer time starts on the first of these dates and ends before the second.
            ("2026-03-29T03:00:00", "2026-03-29T01:00:00Z"), ("2026-10-26", "2026-10-25T23:00:00Z"),
            ("2026-07-01T08", nil), ("2026-07-01 and so on", nil), ("2026-13-01", nil), ("", nil),
            ("2026-02-30", nil), ("2026-04-31T08:30:00", nil), ("2026-07-01T24:30:00Z", nil),
        ] as [(String, String?)])
    func `A date without an offset is in the shop's time zone in every season`(text: String, expected: String?) throws {
        let berlin = try #require(TimeZone(identifier: "Europe/Berlin"))
        let seasons = #"{"seasons": [{"id": "71", "name": "Spring", "startsAt": "\#(text)"}]}"#
        let records = try FeedFixture.layers(products: [], files: ["seasons.json": seasons], timeZone: berlin)
        let date = try expected.map(Date.ISO8601FormatStyle(includingFractionalSeconds: true).parse)
        #expect(records.seasons.map(\.startsAt) == (date == nil ? [] : [date]))
        #expect(records.reports == (expected == nil ? ["1 startsAt invalid"] : []))
    }

    @Test(.inShop([]), arguments: ["1e300", "-1e300", "253402300800", "-62135596801"])
    func `A date out of range is reported, and the rest is imported`(seconds: String) async throws {
        let seasons = #"""
            {"seasons": [
              {"id": "72", "name": "Never", "startsAt": \#(seconds)},
              {"id": "73", "name": "Edge", "startsAt": -62135596800, "endsAt": 253402300799}
            ]}
            """#
        let records = try FeedFixture.layers(products: [Self.row()], files: ["seasons.json": seasons], defaultStock: 1)
        #expect(records.reports == ["2 startsAt invalid"])
        let shop = TestShop.current
        #expect(try await shop.feed(records).created == 1)
        shop.clock.advance(by: 1)
        #expect(try await shop.anyone.call(Contract.seasons).good().items.contains { $0.id == "73" })
        #expect(try await shop.anyone.call(Contract.products).good().items.map(\.handle) == ["ivy-cardigan"])
    }

    @Test func `Slides become promotions after all products, in order and without gaps`() throws {
        let slides = #"""
            [{"name": "Ivy Cardigan", "style": "71101", "category": "Cardigans", "promoImage": "ivy.svg"},
            {"name": "No style"},
            {"style": "71102", "promoImage": "none.svg"}, {"style": "71103"}]
            """#
        let records = try FeedFixture.layers(
            products: [Self.row()], files: ["slides.json": slides, "slides/ivy.svg": "<svg/>"])
        #expect(records.promotions.map(\.styleCode) == ["71101", "71102", "71103"])
        #expect(records.promotions.map(\.position) == [0, 1, 2])
        let image = ProductImage(url: "/assets/slides/ivy.svg", alt: "Ivy Cardigan")
        #expect(records.promotions.map(\.image) == [image, nil, nil])
        #expect(records.reports == ["2 style required", "3 promoImage image_missing"])
        #expect(records.last == .promotion(records.promotions[2]))
    }

    @Test func `A feed needs only the products`() throws {
        try FeedFixture.folder(["seasons.json": "{}"]) { folder in
            _ = #expect(throws: FeedError.missingFile("products.json")) {
                try LayersReader(folder: folder, currency: .eur)
            }
        }
        #expect(try FeedFixture.layers(products: []) == [])
    }
}
