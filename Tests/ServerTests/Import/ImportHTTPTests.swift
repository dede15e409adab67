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

@Suite("Imports over HTTP", .serialized, .timeLimit(.minutes(5)))
struct ImportHTTPTests {
    private static let csv = """
        Handle,Title,Variant SKU,Variant Inventory Qty,Variant Price
        cap,Cap,cap,7,11.00
        hat,Hat,hat,3,20.00
        bad,Bad,bad,3,cheap
        """

    private func ended(_ id: String, for admin: Caller) async throws -> CatalogImport {
        var found: CatalogImport?
        try await eventually {
            let answer = try await admin.call(Contract.catalogImport, path: ["id": id]).good()
            found = answer
            return answer.status != .running
        }
        return try #require(found)
    }

    private func send(
        _ body: String, _ query: String = "format=shopify-csv", key: String? = nil, as caller: Caller
    ) async throws -> Answered<Void> {
        var headers = ["Content-Type": "text/csv"]
        headers[HeaderName.idempotencyKey] = key
        return try await caller.send("POST", "/v1/admin/imports?" + query, body, headers: headers)
    }

    private func expectAccepted(_ answer: Answered<Void>) throws -> CatalogImport {
        try #require(answer.status == 202, "\(answer.text)")
        return try CatalogImport(json: answer.body)
    }

    @Test func `A feed is accepted, imported and reported row by row`() async throws {
        try await TestShop.open { shop in
            let admin = try await shop.admin()
            let accepted = try expectAccepted(try await send(Self.csv, as: admin))
            #expect(accepted.rows == 3 && accepted.errors.map(\.line) == [4])
            let report = try await ended(accepted.id, for: admin)
            #expect(report.status == .published)
            let counts: [Int] = [report.created, report.updated, report.unchanged, report.failed]
            #expect(counts == [1, 1, 0, 1])
            #expect(try await shop.available("hat") == 3)
            shop.clock.advance(by: 1)
            let cap = try await shop.anyone.call(Contract.product, path: ["handle": "cap"]).good()
            #expect(cap.price == Money(1100, .eur))
        }
    }

    @Test func `A feed whose sender signs out during the upload changes nothing`() async throws {
        try await TemporaryFolder.use { folder in
            var configuration = ServerConfiguration(database: try await TestDatabase(in: folder).address)
            configuration.dataFolder = folder
            configuration.passwordCost = .init(log2N: 4, blockSize: 8, parallelism: 1)
            try await withServer(configuration) { shop, port in
                _ = try await shop.services.accounts.create(
                    name: "Grace", email: "grace@example.com", password: .password, role: .admin)
                let admin = try await Transport.tcp(port: port).signIn("grace@example.com")
                let token = try #require(admin.session?.remoteSession.accessToken)
                let connection = try RawConnection(port: port)
                let middle = Self.csv.index(Self.csv.startIndex, offsetBy: 80)
                try connection.send(
                    """
                    POST /v1/admin/imports?format=shopify-csv HTTP/1.1\r
                    Host: shop\r
                    Authorization: Bearer \(token)\r
                    Content-Length: \(Self.csv.utf8.count)\r
                    \r
                    \(Self.csv[..<middle])
                    """)
                try await admin.call(Contract.signOut).good()
                try connection.send(String(Self.csv[middle...]))
                #expect(await connection.receive().hasPrefix("HTTP/1.1 401"))
                #expect(try await shop.services.store.read { try $0.catalog.version() } == 0)
            }
        }
    }

    @Test func `A dry run reports the changes and makes none`() async throws {
        try await TestShop.open { shop in
            let admin = try await shop.admin()
            let accepted = try expectAccepted(try await send(Self.csv, "format=shopify-csv&dryRun=true", as: admin))
            let report = try await ended(accepted.id, for: admin)
            #expect(report.status == .dryRun && report.created == 1 && report.updated == 1)
            #expect(try await shop.available("hat") == nil)
            for table in ["products", "variants"] {
                #expect(try await shop.rows("SELECT 1 FROM \(table) WHERE revision > 1").isEmpty)
            }
            #expect(try await shop.rows("SELECT 1 FROM stock WHERE sku = 'hat'").isEmpty)
        }
    }

