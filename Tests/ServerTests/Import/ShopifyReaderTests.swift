@testable import PouchImport
import ServerTesting
import Testing

@Suite("Shopify products")
struct ShopifyReaderTests {
    private static let header =
        "Handle,Title,Body (HTML),Type,Tags,Published,Option1 Name,Option1 Value,Option2 Name,Option2 Value,"
        + "Variant SKU,Variant Grams,Variant Inventory Tracker,Variant Inventory Qty,Variant Price,"
        + "Variant Compare At Price,Image Src,Image Position,Image Alt Text\n"

    private func read(_ rows: String) throws -> [FeedRecord] { try FeedFixture.shopify(Self.header + rows) }

    @Test func `Rows with one handle become one product, with the option names of its first row`() throws {
        let records = try read(
            """
            cap,Cap,<p>Warm.</p>,Hats,"wool, winter, wool",true,Colour,Navy,Size,S,C-1,80,shopify,4,19.90,25,,,
            cap,,,,,,,Navy,,M,C-2,80.0,,0,19.9,19.90,,,
            cap,,,,,,,Pink,,S,,,,,21,,,,
            """)
        #expect(records.reports == [])
        // 19.90 is no reduction, and a variant has no tracker.
        #expect(records.notes == ["3 Variant Compare At Price changed", "3 Variant Inventory Tracker not_used"])
        let variants = [
            FeedVariant(
                sku: "C-1", options: ["Colour": "Navy", "Size": "S"], price: Money(1990, .eur),
                compareAtPrice: Money(2500, .eur), stock: 4, weightGrams: 80, line: 2),
            FeedVariant(
                sku: "C-2", options: ["Colour": "Navy", "Size": "M"], price: Money(1990, .eur), stock: 0,
                weightGrams: 80, line: 3),
            FeedVariant(
                sku: "cap-pink-s", options: ["Colour": "Pink", "Size": "S"], price: Money(2100, .eur), line: 4),
        ]
        let options = [
            ProductOption(name: "Colour", values: ["Navy", "Pink"]), ProductOption(name: "Size", values: ["S", "M"]),
        ]
        let expected = FeedProduct(
            line: 2, handle: "cap", feedHandle: "cap", name: "Cap", description: "Warm.", categoryName: "Hats",
            tags: ["wool", "winter"], options: options, images: [], variants: variants, status: .forSale)
        #expect(records.products == [expected])
    }

