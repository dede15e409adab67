import HummingbirdTesting
import ServerTesting
import Testing

@testable import PouchDomain

@Suite("Imports over HTTP", .serialized, .timeLimit(.minutes(5)), .inShop([], setup: .live))
struct ImportHTTPTests {
    private static let csv = """
        Handle,Title,Variant SKU,Variant Inventory Qty,Variant Price
        cap,Cap,cap,7,11.00
        hat,Hat,hat,3,20.00
        bad,Bad,bad,3,cheap
        """

    private let shop = TestShop.current
    private let admin: Caller

    init() async throws { admin = try await shop.admin() }

    private func send(
        _ body: String, _ query: String = "format=shopify-csv", key: String? = nil
    ) async throws -> Answered<Void> {
        let headers = [String: String].key(key).merging(["Content-Type": "text/csv"]) { $1 }
        return try await admin.send("POST", "/v1/admin/imports?" + query, body, headers: headers)
    }

    /// Sends the head of an upload, and the beginning of its body.
    private func upload(_ framing: String, _ start: some StringProtocol) throws -> RawConnection {
        let connection = try RawConnection(port: #require(shop.client.port))
        let token = try admin.accessToken
        try connection.send(
            "POST /v1/admin/imports?format=shopify-csv HTTP/1.1\r\nHost: shop\r\nAuthorization: Bearer \(token)\r\n"
                + "\(framing)\r\n\r\n\(start)")
        return connection
    }

    private func ids() async throws -> [String] { try await shop.rows("SELECT id FROM imports").map { try $0.text(0) } }

    @Test func `A feed is accepted, imported and reported row by row`() async throws {
        try await shop.stock([.stocked("cap")])
        shop.clock.advance(by: 1)
        let answer = try await send(Self.csv)
        try #require(answer.status == 202, "\(answer.text)")
        let accepted = try CatalogImport(json: answer.body)
        #expect(accepted.rows == 3 && accepted.errors.map(\.line) == [4])
        let path = ["id": accepted.id]
        try await eventually { try await admin.call(Contract.catalogImport, path: path).good().status != .running }
        let report = try await admin.call(Contract.catalogImport, path: path).good()
        let counts: [Int] = [report.created, report.updated, report.unchanged, report.failed]
        #expect(report.status == .published && counts == [1, 1, 0, 1])
        #expect(try await shop.available("hat") == 3)
        shop.clock.advance(by: 1)
        #expect(try await shop.anyone.call(Contract.product, path: ["handle": "cap"]).good().price == Money(1100, .eur))
        try await admin.call(Contract.catalogImport, path: ["id": "imp_x"]).problem(.notFound)
    }

    @Test(arguments: [false, true])
    func `One JSON object holds the three files of a LAYERS feed`(wrapsFiles: Bool) async throws {
        let seasons = #"[{"id": "71", "name": "Spring"}]"#
        let products =
            #"[{"name": "Cap", "style": "71601", "category": "Hats", "season": "Spring", "price": {"retail": "10.00"}}]"#
        let slides = #"[{"style": "71601"}]"#
        let feed =
            wrapsFiles
            ? #"{"slides": \#(slides), "products": {"products": \#(products)}, "seasons": {"seasons": \#(seasons)}}"#
            : #"{"slides": \#(slides), "products": \#(products), "seasons": \#(seasons)}"#
        #expect(try await admin.importCSV(feed, "format=layers-json").created == 1)
        shop.clock.advance(by: 1)
        #expect(try await shop.anyone.call(Contract.products, query: "season=71").good().items.map(\.name) == ["Cap"])
        #expect(try await shop.anyone.call(Contract.seasons).good().items.map(\.name) == ["Spring"])
    }

    @Test func `A date in a feed is in the shop's time zone`() async throws {
        let berlin = try #require(TimeZone(identifier: "Europe/Berlin"))
        let shipping = ShopSettings.standard().shipping
        let settings = ShopSettings(currency: .eur, country: "DE", timeZone: berlin, shipping: shipping)
        try await TestShop.open([], configure: { $0.shop = settings }) { shop in
            let feed = #"{"seasons": [{"id": "71", "name": "Spring", "startsAt": "2026-07-01"}], "products": []}"#
            #expect(try await shop.admin().importCSV(feed, "format=layers-json").status == .published)
            shop.clock.advance(by: 1)
            let season = try #require(try await shop.anyone.call(Contract.seasons).good().items.first)
            #expect(season.startsAt == (try Date("2026-06-30T22:00:00Z", strategy: .iso8601)))
        }
    }

    @Test func `A feed sent again with its key is imported once`() async throws {
        // Longer than one chunk of the hash.
        let feed = Self.csv + String(repeating: "\n", count: 3 << 20)
        let first = try await send(feed, key: "k")
        #expect(first.status == 202 && first.replayed == nil)
        let again = try await send(feed, key: "k")
        #expect(again.status == 202 && again.body == first.body && again.replayed == "true")
        try await send(feed + "\n", key: "k").problem(.idempotencyKeyReused)
        try await send(feed, "format=shopify-csv&dryRun=true", key: "k").problem(.idempotencyKeyReused)
        try await send(feed, key: "no key").problem(.invalidHeader)
        #expect(try await ids().count == 1)
        try await eventually { try await shop.available("hat") == 3 }
        #expect(try await admin.importCSV(feed).unchanged == 2)
    }

    @Test func `Of concurrent requests with one key one is imported; others are replayed or refused`() async throws {
        let answers = try await parallel(12) { _ in try await send(Self.csv, key: "k") }
        for answer in answers where answer.status != 202 { try answer.problem(.idempotencyKeyInUse) }
        let good = answers.filter { $0.status == 202 }
        #expect(Set(good.map(\.body)).count == 1 && good.count { $0.replayed == nil } == 1)
        #expect(try await ids().count == 1)
    }

    @Test func `A refused feed leaves its key unused`() async throws {
        for _ in 0..<2 { try await send("Handle\ncap\n", key: "k").problem(.invalidFeed) }
        #expect(try await send(Self.csv, key: "k").status == 202)
        try await eventually { try await shop.available("hat") == 3 }
    }

    @Test func `An unreadable feed is refused, and nothing of it is stored`() async throws {
        try await send("Handle\ncap\n").problem(.invalidFeed)
        try await send("{\"products\": [", "format=layers-json").problem(.invalidFeed)
        try await send(Self.csv, "format=xml").problem(.invalidQuery)
        try await send(Self.csv, "").problem(.invalidQuery)
        #expect(try await shop.rows("SELECT 1 FROM import_records").isEmpty)
        #expect(try await shop.rows("SELECT 1 FROM imports WHERE phase <> 'ended'").isEmpty)
    }

    @Test func `A feed above the size limit is refused before it is read`() async throws {
        let connection = try upload("Content-Length: \(Limits.importBytes + 1)", "Handle,Title")
        #expect(await connection.receive().hasPrefix("HTTP/1.1 413"))
    }

    @Test func `A feed whose sender signs out during the upload changes nothing`() async throws {
        let middle = Self.csv.index(Self.csv.startIndex, offsetBy: 80)
        let connection = try upload("Content-Length: \(Self.csv.utf8.count)", Self.csv[..<middle])
        try await admin.signOut()
        try connection.send(String(Self.csv[middle...]))
        #expect(await connection.receive().hasPrefix("HTTP/1.1 401"))
        #expect(try await shop.store.read { try $0.catalog.version() } == 0)
    }

    @Test func `A feed whose sender disconnects leaves nothing`() async throws {
        for (framing, size) in [("Content-Length: 100000", ""), ("Transfer-Encoding: chunked", "1000\r\n")] {
            try upload(framing, size + Self.csv).close()
        }
        // A complete feed is imported after those that were cut off.
        #expect(try await [admin.importCSV(Self.csv).id] == ids())
    }
}

/// Which product and which variant a row is, and what none may become.
@Suite("Identities of imported rows", .timeLimit(.minutes(5)), .inShop([]))
struct ImportIdentityTests {
    private let shop = TestShop.current
    private let admin: Caller

