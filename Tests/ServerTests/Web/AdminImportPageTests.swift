import ServerTesting
import Testing

@Suite("Imports in the administration", .inShop(), .serialized, .timeLimit(.minutes(5)))
struct AdminImportPageTests {
    private static let csv = """
        Handle,Title,Variant SKU,Variant Inventory Qty,Variant Price
        cap,Cap,cap,7,11.00
        hat,"Hat <script>alert(1)</script>",hat,3,20.00
        bad,Bad,bad,3,"<img src=x onerror=alert(1)>"
        """

    private let shop = TestShop.current

    private func send(
        _ visitor: WebVisitor, _ text: String = csv, _ values: [String: String?] = [:]
    ) async throws -> WebPage {
        let file = WebFile(name: "<b>feed</b>.csv", mediaType: "text/csv", bytes: Data(text.utf8))
        return try await visitor.submit(at: "/admin/import", values, files: ["file": file])
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
        let manager = try await shop.member(.manager)
        let first = try await send(manager)
        #expect(first.status == 200 && first.location?.hasPrefix("/admin/import/imp_") == true)
        let page = try await ended(first, manager)
        #expect(page.words.contains("Published") && page.words.contains("1 row has an error"))
        #expect(page.words.contains("<img src=x onerror=alert(1)>") && page.dangers == [])
        #expect(!page.text.contains("http-equiv=\"refresh\""))
        #expect(try await shop.available("hat") == 3)
        #expect(try await shop.available("cap") == 7)
        #expect(try await shop.available("bad") == nil)
    }

    @Test func `Notes are listed as texts, and are no errors`() async throws {
        let owner = try await shop.member(.owner)
        let csv = "Handle,Title,<b>Vendor</b>,Variant Price\ncap,Cap,Acme,10\nhat,Hat,Acme,10\n"
        let page = try await ended(try await send(owner, csv), owner)
        #expect(page.words.contains("1 note") && page.words.contains("<b>Vendor</b>"))
        #expect(page.words.contains("the shop does not use this column (2 rows)"))
        #expect(!page.words.contains("has an error") && page.dangers == [])
    }

    @Test func `A dry run counts the changes and makes none`() async throws {
        let owner = try await shop.member(.owner)
        let page = try await ended(try await send(owner, Self.csv, ["dryRun": "true"]), owner)
        #expect(page.words.contains("Dry run") && page.words.contains("Nothing was changed."))
        #expect(try await shop.available("hat") == nil)
        #expect(try await shop.available("cap") == 10)
    }

    @Test func `A feed of another format, none at all and one that was cut change nothing`() async throws {
        let owner = try await shop.member(.owner)
        let feeds: [(text: String, format: String?)] = [
            ("{", "layers-json"), ("no,columns\n1,2", nil), ("", "layers-json"),
        ]
        for (text, format) in feeds {
            let page = try await send(owner, text, format.map { ["format": $0] } ?? [:])
            #expect(page.status == 422 && page.hasAlert && page.dangers == [], "\(text)")
            #expect(page.text.contains(#"value="layers-json" checked"#) == (format != nil), "\(text)")
        }
        let missing = try await owner.submit(at: "/admin/import")
        #expect(missing.status == 422 && missing.links.contains("#f-file"))
        let file = WebFile(name: "a.csv", mediaType: "text/csv", bytes: Data(Self.csv.utf8))
        let whole = try await WebFile.multipart(owner.get("/admin/import").form("/admin/import").fields, ["file": file])
        let cut = (type: whole.type, bytes: Data(whole.bytes.prefix(whole.bytes.count - 50)))
        #expect(try await owner.post("/admin/import", cut).status == 400)
        #expect(try await shop.available("hat") == nil)
        #expect(try await shop.available("cap") == 10)
    }

    @Test func `The page of a running import reloads itself`() async throws {
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

    @Test func `Members who may read products can download them as a file`() async throws {
        let file = try await shop.member(.support).get("/admin/exports/products")
        #expect(file.status == 200 && file.text.contains("scarf-m"))
        #expect(file.header("Content-Disposition")?.contains("products.csv") == true)
    }
}