    @Test func `A refused variant is reported, and leaves no option value behind; the others stay`() throws {
        let records = try read(
            """
            cap,Cap,,,,,Size,S,,,,,,1,,,https://shop.example/cap.jpg,1,
            cap,,,,,,,M,,,,,,1,10,,,,
            cap,,,,,,,,,,SKU-9,,,,,,,,
            cap,,,,,,,L,,,,,,1,cheap,,,,
            """)
        #expect(
            records.reports.sorted()
                == ["2 Variant Price required", "4 Option1 Value required", "5 Variant Price invalid"])
        #expect(records.variants.map(\.sku) == ["cap-m"])
        #expect(records.products.first?.options == [ProductOption(name: "Size", values: ["M"])])
        #expect(records.products.first?.images?.map(\.url) == ["https://shop.example/cap.jpg"])
    }

    @Test(arguments: [
        (",,,1,ten,", "2 Variant Price invalid"), (",,,1,-1.00,", "2 Variant Price out_of_range"),
        (",,,1,1.999,", "2 Variant Price invalid"), (",,,1,\"1,5,0\",", "2 Variant Price invalid"),
        (",,,1,10000000000.01,", "2 Variant Price out_of_range"),
        (",,,2000000000,5,", "2 Variant Inventory Qty out_of_range"), (",,,many,5,", "2 Variant Inventory Qty invalid"),
        (",,,1.5,5,", "2 Variant Inventory Qty invalid"), (",-5,,1,5,", "2 Variant Grams out_of_range"),
        (",heavy,,1,5,", "2 Variant Grams invalid"), (",,,1,5,abc", "2 Variant Compare At Price invalid"),
    ])
    func `Invalid numbers and those out of range are reported with their column`(cells: String, report: String) throws {
        let records = try read("cap,Cap,,,,,,,,,\(cells),,,")
        #expect(records.reports == [report] && records.products == [])
    }

    @Test func `Prices have the decimal places of the shop's currency`() throws {
        let yen = try #require(Currency(code: "JPY"))
        let csv = "Handle,Title,Variant Price\na,A,1200\nb,B,1200.00\nc,C,12.5\n"
        let records = try FeedFixture.shopify(csv, currency: yen)
        #expect(records.variants.map(\.price) == [Money(1200, yen), Money(1200, yen)])
        #expect(records.reports == ["4 Variant Price invalid"])
    }

    @Test func `The option Title with Default Title means no options`() throws {
        let records = try read("cap,Cap,,,,true,Title,Default Title,,,,,,3,5,,,,")
        #expect(records.reports == [] && records.products.first?.options == [])
        #expect(records.variants == [FeedVariant(sku: "cap", options: [:], price: Money(500, .eur), stock: 3, line: 2)])
    }

    @Test func `A missing SKU is made from handle and options`() throws {
        let rows = """
            cap,Cap,,,,,Größe,S/M,Farbe,Café Crème,,,,1,5,,,,
            cap,,,,,,,S M,,Cafe creme,,,,1,5,,,,
            cap,,,,,,,L,,東京,,,,1,5,,,,
            """
        let records = try read(rows)
        #expect(records.variants.map(\.sku) == ["cap-s-m-cafe-creme", "cap-s-m-cafe-creme", "cap-l-67714eac"])
        #expect(try read(rows) == records && records.reports == [])
    }

    @Test func `Images are sorted by position without duplicates, with the title as default text`() throws {
        let records = try read(
            """
            cap,Cap,,,,,,,,,,,,1,5,,https://shop.example/b.jpg,2,Side
            cap,,,,,,,,,,,,,,,,https://shop.example/c.jpg,,
            cap,,,,,,,,,,,,,,,,https://shop.example/a.jpg,1,
            cap,,,,,,,,,,,,,,,,https://shop.example/b.jpg,4,
            cap,,,,,,,,,,,,,,,,javascript:alert(1),5,
            """)
        let images = try #require(records.products.first?.images)
        #expect(images.map { String($0.url.suffix(5)) } == ["a.jpg", "b.jpg", "c.jpg"])
        #expect(images.map(\.alt) == ["Cap", "Side", "Cap"])
        #expect(records.variants.count == 1 && records.reports == ["6 Image Src invalid"])
    }

    @Test func `Rows of a product are found wherever the file has them, also those before its title`() throws {
        let records = try read(
            """
            cap,,,,,,,L,,,,,,1,6,,,,
            hat,,,,,,,,,,,,,,,,https://shop.example/hat.jpg,,
            cap,,,,,,,M,,,,,,1,6,,,,
            hat,Hat,,,,,,,,,,,,1,5,,,,
            cap,Cap,Warm,,,,Size,S,,,,,,1,5,,,,
            """)
        #expect(records.reports == [] && records.products.map(\.handle) == ["hat", "cap"])
        #expect(records.products.map(\.name) == ["Hat", "Cap"])
        #expect(records.products[0].images?.map(\.url) == ["https://shop.example/hat.jpg"])
        #expect(records.products[1].variants.map(\.sku) == ["cap-l", "cap-m", "cap-s"])
        #expect(records.products[1].variants.map(\.line) == [2, 4, 6])
        #expect(records.products[1].options == [ProductOption(name: "Size", values: ["L", "M", "S"])])
    }

    @Test func `Rows without a title name only the values that they have`() throws {
        let records = try FeedFixture.shopify("Handle,Title,Type,Variant SKU,Variant Price\ncap,,Hats,C-1,6\n")
        let cap = FeedProduct(
            line: 2, handle: "cap", feedHandle: "cap", options: [],
            variants: [FeedVariant(sku: "C-1", options: [:], price: Money(600, .eur), line: 2)])
        #expect(records.products == [cap] && records.products[0].isContinuation)
    }

    @Test func `A missing column leaves a field unset, and an empty cell clears it`() throws {
        let bare = try FeedFixture.shopify("Variant Price,Colour of box,Title,Handle\n7,red,Cap,cap\n")
        let expected = FeedProduct(
            line: 2, handle: "cap", feedHandle: "cap", name: "Cap", options: [],
            variants: [FeedVariant(sku: "cap", options: [:], price: Money(700, .eur), line: 2)])
        #expect(bare.products == [expected] && bare.reports == [] && bare.notes == ["2 Colour of box not_used"])
        let empty = try #require(try read("cap,Cap,,,,,,,,,,,,,7,,,,").products.first)
        #expect(empty.description == "" && empty.tags == [] && empty.images == [])
    }

    @Test(
        arguments: [
            ("Status,Published", "active,TRUE", .forSale), ("Status,Published", "Active,", .forSale),
            ("Status,Published", "active,false", .notForSale), ("Status,Published", "Draft,TRUE", .notForSale),
            ("Status,Published", "ARCHIVED,TRUE", .archived), ("Status,Published", ",", nil),
            ("Published", "FALSE", .notForSale), ("Published", "true", .forSale),
        ] as [(String, String, FeedStatus?)])
    func `Status and Published together say whether a product is for sale`(
        columns: String, cells: String, status: FeedStatus?
    ) throws {
        let records = try FeedFixture.shopify("Handle,Title,Variant Price,\(columns)\na,A,1,\(cells)\n")
        #expect(records.products.map(\.status) == [status])
    }

    @Test func `The newer headings of Shopify are read, and errors name them`() throws {
        let records = try FeedFixture.shopify(
            """
            Title,URL handle,Description,Vendor,Type,Tags,Published on online store,Status,SKU,Option1 name,Option1 value,\
            Price,Compare-at price,Inventory quantity,Weight value (grams),Product image URL,Image position,Image alt text
            Cap,cap,<p>Warm</p>,V,Hats,"wool, red",TRUE,Active,cap-s,Size,S,12.50,20,7,80,https://shop.example/a.jpg,1,A cap
            Hat,hat,,V,Hats,,TRUE,Active,,,,cheap,,,,,,

            """)
        let cap = try #require(records.products.first)
        #expect(cap.handle == "cap" && cap.description == "Warm" && cap.tags == ["wool", "red"])
        #expect(cap.images == [ProductImage(url: "https://shop.example/a.jpg", alt: "A cap")])
        let variant = FeedVariant(
            sku: "cap-s", options: ["Size": "S"], price: Money(1250, .eur), compareAtPrice: Money(2000, .eur), stock: 7,
            weightGrams: 80, line: 2)
        #expect(cap.variants == [variant] && cap.status == .forSale)
        #expect(records.reports == ["3 Price invalid"])
    }

    @Test func `Long titles and types are refused row by row`() throws {
        let long = String(repeating: "x", count: 100_000)
        let records = try FeedFixture.shopify("Handle,Title,Type,Variant Price\na,\(long),,1\nb,B,\(long),1\nc,C,,1\n")
        #expect(records.reports == ["2 Title too_long", "3 Type too_long"])
        #expect(records.products.compactMap(\.name) == ["C"])
    }

    @Test func `A product without a valid variant is skipped, and reported if no error was`() throws {
        let records = try read(
            """
            cap,Cap,,,,,,,,,,,,,,,https://shop.example/a.jpg,1,
            hat,Hat,,,,,Size,S,,,,,,1,x,,,,
            hat,,,,,,,,,,,,,,,,https://shop.example/b.jpg,1,
            """)
        #expect(
            records.reports == ["2 Variant Price no_variants", "3 Variant Price invalid"] && records.products == [])
    }

    @Test func `Rows without a handle, with only a handle, or with too many cells are reported`() throws {
        let records = try read(
            """
            ,Cap,,,,,,,,,,,,1,5,,,,
            hat,Hat,,,,,Size,S,,,,,,1,5,,,,
            hat
            hat,,,,,,,M,,,,,,1,5,,,,,,extra
            hat,,,,,,,L,,,,,,1,5,,,,,,,,
            hat,,,,,,,XL,,,,,,1,5

            """)
        #expect(records.reports.sorted() == ["2 Handle required", "4 - required", "5 - too_many_columns"])
        #expect(records.variants.map(\.sku) == ["hat-s", "hat-l", "hat-xl"])
    }

    @Test func `A product has at most 2048 variants, and is read up to 4096 rows`() throws {
        let rows = (1...4100).map { "cap,\($0 == 1 ? "Cap" : ""),\($0 == 1 ? "No" : ""),\($0),5" }
        let csv = "Handle,Title,Option1 Name,Option1 Value,Variant Price\n" + rows.joined(separator: "\n")
        let records = try FeedFixture.shopify(csv)
        #expect(records.variants.count == ModelLimits.productVariants)
        #expect(records.errors.map(\.code) == Array(repeating: .tooManyRows, count: 4100 - ModelLimits.productVariants))
        #expect(records.errors.first?.line == 4098)
    }

    @Test func `HTML becomes plain text`() throws {
        let html = """
            <style>p { color: red }</style><h2>Caf&eacute; &amp; Co</h2>
            <p title="a > b">Soft&nbsp;wool,   1 < 2 &lt;b&gt; &#8364;5 &#x20AC;6 &unknown; R&D<br/>second
            line</p><script>if (a < b) { alert("</p>") }</script><ul>
            <li>One</li>
            <li><b>Two</b></li></ul><!-- <p>no</p> -->End
            """
        let records = try read("cap,Cap,\"\(html.replacing("\"", with: "\"\""))\",,,,,,,,,,,1,5,,,,")
        #expect(
            records.products.first?.description == """
                Café & Co

                Soft wool, 1 < 2 <b> €5 €6 &unknown; R&D
                second line

                • One
                • Two
                End
                """)
    }

    @Test func `A text without tags keeps its line breaks`() throws {
        let records = try read("cap,Cap,\"  One \r\n\r\n\r\n two\tand  three \n\",,,,,,,,,,,1,5,,,,")
        #expect(records.products.first?.description == "One\n\ntwo and three")
    }
}

