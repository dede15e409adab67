import Foundation
import PouchDomain
import PouchEntities
import PouchImport
import Testing

@Suite("The JSON of a LAYERS feed")
struct LayersSyntaxTests {
    private func read(_ json: String, chunkSize: Int = 1 << 16) throws -> [FeedRecord] {
        try FeedFixture.folder(["products.json": json]) { folder in
            try FeedFixture.all(
                LayersReader(folder: folder, currency: .eur, defaultStock: 0, chunkSize: chunkSize))
        }
    }

    private func row(_ name: String) -> String {
        #"{"name": "\#(name)", "style": "71101", "category": "C", "price": {"retail": 1}}"#
    }

    @Test("The size of the chunks makes no difference, whatever they cut", arguments: [1, 2, 3, 5, 8, 13])
    func chunks(size: Int) throws {
        let json =
            "\u{FEFF}{\"x\": [{\"products\": [\(row("no"))]}], \"y\": {\"products\": [1]},\r\n\"products\" : [\r\n"
            + row(#"é\"]}\\"#) + " ,\n " + row("{[b") + ",17,\n\n" + row("c") + "],\n\"products\": [\(row("again"))]}\n"
        let whole = try read(json)
        #expect(try read(json, chunkSize: size) == whole)
        #expect(whole.products.map(\.name) == ["é\"]}\\", "{[b", "c"])
        #expect(whole.products.map(\.line) == [3, 4, 6])
        #expect(whole.reports == ["4 - invalid"])
    }

    @Test func `A string that is never closed costs its own object only`() throws {
        let open = ["{\"name\": \"open,\n\"style\": \"1\"}", "{\"name\": \"open, \"style\": {\"a\": [1, {\"b\": 2}]}}"]
        let records = try read("{\"products\": [\n\(open[0]),\n\(open[1]),\n\(row("b"))]}")
        #expect(records.reports == ["2 - malformed", "4 - malformed"])
        #expect(records.products.map(\.name) == ["b"])
    }

    @Test func `An object that is too long is skipped to its end`() throws {
        let records = try read("{\"products\": [\n\(row(String(repeating: "x", count: 1 << 20))),\n\(row("b"))]}")
        #expect(records.reports == ["2 - too_long"])
        #expect(records.products.map(\.line) == [3])
    }

    @Test(
        "A file whose structure is broken is refused with the line",
        arguments: [
            ("", 1), ("{\"products\": [\n{\"name\": 1", 2), ("{\"products\": [\n{}}\n]", 2),
            ("{\"products\": []}\n{}", 2),
            ("{}", 1), ("[]", 1), ("\nproducts", 2), ("{\"products\": {}}", 1), ("{\"products\": []", 1),
            ("{\"products\": [\n\n" + String(repeating: "[", count: 5000), 3),
        ])
    func broken(json: String, line: Int) throws {
        let error = #expect(throws: FeedError.self) { try read(json) }
        guard case .malformed("products.json", line, _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test func `The first product is handed over before the rest of the file is read`() throws {
        let rows = (100..<5_100).map { row("\($0)") }.joined(separator: ",\n")
        try FeedFixture.folder(["products.json": "{\"products\": [\n\(rows)\n]}", "slides.json": "[]"]) { folder in
            var reader = try LayersReader(folder: folder, currency: .eur)
            _ = try reader.next()
            #expect(reader.progress.bytesRead <= 1 << 16)
            while try reader.next() != nil {}
            let total = "{\"products\": [\n\(rows)\n]}".utf8.count + 2
            #expect(reader.progress == FeedProgress(bytesRead: total, totalBytes: total, rows: 5_000))
        }
    }
}
