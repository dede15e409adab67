import Foundation
import HummingbirdTesting
import PouchContract
import PouchDomain
import PouchEntities
import PouchHTTP
import PouchJSON
import PouchServer
import PouchStorage
import PouchWire
import ServerTesting
import Testing

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

    private func ids() async throws -> [String] {
        try await shop.rows("SELECT id FROM imports").map { try $0.text(0) }
    }

    // MARK: Effects

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
        let cap = try await shop.anyone.call(Contract.product, path: ["handle": "cap"]).good()
        #expect(cap.price == Money(1100, .eur))
        try await admin.call(Contract.catalogImport, path: ["id": "imp_x"]).problem(.notFound)
    }

    @Test func `A dry run reports the changes and makes none`() async throws {
        try await shop.stock([.stocked("cap")])
        shop.clock.advance(by: 1)
        let report = try await admin.importCSV(Self.csv, "format=shopify-csv&dryRun=true")
        #expect(report.status == .dryRun && report.created == 1 && report.updated == 1)
        #expect(try await shop.available("hat") == nil)
        for table in ["products", "variants"] {
            #expect(try await shop.rows("SELECT 1 FROM \(table) WHERE revision > 1").isEmpty)
        }
        #expect(try await shop.rows("SELECT 1 FROM stock WHERE sku = 'hat'").isEmpty)
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
        let listed = try await shop.anyone.call(Contract.products, query: "season=71").good().items
        #expect(listed.map(\.name) == ["Cap"])
        #expect(try await shop.anyone.call(Contract.seasons).good().items.map(\.name) == ["Spring"])
    }

    @Test func `A date in a feed is in the shop's time zone`() async throws {
        let standard = ShopSettings.standard()
        let settings = ShopSettings(
            currency: standard.currency, country: standard.country,
            timeZone: try #require(TimeZone(identifier: "Europe/Berlin")), shipping: standard.shipping)
        try await TestShop.open([], configure: { $0.shop = settings }) { shop in
            let feed = #"{"seasons": [{"id": "71", "name": "Spring", "startsAt": "2026-07-01"}], "products": []}"#
            #expect(try await shop.admin().importCSV(feed, "format=layers-json").status == .published)
            shop.clock.advance(by: 1)
            let season = try #require(try await shop.anyone.call(Contract.seasons).good().items.first)
            #expect(season.startsAt == (try Date("2026-06-30T22:00:00Z", strategy: .iso8601)))
        }
    }

    // MARK: Keys

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

    @Test func `Of concurrent requests with one key one is imported; the others are replayed or refused as in use`()
        async throws
    {
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

    // MARK: Refusals

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
        let whole = try await admin.importCSV(Self.csv)
        #expect(try await ids() == [whole.id])
    }
}