@Suite("The CSV syntax of a Shopify file")
struct ShopifySyntaxTests {
    private static let header = "Handle,Title,Body (HTML),Variant Price\n"

    @Test(arguments: [1, 2, 3, 4, 5, 7, 11, 64])
    func `Any chunk size gives the same records`(size: Int) throws {
        let csv =
            "\u{FEFF}Variant Price,Title,\"Body (HTML)\",Handle\r\n"
            + "1.50,\"Käppi \"\"Öl\"\"\",\"Eins,\r\nzwei\nDrei\",kaeppi\r\n\r\n"
            + "2,\"open,,no\r\n3,Hat,,hat\r\n4,Cap\",\"\",cap\r\n"
            + "x,Shoe,\"\"\"\",shoe\n6,\"bad\"quote,,bad\r7,12\" rule,,rule"
        let whole = try FeedFixture.shopify(csv, chunkSize: 1 << 16)
        #expect(try FeedFixture.shopify(csv, chunkSize: size) == whole)
        #expect(whole.products.map(\.handle) == ["kaeppi", "cap", "rule"])
        #expect(whole.products.map(\.line) == [2, 6, 11])
        #expect(whole.products.map(\.name) == ["Käppi \"Öl\"", "open,,no 3,Hat,,hat 4,Cap", "12\" rule"])
        #expect(whole.products.first?.description == "Eins,\nzwei\nDrei")
        // A product waits for more of its rows. The import sorts its reports by line.
        #expect(whole.reports == ["10 - malformed", "9 Variant Price invalid"])
    }