    @Test(arguments: [false, true])
    func `One JSON object holds the three files of a LAYERS feed`(wrapsFiles: Bool) async throws {
        try await TestShop.open([]) { shop in
            let admin = try await shop.admin()
            let seasons = #"[{"id": "71", "name": "Spring"}]"#
            let products =
                #"[{"name": "Cap", "style": "71601", "category": "Hats", "season": "Spring", "price": {"retail": "10.00"}}]"#
            let slides = #"[{"style": "71601"}]"#
            let feed =
                wrapsFiles
                ? #"{"slides": \#(slides), "products": {"products": \#(products)}, "seasons": {"seasons": \#(seasons)}}"#
                : #"{"slides": \#(slides), "products": \#(products), "seasons": \#(seasons)}"#
            let accepted = try expectAccepted(try await send(feed, "format=layers-json", as: admin))
            #expect(try await ended(accepted.id, for: admin).created == 1)
            shop.clock.advance(by: 1)
            let listed = try await shop.anyone.call(Contract.products, query: "season=71").good().items
            #expect(listed.map(\.name) == ["Cap"])
            #expect(try await shop.anyone.call(Contract.seasons).good().items.map(\.name) == ["Spring"])
        }
    }

    @Test func `A date in a feed is in the shop's time zone`() async throws {
        let berlin = try #require(TimeZone(identifier: "Europe/Berlin"))
        let standard = ShopSettings.standard()
        let settings = ShopSettings(
            currency: standard.currency, country: standard.country, timeZone: berlin, shipping: standard.shipping)
        try await TestShop.open([], configure: { $0.shop = settings }) { shop in
            let admin = try await shop.admin()
            let feed = #"{"seasons": [{"id": "71", "name": "Spring", "startsAt": "2026-07-01"}], "products": []}"#
            let accepted = try expectAccepted(try await send(feed, "format=layers-json", as: admin))
            #expect(try await ended(accepted.id, for: admin).status == .published)
            shop.clock.advance(by: 1)
            let season = try #require(try await shop.anyone.call(Contract.seasons).good().items.first)
            #expect(season.startsAt == (try Date("2026-06-30T22:00:00Z", strategy: .iso8601)))
        }
    }

    @Test func `A feed sent again with its key is imported once`() async throws {
        try await TestShop.open([]) { shop in
            let admin = try await shop.admin()
            // Longer than one chunk of the hash.
            let feed = Self.csv + String(repeating: "\n", count: 3 << 20)
            let first = try await send(feed, key: "k", as: admin)
            let accepted = try expectAccepted(first)
            #expect(first.header(HeaderName.idempotentReplayed) == nil)
            #expect(try await ended(accepted.id, for: admin).created == 2)
            let again = try await send(feed, key: "k", as: admin)
            #expect(again.status == 202 && again.body == first.body)
            #expect(again.header(HeaderName.idempotentReplayed) == "true")
            try await send(feed + "\n", key: "k", as: admin).problem(.idempotencyKeyReused)
            try await send(feed, "format=shopify-csv&dryRun=true", key: "k", as: admin).problem(.idempotencyKeyReused)
            try await send(feed, key: "no key", as: admin).problem(.invalidHeader)
            #expect(try await shop.rows("SELECT id FROM imports").count == 1)
            let other = try expectAccepted(try await send(feed, key: "l", as: admin))
            #expect(try await ended(other.id, for: admin).unchanged == 2)
        }
    }

