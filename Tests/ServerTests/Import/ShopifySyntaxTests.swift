import Foundation
import PouchDomain
import PouchEntities
import PouchImport
import Testing

@Suite("The CSV of a Shopify file")
struct ShopifySyntaxTests {
    private static let header = "Handle,Title,Body (HTML),Variant Price\n"

    @Test(
        "The size of the chunks makes no difference, whatever they cut",
        arguments: [1, 2, 3, 4, 5, 7, 11, 64])
    func chunks(size: Int) throws {
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
        #expect(whole.reports == ["9 Variant Price invalid", "10 - malformed"])
    }

    @Test func `After a quote that is never closed, reading goes on with the next line`() throws {
        let records = try FeedFixture.shopify(Self.header + "a,A,,1\nb,B,\"never closed,2\nc,C,,3\nd,D,,4\n")
        #expect(records.products.map(\.handle) == ["a", "c", "d"])
        #expect(records.products.map(\.line) == [2, 4, 5])
        #expect(records.reports == ["3 - unterminated_quote"])
    }

    @Test(.timeLimit(.minutes(1)))
    func `A quote that is open for longer than a row may be costs its own line only`() throws {
        let rows = (0..<25_000).map { "item-\($0),Item \($0),a description of some length,\($0)" }
        let records = try FeedFixture.shopify(Self.header + "a,A,\"open,1\n" + rows.joined(separator: "\n"))
        #expect(records.products.count == 25_000)
        #expect(records.reports == ["2 - unterminated_quote"])
    }

    @Test(.timeLimit(.minutes(1)))
    func `A file that is made of open quotes ends in reports, soon`() throws {
        let records = try FeedFixture.shopify(Self.header + String(repeating: "a\",\"\n", count: 220_000))
        #expect(records.products == [])
        #expect(records.errors.first?.line == 2)
    }

    @Test func `A row that is longer than a row may be is skipped to its end`() throws {
        let long = String(repeating: "x", count: 3 << 20)
        let records = try FeedFixture.shopify(Self.header + "a,A,\(long),1\nb,B,,2\n")
        #expect(records.products.map(\.handle) == ["b"])
        #expect(records.products.map(\.line) == [3])
        #expect(records.reports == ["2 - too_long"])
    }

    @Test func `A row that is not UTF-8 is reported`() throws {
        var bytes = Data((Self.header + "a,A,caf?,1\nb,B,,2\n").utf8)
        bytes.replace(Data("?".utf8), with: [0xE9])
        let records = try FeedFixture.folder([:]) { folder in
            let file = folder.appending(path: "latin1.csv")
            try bytes.write(to: file)
            return try FeedFixture.all(ShopifyReader(file: file, currency: .eur))
        }
        #expect(records.products.map(\.handle) == ["b"])
        #expect(records.reports == ["2 - malformed"])
    }

    @Test(
        "A file without a needed column is refused as a whole",
        arguments: [
            ("Handle,Title\na,A\n", ["Variant Price"]), ("Handle;Title;Variant Price\n", nil), ("", nil), ("\n\n", nil),
        ] as [(String, [String]?)])
    func missingColumns(csv: String, columns: [String]?) throws {
        let all = ["Handle", "Title", "Variant Price"]
        #expect(throws: FeedError.missingColumns(columns ?? all, file: "products.csv")) {
            try FeedFixture.shopify(csv)
        }
    }

    @Test func `A file that is not there, and a folder, are refused`() throws {
        try FeedFixture.folder([:]) { folder in
            #expect(throws: FeedError.missingFile("none.csv")) {
                try ShopifyReader(file: folder.appending(path: "none.csv"), currency: .eur)
            }
            #expect(throws: FeedError.self) { try ShopifyReader(file: folder, currency: .eur) }
        }
    }

    @Test func `The first product is handed over before the rest of the file is read`() throws {
        let rows = (0..<5_000).map { "item-\($0),Item \($0),a description of some length,\($0)\n" }.joined()
        try FeedFixture.folder(["products.csv": Self.header + rows]) { folder in
            var reader = try ShopifyReader(file: folder.appending(path: "products.csv"), currency: .eur)
            let total = reader.progress.totalBytes
            #expect(total == Self.header.utf8.count + rows.utf8.count)
            _ = try reader.next()
            #expect(reader.progress.bytesRead <= 1 << 16)
            while try reader.next() != nil {}
            #expect(reader.progress == FeedProgress(bytesRead: total, totalBytes: total, rows: 5_000))
        }
    }
}
