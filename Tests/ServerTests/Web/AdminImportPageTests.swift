import Foundation
import PouchContract
import PouchDomain
import PouchEntities
import PouchImport
import PouchStorage
import PouchWire
import Testing

@Suite("Imports in the administration", .serialized, .timeLimit(.minutes(5)))
struct AdminImportPageTests {
    private static let csv = """
        Handle,Title,Variant SKU,Variant Inventory Qty,Variant Price
        cap,Cap,cap,7,11.00
        hat,"Hat <script>alert(1)</script>",hat,3,20.00
        bad,Bad,bad,3,"<img src=x onerror=alert(1)>"
        """

    private func send(
        _ visitor: WebVisitor, _ text: String = csv, _ values: [String: String?] = [:]
    ) async throws -> WebPage {
        let file = WebFile(name: "<b>feed</b>.csv", mediaType: "text/csv", bytes: Data(text.utf8))
        return try await visitor.submit(
            try await visitor.get("/admin/import"), action: "/admin/import", values, files: ["file": file])
    }

    /// The report once the import has ended.
    private func ended(_ page: WebPage, _ visitor: WebVisitor) async throws -> WebPage {
        let address = try #require(page.location)
        var found = page
        try await eventually {
            found = try await visitor.get(address)
            return !found.words.contains("Running")
        }
        return found
    }

    @Test func `A feed is imported, and its bad row is reported as a text`() async throws {
        try await TestShop.open { shop in
            let owner = try await shop.member(.manager)
            let first = try await send(owner)
            #expect(first.status == 200 && first.location?.hasPrefix("/admin/import/imp_") == true)
            let page = try await ended(first, owner)
            #expect(page.words.contains("Published") && page.words.contains("1 row has an error"))
            #expect(page.words.contains("<img src=x onerror=alert(1)>"))
            #expect(MarkupScan(page.text).dangers == [])
            #expect(!page.text.contains("http-equiv=\"refresh\""))
            #expect(try await shop.available("hat") == 3)
            #expect(try await shop.available("cap") == 7)
            #expect(try await shop.available("bad") == nil)
        }
    }

    @Test func `Notes are listed as texts, and are no errors`() async throws {
        try await TestShop.open { shop in
            let owner = try await shop.member(.owner)
            let csv = "Handle,Title,<b>Vendor</b>,Variant Price\ncap,Cap,Acme,10\nhat,Hat,Acme,10\n"
            let page = try await ended(try await send(owner, csv), owner)
            #expect(page.words.contains("1 note") && page.words.contains("<b>Vendor</b>"))
            #expect(page.words.contains("the shop does not use this column (2 rows)"))
            #expect(!page.words.contains("has an error") && MarkupScan(page.text).dangers == [])
        }
    }

    @Test func `A trial counts the changes and makes none`() async throws {
        try await TestShop.open { shop in
            let owner = try await shop.member(.owner)
            let page = try await ended(try await send(owner, Self.csv, ["dryRun": "true"]), owner)
            #expect(page.words.contains("Dry run") && page.words.contains("Nothing was changed."))
            #expect(try await shop.available("hat") == nil)
            #expect(try await shop.available("cap") == 10)
        }
    }

    @Test func `A feed of another format, none at all and one that was cut change nothing`() async throws {
        try await TestShop.open { shop in
            let owner = try await shop.member(.owner)
            for (text, values) in [
                ("{", ["format": "layers-json"]), ("no,columns\n1,2", [:]), ("", ["format": "layers-json"]),
            ] as [(String, [String: String?])] {
                let page = try await send(owner, text, values)
                #expect(page.status == 422 && page.text.contains(#"role="alert""#), "\(text)")
                #expect(MarkupScan(page.text).dangers == [], "\(text)")
                let isLayers = page.text.contains(#"value="layers-json" checked"#)
                #expect(isLayers == (values["format"] != nil))
            }
            let page = try await owner.get("/admin/import")
            let missing = try await owner.submit(page, action: "/admin/import")
            #expect(missing.status == 422 && missing.links.contains("#f-file"))
            var cut = "--b\r\n"
            for (name, value) in page.fields(of: "/admin/import") {
                cut += "Content-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(value)\r\n--b\r\n"
            }
            cut += "Content-Disposition: form-data; name=\"file\"; filename=\"a.csv\"\r\n\r\n\(Self.csv)\r\n"
            let cookies = owner.cookies.map { "\($0.key)=\($0.value)" }.joined(separator: "; ")
            let answer = try await shop.anyone.send(
                "POST", "/admin/import", bytes: Data(cut.utf8),
                headers: ["Content-Type": "multipart/form-data; boundary=b", "Cookie": cookies])
            #expect(answer.status == 400, "\(answer.status)")
            #expect(try await shop.available("hat") == nil)
            #expect(try await shop.available("cap") == 10)
        }
    }

    @Test func `The page of a running import loads itself again`() async throws {
        try await TestShop.open { shop in
            // An import that is being received until it is given up.
            let record = ImportRecord(id: "imp_slow", isDryRun: false)
            let now = shop.clock.now
            try await shop.store.write { try $0.imports.create(record, at: now) }
            let page = try await shop.member(.readOnly).get("/admin/import/imp_slow")
            #expect(page.text.contains(#"<noscript><meta http-equiv="refresh" content="2"></noscript>"#))
            #expect(page.text.contains(#"data-follow="/admin/import/imp_slow""#) && page.words.contains("Running"))
            #expect(!page.text.contains(#"type="file""#))
            #expect(try await shop.member(.owner).get("/admin/import/imp_none").status == 404)
        }
    }

    @Test func `Members who may read products can download them as a file`() async throws {
        try await TestShop.open { shop in
            let file = try await shop.member(.support).get("/admin/exports/products")
            #expect(file.status == 200 && file.text.contains("scarf-m"))
            #expect(file.header("Content-Disposition")?.contains("products.csv") == true)
            #expect(try await WebVisitor(shop).get("/admin/exports/products").status == 303)
        }
    }
}
