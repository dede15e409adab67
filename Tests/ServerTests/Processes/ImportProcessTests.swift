import Foundation
import PouchContract
import PouchEntities
import PouchImport
import PouchServer
import PouchStorage
import Subprocess
import ServerTesting
import Testing

@Suite("Imports with pouch-server", .timeLimit(.minutes(10)))
struct ImportProcessTests {
    private func handles(_ database: String) async throws -> [String] {
        let opened = try DatabaseAddress(database).connect()
        let found = try await opened.read {
            try $0.rows("SELECT handle FROM products ORDER BY handle", []).map { try $0.text(0) }
        }
        try await opened.close()
        return found
    }

    private func load(_ database: String, _ feed: String, _ more: String = "--format=shopify-csv") async throws
        -> ServerProgram.Outcome
    {
        try await ServerProgram.run("import", "--format", "shopify-csv", more, "--database", database, feed)
    }

    @Test func `Errors of a feed are printed without anything that steers the terminal`() async throws {
        let feed = folder.appending(path: "feed.csv")
        let text =
            "Handle,Title,Variant SKU,Variant Inventory Qty,Variant Price\n"
            + "cap,Cap,cap,3,\u{1B}]0;owned\u{7}\u{9B}2J\u{202E}dear\n"
        try Data(text.utf8).write(to: feed)
        let outcome = try await load(try await TestDatabase(in: folder).text, feed.path)
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
            #expect(outcome.status == .exited(0), "\(outcome.errors)")
            #expect(outcome.output.contains("1501 products with 1501 variants in 1501 rows"), "\(outcome.output)")
        }
        #expect(try await handles(database).count == 3_001)
    }

    @Test func `A killed import leaves the catalogue unchanged, and the next one succeeds`() async throws {
        let database = try await ShopFolder.stocked(folder)
        let feed = try ShopFolder.csv(
            folder, "large", products: [("cap", 99)] + (0..<60_000).map { ("new-\($0)", 1) })
        let watcher = try DatabaseAddress(database).connect()
        let status = try await ServerProgram.kill(
            "import", "--format", "shopify-csv", "--database", database, feed,
            when: {
                try await watcher.read { try $0.rows("SELECT 1 FROM import_records LIMIT 1000", []) }.count == 1_000
            })
        #expect(status == .signaled(9))
        try await watcher.close()
        #expect(try await handles(database) == ["cap"])

        _ = try await ServerProgram.serve("--port", "0", "--database", database) { server in
            let product = try await server.anyone.call(Contract.product, path: ["handle": "cap"]).good()
            #expect(product.variants.map(\.available) == [10])
        }
        let small = try ShopFolder.csv(folder, "small", products: [("cap", 12), ("hat", 3)])
        let outcome = try await load(database, small)
        #expect(outcome.status == .exited(0))
        #expect(outcome.output.contains("1 created, 1 updated, 0 unchanged, 0 problems"), "\(outcome.output)")
        #expect(try await handles(database) == ["cap", "hat"])
    }

    @Test func `A running server shows the import of another process`() async throws {
        let database = try await ShopFolder.stocked(folder)
        let feed = try ShopFolder.csv(folder, "more", products: [("hat", 3)])
        let outcome = try await ServerProgram.serve("--port", "0", "--database", database) { server in
            #expect(try await server.anyone.call(Contract.products).good().items.map(\.handle) == ["cap"])
            let imported = try await load(database, feed)
            #expect(imported.status == .exited(0))
            try await eventually { try await server.anyone.call(Contract.products).good().items.count == 2 }
        }
        #expect(outcome.status == .exited(0))
    }

    @Test func `A dry run and a missing feed change nothing`() async throws {
        let database = try await ShopFolder.stocked(folder)
        let feed = try ShopFolder.csv(folder, "more", products: [("hat", 3)])
        let dry = try await load(database, feed, "--dry-run")
        #expect(dry.status == .exited(0) && dry.output.contains("1 created"))
        let missing = try await load(database, folder.appending(path: "nothing.csv").path)
        #expect(missing.status == .exited(1) && missing.errors.contains("Nothing was imported."))
        let noFolder = try await ServerProgram.run(
            "import", "--format", "layers-json", "--database", database, feed)
        #expect(noFolder.status == .exited(1))
        #expect(noFolder.errors.contains("\(feed) is not a folder"), "\(noFolder.errors)")
        #expect(noFolder.errors.contains("--format shopify-csv"))
        let skipped = try await load(database, feed, "--if-empty")
        #expect(skipped.status == .exited(0) && skipped.output.contains("nothing was imported"))
        #expect(try await handles(database) == ["cap"])
    }

    @Test func `A server that is killed during an upload leaves no file behind`() async throws {
        let database = try await ShopFolder.stocked(folder)
        let made = try await ServerProgram.run(
            "admin", "create", "--email", "root@example.com", "--database", database, input: "correct horse\n")
        try #require(made.status == .exited(0), "\(made.errors)")
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
        let settings = folder.appending(path: "shop.yaml")
        try Data(
            """
            currency: EUR
            country: US
            timeZone: America/New_York
            shipping:
              - id: standard
                name: Standard
                estimate: soon
                regions:
                  - rates:
                      - price: 4.90

            """.utf8
        ).write(to: settings)
        let seasons = #"{"seasons": [{"id": "71", "name": "Spring", "startsAt": "2026-07-01"}]}"#
        try Data(seasons.utf8).write(to: folder.appending(path: "seasons.json"))
        try Data(#"{"products": []}"#.utf8).write(to: folder.appending(path: "products.json"))
        let outcome = try await ServerProgram.run(
            "import", "--format", "layers-json", "--shop", settings.path, "--database", database, folder.path)
        try #require(outcome.status == .exited(0), "\(outcome.errors)")
        let day = try Date("2026-07-01T04:00:00Z", strategy: .iso8601)
        _ = try await ServerProgram.serve("--port", "0", "--database", database) { server in
            let season = try #require(try await server.anyone.call(Contract.seasons).good().items.first)
            #expect(season.startsAt == day)
        }
    }

    @Test func `Invalid rows are reported with line and column, and the exit code is 1`() async throws {
        let feed = folder.appending(path: "bad.csv")
        try Data("Handle,Title,Variant Price\ncap,Cap,ten\nhat,Hat,5.00\n".utf8).write(to: feed)
        let database = try await TestDatabase(in: folder).text
        let outcome = try await load(database, feed.path)
        #expect(outcome.status == .exited(1))
        #expect(outcome.output.contains("line 2, Variant Price:"), "\(outcome.output)")
        #expect(outcome.output.contains("1 created") && outcome.output.contains("Imported:"))
        try Data("Handle,Title,Variant Price\nscarf,Scarf,ten\n".utf8).write(to: feed)
        let none = try await load(database, feed.path)
        #expect(none.status == .exited(1) && none.output.contains("No product was imported:"), "\(none.output)")
    }
}