    init() async throws { admin = try await shop.admin() }

    /// Imports rows of handle, title, option, its value, SKU, price and stock.
    @discardableResult
    private func load(_ rows: String) async throws -> CatalogImport {
        let header = "Handle,Title,Option1 Name,Option1 Value,Variant SKU,Variant Price,Variant Inventory Qty\n"
        return try await admin.importCSV(header + rows)
    }

    /// The name and the SKUs of each product.
    private func names() async throws -> [String: [String]] {
        let products = try await admin.pages(Contract.managedProducts, limit: 200).joined()
        return Dictionary(uniqueKeysWithValues: products.map { ($0.handle, [$0.name] + $0.variants.map(\.sku)) })
    }

    @Test(arguments: [true, false])
    func `Two similar handles are two products, in one file and in two`(inOneFile: Bool) async throws {
        let rows = ["café,Café,,,X1,5,1\n", "cafe,Cafe,,,X2,6,1\n"]
        for file in inOneFile ? [rows.joined()] : rows { try await load(file) }
        let expected = ["cafe": ["Café", "X1"], "cafe-2": ["Cafe", "X2"]]
        #expect(try await names() == expected)
        // Also in another order, and in another form of the accent.
        for file in [rows.joined(), rows[1] + rows[0], rows.joined().decomposedStringWithCanonicalMapping] {
            let again = try await load(file)
            #expect(again.unchanged == 2 && again.failed == 0 && again.notes == [])
        }
        #expect(try await names() == expected)
        let own = try await admin.importCSV(try await admin.export())
        #expect(own.unchanged == 2 && own.created == 0 && own.notes == [])
    }

    @Test func `A product that was renamed in the shop still matches its row in the file`() async throws {
        try await load("cap,Cap,,,C,5,1\n")
        try await admin.change(product: "cap") { $0.handle = "flat-cap" }.good()
        let again = try await load("cap,Cap,,,C,5,1\n")
        #expect(again.unchanged == 1 && again.created == 0)
        #expect(try await names() == ["flat-cap": ["Cap", "C"]])
    }

