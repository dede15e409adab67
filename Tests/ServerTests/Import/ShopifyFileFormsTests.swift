import Foundation
import PouchEntities
@testable import PouchImport
import Testing

@Suite("The forms of a Shopify file")
struct ShopifyFileFormsTests {
    private static let table = [
        ["Handle", "Title", "Variant Price", "Variant Grams"], ["kaeppi", "Käppi “Öl” €", "12,50", "80,5"],
        ["hut", "Hut", "1.234,00", ""],
    ]

    private func read(_ bytes: Data, chunkSize: Int = 1 << 16) throws -> [FeedRecord] {
        try FeedFixture.folder([:]) { folder in
            let file = folder.appending(path: "products.csv")
            try bytes.write(to: file)
            return try FeedFixture.all(ShopifyReader(file: file, currency: .eur, chunkSize: chunkSize))
        }
    }

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
        let records = try read(Data(text(separator: separator).utf8), chunkSize: chunkSize)
        check(records)
        #expect(records.notes == [])
    }

    @Test(arguments: [String.Encoding.utf16LittleEndian, .utf16BigEndian], [1, 2, 5, 1 << 16])
    func `UTF-16 is read with its byte order mark and without`(encoding: String.Encoding, chunkSize: Int) throws {
        for mark in ["\u{FEFF}", ""] {
            let bytes = try #require((mark + text(separator: "\t")).data(using: encoding))
            check(try read(bytes, chunkSize: chunkSize))
        }
    }

    @Test func `Windows-1252 is read, and said`() throws {
        var bytes = Data(text(separator: ";").utf8)
        for (letter, byte) in ["ä": 0xE4, "Ö": 0xD6, "“": 0x93, "”": 0x94, "€": 0x80] as [String: UInt8] {
            bytes.replace(Data(letter.utf8), with: [byte])
        }
        let records = try read(bytes)
        check(records)
        #expect(records.notes == ["1 - changed"])
    }

    @Test(arguments: [
        ("1,234", "2"), ("1,234;12.50;3,75", "2"), ("1.234;12.50;3,75", "2"), ("1.234;5,678", "3"),
    ])
    func `A number that can mean two is one error for the file`(prices: String, line: String) throws {
        let rows = prices.split(separator: ";").enumerated().map { "p\($0),P,\"\($1)\"\n" }.joined()
        let error = #expect(throws: FeedError.self) { try FeedFixture.shopify("Handle,Title,Variant Price\n" + rows) }
        let text = error?.description ?? ""
        #expect(text.contains("line \(line): “1") || text.contains("“5,678”"), "\(text)")
    }

    @Test(arguments: [
        ("1,234.50", 123_450), ("1.234,50", 123_450), ("1,234,567.00", 123_456_700), ("0,5", 50), (".5", 50),
    ])
    func `A number that means one is read`(text: String, cents: Int64) throws {
        let records = try FeedFixture.shopify("Handle,Title,Variant Price\na,A,\"\(text)\"\n")
        #expect(records.variants.map(\.price) == [Money(cents, .eur)])
    }

    @Test func `Other prices of the file tell thousands from decimals`() throws {
        let csv = "Handle,Title,Variant Price\na,A,\"1,234\"\nb,B,12.50\n"
        #expect(try FeedFixture.shopify(csv).variants.map(\.price.amount) == [123_400, 1250])
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
    func `A weight is rounded to grams, and stays one`(text: String, grams: Int?) throws {
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

    @Test(arguments: [
        ("unlisted,TRUE", true), ("aktiv,TRUE", true), ("active,maybe", true), ("active,FALSCH", false),
    ])
    func `A word that is not known puts nothing on sale`(cells: String, isNoted: Bool) throws {
        let records = try read("Status,Published", cells)
        #expect(records.products.map(\.status) == [.notForSale])
        #expect(records.notes.count == (isNoted ? 1 : 0))
    }

    @Test func `Each column that the shop does not use is noted once, with the first row that has a value in it`()
        throws
    {
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

    @Test func `A refused row leaves no option value behind`() throws {
        let records = try FeedFixture.shopify(
            "Handle,Title,Option1 Name,Option1 Value,Variant Price\ncap,Cap,Size,S,5\ncap,,,M,cheap\ncap,,,L,6\n")
        #expect(records.products.first?.options == [ProductOption(name: "Size", values: ["S", "L"])])
    }
}
