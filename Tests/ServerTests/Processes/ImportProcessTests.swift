import Foundation
import PouchContract
import PouchEntities
import PouchImport
import PouchServer
import PouchStorage
import Subprocess
import ServerTesting
import Testing

@Suite("Imports with pouch-server", .timeLimit(.minutes(10)), .inFolder)
struct ImportProcessTests {
    private let folder = TemporaryFolder.current

    private func handles(_ database: String) async throws -> [String] {
        try await ShopFolder.rows("SELECT handle FROM products ORDER BY handle", in: database).map { try $0.text(0) }
    }

    private func load(_ database: String, _ feed: String, _ more: String = "--format=shopify-csv") async throws
        -> ServerProgram.Outcome
    {
        try await ServerProgram.run("import", "--format", "shopify-csv", more, "--database", database, feed)
    }

    @Test func `Errors of a feed are printed without anything that steers the terminal`() async throws {
        let header = "Handle,Title,Variant SKU,Variant Inventory Qty,Variant Price\n"
        let feed = try folder.file("feed.csv", header + "cap,Cap,cap,3,\u{1B}]0;owned\u{7}\u{9B}2J\u{202E}dear\n")
        let outcome = try await load(try await TestDatabase(in: folder).text, feed)
        #expect(outcome.output.contains("line 2") && outcome.output.contains("dear"), "\(outcome.output)")
        let harmful = outcome.output.unicodeScalars.filter {
            $0.properties.generalCategory == .control && $0 != "\n" || $0 == "\u{202E}"
        }
        #expect(harmful.isEmpty)
    }

    @Test func `Two concurrent imports into a new database both succeed`() async throws {
        let database = try await TestDatabase(in: folder, isFresh: true).text
        let feeds = try ["left", "right"].map { side in
            try ShopFolder.csv(folder, side, products: (0..<1_500).map { ("\(side)-\($0)", 1) } + [("both", 2)])
        }
        let outcomes = try await parallel(2) { try await load(database, feeds[$0]) }
        for outcome in outcomes {
            let output = try outcome.good().output
            #expect(output.contains("1501 products with 1501 variants in 1501 rows"), "\(output)")
        }
        #expect(try await handles(database).count == 3_001)
    }