    @Test func `Variants that differ in nothing are one variant, and the other rows are reported`() async throws {
        let report = try await load(
            "tee,Tee,Size,S,T1,5,1\ntee,,,S,T2,5,1\ntee,,,M,T3,5,1\none,One,,,O1,5,1\none,,,,O2,5,1\n")
        #expect(report.errors.map(\.line) == [3, 6] && Set(report.errors.map(\.code)) == ["duplicate_variant"])
        #expect(try await names() == ["tee": ["Tee", "T1", "T3"], "one": ["One", "O1"]])
        // Both can be changed by hand.
        for name in ["tee", "one"] { try await admin.change(product: name) { $0.description = .set("Soft") }.good() }
    }

    @Test func `A SKU that is used again is extended, the same in every import and in every shop`() async throws {
        let rows = ["wig,Wig,Colour,Black,W,5,1\n", "wig,,,Brown,W,6,2\n", "bun,Bun,,,W,7,3\n"]
        let expected = ["wig": ["Wig", "W", "W-wig-brown"], "bun": ["Bun", "W-bun"]]
        let first = try await load(rows.joined())
        #expect(first.created == 2 && first.failed == 0)
        #expect(first.notes.map(\.line) == [3, 4] && Set(first.notes.map(\.code)) == ["duplicate_sku"])
        #expect(try await names() == expected)
        for file in [rows, [rows[2], rows[0], rows[1]]] {
            let again = try await load(file.joined())
            #expect(again.unchanged == 2 && again.failed == 0 && again.notes.count == 2)
        }
        // The second row with the SKU alone finds its variant, too.
        try await load("wig,Wig,Colour,Brown,W,6,9\nwig,,,Black,W,5,1\n")
        #expect(try await shop.available("W-wig-brown") == 9)
        #expect(try await names() == expected)
    }

    @Test func `A variant whose SKU changed in the file keeps its own, with a note`() async throws {
        try await load("tee,Tee,Size,S,T1,5,1\n")
        let report = try await load("tee,Tee,Size,S,T9,6,1\n")
        #expect(report.updated == 1 && report.failed == 0 && report.notes.map(\.code) == ["changed"])
        let tee = try await admin.product("tee")
        #expect(tee.variants.map(\.sku) == ["T1"] && tee.variants.map(\.price.amount) == [600])
    }

    @Test func `A file with other options than variants that stay is refused, and changes nothing`() async throws {
        try await load("tee,Tee,Size,S,T1,5,1\ntee,,,M,T2,5,1\n")
        let before = try await admin.product("tee")
        let report = try await load("tee,Tee,Colour,Red,T1,6,1\n")
        #expect(report.errors.map(\.code) == ["conflict"] && report.updated == 0)
        #expect(try await admin.product("tee") == before)
        // All variants may change together.
        let all = try await load("tee,Tee,Colour,Red,T1,6,1\ntee,,,Blue,T2,6,1\n")
        #expect(all.updated == 1 && all.failed == 0)
        let options = try await admin.product("tee").details.options
        #expect(options == [ProductOption(name: "Colour", values: ["Red", "Blue"])])
    }

    @Test func `Rows and options in another order change nothing`() async throws {
        try await load("nc,Coat,Size,S,N1,5,1\nother,Other,,,O,5,1\nnc,,,M,N2,6,1\nnc,,,L,N3,4,1\n")
        let options = [ProductOption(name: "Size", values: ["S", "M", "L"])]
        #expect(try await admin.product("nc").details.options == options)
        let lines = try await admin.export().split(separator: "\r\n")
        let sorted = [lines[0]] + lines.dropFirst().sorted(by: >)
        for file in [sorted, [lines[0]] + lines.dropFirst().reversed()] {
            let again = try await admin.importCSV(file.joined(separator: "\r\n") + "\r\n")
            #expect(again.unchanged == 2 && again.updated == 0 && again.failed == 0)
        }
    }

    @Test func `A product with equal variants can be changed, but gets no more of them`() async throws {
        try await shop.stock([.sized("tee", stock: [("S", 1), ("M", 1), ("L", 1)])])
        _ = try await shop.rows("UPDATE variants SET options = '{\"Size\":\"S\"}' WHERE sku = 'tee-m'")
        try await admin.change(product: "tee") { $0.description = .set("Soft") }.good()
        var terms = try await admin.product("tee").variants.map(VariantTerms.init)
        terms[2].options = ["Size": "S"]
        try await admin.change(product: "tee") { $0.variants = terms }.problem(.validationFailed)
    }

    @Test func `A product of an unknown status is a draft, with notes about all that was changed`() async throws {
        let header = "Handle,Title,Vendor,Status,Variant Price,Variant Inventory Qty\n"
        let report = try await admin.importCSV(header + "a,A,Acme,unlisted,5,-3\n")
        #expect(report.failed == 0 && report.errors == [] && report.created == 1)
        #expect(report.notes.map(\.field) == ["Status", "Variant Inventory Qty", "Vendor"])
        #expect(try await admin.product("a").status == .draft)
        shop.clock.advance(by: 1)
        #expect(try await shop.anyone.call(Contract.products, query: "q=a").good().items == [])
    }
}