    @Test func `Of concurrent requests with one key one is imported; the others are replayed or refused as in use`()
        async throws
    {
        try await TestShop.open([]) { shop in
            let admin = try await shop.admin()
            let answers = try await parallel(12) { _ in try await send(Self.csv, key: "k", as: admin) }
            for answer in answers where answer.status != 202 { try answer.problem(.idempotencyKeyInUse) }
            let good = answers.filter { $0.status == 202 }
            #expect(Set(good.map(\.body)).count == 1)
            #expect(good.count { $0.header(HeaderName.idempotentReplayed) == nil } == 1)
            #expect(try await shop.rows("SELECT id FROM imports").count == 1)
        }
    }

    @Test func `A refused feed leaves its key unused`() async throws {
        try await TestShop.open([]) { shop in
            let admin = try await shop.admin()
            for _ in 0..<2 { try await send("Handle\ncap\n", key: "k", as: admin).problem(.invalidFeed) }
            let accepted = try expectAccepted(try await send(Self.csv, key: "k", as: admin))
            #expect(try await ended(accepted.id, for: admin).status == .published)
        }
    }

    @Test func `Only administrators can send a feed or read an import`() async throws {
        try await TestShop.open { shop in
            let (guest, customer) = (try await shop.guest(), try await shop.customer())
            for caller in [guest, customer] {
                try await send(Self.csv, as: caller).problem(.forbidden)
                try await caller.call(Contract.catalogImport, path: ["id": "imp_x"]).problem(.forbidden)
            }
            try await send(Self.csv, as: shop.anyone).problem(.unauthenticated)
            let admin = try await shop.admin()
            try await admin.call(Contract.catalogImport, path: ["id": "imp_x"]).problem(.notFound)
            #expect(try await shop.available("hat") == nil)
        }
    }

    @Test func `An unreadable feed is refused, and nothing of it is stored`() async throws {
        try await TestShop.open { shop in
            let admin = try await shop.admin()
            try await send("Handle\ncap\n", as: admin).problem(.invalidFeed)
            try await send("{\"products\": [", "format=layers-json", as: admin).problem(.invalidFeed)
            try await send(Self.csv, "format=xml", as: admin).problem(.invalidQuery)
            try await send(Self.csv, "", as: admin).problem(.invalidQuery)
            #expect(try await shop.rows("SELECT 1 FROM import_records").isEmpty)
            #expect(try await shop.rows("SELECT 1 FROM imports WHERE phase <> 'ended'").isEmpty)
        }
    }

    @Test func `A feed above the size limit is refused before it is read`() async throws {
        try await TestShop.open(setup: .live) { shop in
            let admin = try await shop.admin()
            let token = try #require(admin.session).remoteSession.accessToken
            let connection = try RawConnection(port: #require(shop.client.port))
            try connection.send(
                """
                POST /v1/admin/imports?format=shopify-csv HTTP/1.1\r
                Host: localhost\r
                Authorization: Bearer \(token)\r
                Content-Length: \(Limits.importBytes + 1)\r
                \r
                Handle,Title
                """)
            #expect(await connection.receive().hasPrefix("HTTP/1.1 413"))
        }
    }

    @Test func `A feed whose sender disconnects leaves nothing`() async throws {
        try await TestShop.open(setup: .live) { shop in
            let admin = try await shop.admin()
            let token = try #require(admin.session).remoteSession.accessToken
            for framing in ["Content-Length: 100000\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\n1000\r\n"] {
                let connection = try RawConnection(port: #require(shop.client.port))
                try connection.send(
                    "POST /v1/admin/imports?format=shopify-csv HTTP/1.1\r\nHost: localhost\r\n"
                        + "Authorization: Bearer \(token)\r\n" + framing + Self.csv)
                try connection.close()
            }
            // A complete feed is imported after those that were cut off.
            let accepted = try expectAccepted(try await send(Self.csv, as: admin))
            _ = try await ended(accepted.id, for: admin)
            // The other import is the one that stocked the shop.
            let others = try await shop.rows("SELECT id FROM imports WHERE id <> ?", [SQLValue.text(accepted.id)])
            #expect(others.count == 1)
        }
    }
}