    @Test func `A killed import leaves the catalogue unchanged, and the next one succeeds`() async throws {
        let database = try await ShopFolder.stocked(folder)
        let feed = try ShopFolder.csv(folder, "large", products: [("cap", 99)] + (0..<60_000).map { ("new-\($0)", 1) })
        let watcher = try DatabaseAddress(database).connect()
        let status = try await ServerProgram.kill(
            "import", "--format", "shopify-csv", "--database", database, feed,
            when: {
                try await watcher.read { try $0.rows("SELECT 1 FROM import_records LIMIT 1000", []) }.count == 1_000
            })
        #expect(status == .signaled(9))
        try await watcher.close()
        #expect(try await handles(database) == ["cap"])

        try await ServerProgram.serve(on: database) { server in #expect(try await server.available() == 10) }
        let small = try ShopFolder.csv(folder, "small", products: [("cap", 12), ("hat", 3)])
        let output = try await load(database, small).good().output
        #expect(output.contains("1 created, 1 updated, 0 unchanged, 0 problems"), "\(output)")
        #expect(try await handles(database) == ["cap", "hat"])
    }

    @Test func `A running server shows the import of another process`() async throws {
        let database = try await ShopFolder.stocked(folder)
        let feed = try ShopFolder.csv(folder, "more", products: [("hat", 3)])
        try await ServerProgram.serve(on: database) { server in
            #expect(try await server.anyone.call(Contract.products).good().items.map(\.handle) == ["cap"])
            try await load(database, feed).good()
            try await eventually { try await server.anyone.call(Contract.products).good().items.count == 2 }
        }
    }

    @Test func `A dry run and a missing feed change nothing`() async throws {
        let database = try await ShopFolder.stocked(folder)
        let feed = try ShopFolder.csv(folder, "more", products: [("hat", 3)])
        #expect(try await load(database, feed, "--dry-run").good().output.contains("1 created"))
        try await load(database, folder.appending(path: "nothing.csv").path).expectFailure("Nothing was imported.")
        let noFolder = try await ServerProgram.run("import", "--format", "layers-json", "--database", database, feed)
        for text in ["\(feed) is not a folder", "--format shopify-csv"] { noFolder.expectFailure(text) }
        #expect(try await load(database, feed, "--if-empty").good().output.contains("nothing was imported"))
        #expect(try await handles(database) == ["cap"])
    }

    @Test func `A server that is killed during an upload leaves no file behind`() async throws {
        let database = try await ShopFolder.stocked(folder)
        try await ShopFolder.makeOwner(database)
        let temporary = folder.appending(path: "temporary")
        try FileManager.default.createDirectory(at: temporary, withIntermediateDirectories: true)
        @Sendable func left() throws -> [String] {
            try FileManager.default.contentsOfDirectory(atPath: temporary.path)
        }
        let killed = try await ServerProgram.serve(
            "--port", "0", "--database", database, environment: ["TMPDIR": temporary.path], signal: .kill
        ) { server in
            let admin = try #require(try await server.signIn("root@example.com").session)
            let connection = try RawConnection(port: server.port)
            try connection.send(
                "POST /v1/admin/imports?format=shopify-csv HTTP/1.1\r\nHost: localhost\r\n"
                    + "Authorization: Bearer \(admin.remoteSession.accessToken)\r\n"
                    + "Content-Length: 100000000\r\n\r\nHandle,Title\n")
            // More than socket buffers hold: once it is sent, the server has written most of it to its file.
            let lines = String(repeating: "cap,Cap\n", count: 4_096)
            #expect(await connection.send(lines, upTo: 32 << 20) >= 32 << 20)
            #expect(try left() == [])
        }
        #expect(killed.status == .signaled(9))
        #expect(try left() == [])
    }

    @Test func `Days in a LAYERS feed are in the shop's time zone`() async throws {
        let database = try await TestDatabase(in: folder).text
        let yaml = """
            currency: EUR
            country: US
            timeZone: America/New_York
            shipping: [{id: standard, name: Standard, estimate: soon, regions: [{rates: [{price: 4.90}]}]}]

            """
        let settings = try folder.file("shop.yaml", yaml)
        let seasons = #"{"seasons": [{"id": "71", "name": "Spring", "startsAt": "2026-07-01"}]}"#
        for (name, text) in [("seasons.json", seasons), ("products.json", #"{"products": []}"#)] {
            _ = try folder.file(name, text)
        }
        try await ServerProgram.run(
            "import", "--format", "layers-json", "--shop", settings, "--database", database, folder.path
        ).good()
        let day = try Date("2026-07-01T04:00:00Z", strategy: .iso8601)
        try await ServerProgram.serve(on: database) { server in
            let season = try #require(try await server.anyone.call(Contract.seasons).good().items.first)
            #expect(season.startsAt == day)
        }
    }

    @Test func `Invalid rows are reported with line and column, and the exit code is 1`() async throws {
        let database = try await TestDatabase(in: folder).text
        let bad = try folder.file("bad.csv", "Handle,Title,Variant Price\ncap,Cap,ten\nhat,Hat,5.00\n")
        let outcome = try await load(database, bad)
        #expect(outcome.status == .exited(1) && outcome.output.contains("line 2, Variant Price:"), "\(outcome.output)")
        #expect(outcome.output.contains("1 created") && outcome.output.contains("Imported:"))
        let none = try await load(database, folder.file("bad.csv", "Handle,Title,Variant Price\nscarf,Scarf,ten\n"))
        #expect(none.status == .exited(1) && none.output.contains("No product was imported:"), "\(none.output)")
    }
}