    @Test func `Reading continues on the next line after an unterminated quote`() throws {
        let records = try FeedFixture.shopify(Self.header + "a,A,,1\nb,B,\"never closed,2\nc,C,,3\nd,D,,4\n")
        #expect(records.products.map(\.handle) == ["a", "c", "d"] && records.products.map(\.line) == [2, 4, 5])
        #expect(records.reports == ["3 - unterminated_quote"])
    }

    @Test(.timeLimit(.minutes(5)))
    func `A quote left open beyond the maximum row length excludes only its line`() throws {
        let rows = (0..<25_000).map { "item-\($0),Item \($0),a description of some length,\($0)" }
        let records = try FeedFixture.shopify(Self.header + "a,A,\"open,1\n" + rows.joined(separator: "\n"))
        #expect(records.products.count == 25_000 && records.reports == ["2 - unterminated_quote"])
    }

    @Test(.timeLimit(.minutes(5)))
    func `A file of unterminated quotes is read in bounded time, without products`() throws {
        let records = try FeedFixture.shopify(Self.header + String(repeating: "a\",\"\n", count: 220_000))
        #expect(records.products == [] && records.errors.first?.line == 2)
    }

    @Test func `A row that is too long is skipped`() throws {
        let records = try FeedFixture.shopify(Self.header + "a,A,\(String(repeating: "x", count: 3 << 20)),1\nb,B,,2\n")
        #expect(records.products.map(\.handle) == ["b"] && records.products.map(\.line) == [3])
        #expect(records.reports == ["2 - too_long"])
    }

    @Test func `A cell that is not UTF-8 is reported where others are`() throws {
        var bytes = Data((Self.header + "a,A,caf?,1\nb,Bücher,,2\n").utf8)
        bytes.replace(Data("?".utf8), with: [0xE9])
        let records = try FeedFixture.shopify(bytes)
        #expect(records.products.map(\.handle) == ["b"] && records.reports == ["2 - malformed"])
    }

    @Test(arguments: [
        ("", FeedError.empty("products.csv")), ("\n\n", .empty("products.csv")),
        ("Handle,Title\na,A\n", .missingColumns(["Variant Price"], file: "products.csv")),
        ("a,b\n", .missingColumns(["Handle", "Title", "Variant Price"], file: "products.csv")),
    ])
    func `An empty file, and one without a required column, is refused`(csv: String, error: FeedError) throws {
        #expect(throws: error) { try FeedFixture.shopify(csv) }
    }

    @Test func `A missing file and a folder are refused`() throws {
        try FeedFixture.folder([:]) { folder in
            #expect(throws: FeedError.missingFile("none.csv")) {
                try ShopifyReader(file: folder.appending(path: "none.csv"), currency: .eur)
            }
            #expect(throws: FeedError.self) { try ShopifyReader(file: folder, currency: .eur) }
        }
    }

    @Test func `The first product is returned before the rest of the file is read`() throws {
        let rows = (0..<5_000).map { "item-\($0),Item \($0),a description of some length,\($0)\n" }.joined()
        try FeedFixture.folder(["products.csv": Self.header + rows]) { folder in
            var reader = try ShopifyReader(file: folder.appending(path: "products.csv"), currency: .eur)
            let total = Self.header.utf8.count + rows.utf8.count
            #expect(reader.progress.totalBytes == total)
            _ = try reader.next()
            #expect(reader.progress.bytesRead <= 1 << 16)
            while try reader.next() != nil {}
            #expect(reader.progress == FeedProgress(bytesRead: total, totalBytes: total, rows: 5_000))
        }
    }
}
