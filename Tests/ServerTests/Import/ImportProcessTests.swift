import ServerTesting
import Subprocess
import Testing

@Suite("Imports with pouch-server", .timeLimit(.minutes(10)), .inFolder)
struct ImportProcessTests {
    private let folder = TemporaryFolder.current

    private func handles(_ database: String) async throws -> [String] {
        try await ShopFolder.rows("SELECT handle FROM products ORDER BY handle", in: database).map { try $0.text(0) }
    }

    private func load(_ database: String, _ feed: String, _ more: String...) async throws -> ServerProgram.Outcome {
        try await ServerProgram.run(["import", "--format", "shopify-csv", "--database", database] + more + [feed])
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

    @Test func `Two concurrent imports into a new database are both applied, one after the other`() async throws {
        let database = try await TestDatabase(in: folder, isFresh: true).text
        let feeds = try [1, 2].map { stock in
            let products = (0..<1_500).map { ("own-\(stock)-\($0)", 1) } + (0..<450).map { ("both-\($0)", stock) }
            return try ShopFolder.csv(folder, "feed-\(stock)", products: products)
        }
        let outputs = try await parallel(2) { try await load(database, feeds[$0]).good().output }
        #expect(outputs.allSatisfy { $0.contains("1950 products with 1950 variants in 1950 rows") }, "\(outputs)")
        for counts in ["1950 created, 0 updated", "1500 created, 450 updated"] {
            #expect(outputs.contains { $0.contains(counts) }, "\(outputs)")
        }
        #expect(try await handles(database).count == 3_450)
        let stock = "SELECT DISTINCT on_hand FROM stock WHERE sku LIKE 'both-%'"
        #expect(try await ShopFolder.rows(stock, in: database).count == 1)
        #expect(try await ShopFolder.rows("SELECT 1 FROM import_records", in: database).isEmpty)
    }

    @Test func `A killed import leaves the catalogue unchanged, and the next one succeeds`() async throws {
        let database = try await ShopFolder.stocked(folder)
        let feed = try ShopFolder.csv(folder, "large", products: [("cap", 99)] + (0..<60_000).map { ("new-\($0)", 1) })
        let watcher = try DatabaseAddress(database).connect()
        try await ServerProgram.kill("import", "--format", "shopify-csv", "--database", database, feed) {
            try await watcher.read { try $0.rows("SELECT 1 FROM import_records LIMIT 1000", []) }.count == 1_000
        }
        try await watcher.close()
        #expect(try await handles(database) == ["cap"])
        #expect(try await ShopFolder.available(in: database) == 10)
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
        let temporary = try folder.folder("temporary")
        @Sendable func left() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: temporary.path) }
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
            #expect(await connection.send(String(repeating: "cap,Cap\n", count: 4_096), upTo: 32 << 20) >= 32 << 20)
            #expect(try left() == [])
        }
        #expect(killed.status == .signaled(9))
        #expect(try left() == [])
    }

    @Test func `Days in a LAYERS feed are in the shop's time zone`() async throws {
        let database = try await TestDatabase(in: folder).text
        let shipping = "[{id: standard, name: Standard, estimate: soon, regions: [{rates: [{price: 4.90}]}]}]"
        let yaml = "currency: EUR\ncountry: US\ntimeZone: America/New_York\nshipping: \(shipping)\n"
        let settings = try folder.file("shop.yaml", yaml)
        _ = try folder.file("products.json", #"{"products": []}"#)
        _ = try folder.file("seasons.json", #"{"seasons": [{"id": "71", "name": "Spring", "startsAt": "2026-07-01"}]}"#)
        try await ServerProgram.run(
            "import", "--format", "layers-json", "--shop", settings, "--database", database, folder.path
        ).good()
        let day = try Date("2026-07-01T04:00:00Z", strategy: .iso8601)
        try await ServerProgram.serve(on: database) { server in
            let seasons = try await server.anyone.call(Contract.seasons).good()
            #expect(seasons.items.map(\.startsAt) == [day])
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

    @Test(arguments: ["comparing", "stocking", "superseding", "tidying"])
    func `A server completes a killed import by itself`(phase: String) async throws {
        let database = try await ShopFolder.stocked(folder)
        let feed = try ShopFolder.csv(folder, "large", products: [("cap", 99)] + (0..<1_200).map { ("new-\($0)", 1) })
        let watcher = try DatabaseAddress(database).connect()
        @Sendable func hasImport(_ condition: String) async throws -> Bool {
            try await watcher.read { try !$0.rows("SELECT 1 FROM imports WHERE phase \(condition)", []).isEmpty }
        }
        let barrier = PhaseBarrier(phase, in: watcher)
        try await barrier.close()
        try await ServerProgram.kill("import", "--format", "shopify-csv", "--database", database, feed) {
            try await hasImport("= '\(phase)'")
        }
        #expect(try await hasImport("= '\(phase)'"))
        try await barrier.open()
        try await ServerProgram.serve(on: database) { server in
            try await eventually { try await !hasImport("<> 'ended'") }
            let query = "sku=cap&sku=new-0&sku=new-1199"
            let found = try await server.anyone.call(Contract.availability, query: query).good()
            #expect(found.items.map(\.available) == [99, 1, 1])
        }
        let counts = try await watcher.read { connection in
            try ["products", "variants", "stock", "import_records", "import_products"].map {
                try connection.row("SELECT COUNT(*) FROM \($0)", [])?.int(0)
            }
        }
        #expect(counts == [1_201, 1_201, 1_201, 0, 0])
        try await watcher.close()
    }
}

/// Keeps an import from leaving a phase, so that a process can be killed in it however late the phase is noticed.
///
/// An import records its next phase in the transaction of the last step of the phase, and reads the phase before each
/// step. A closed barrier makes the database ignore that one update: the import repeats the last step, which changes
/// nothing more, until its process ends. An import that has done the work of its last phase also returns the lease,
/// which the barrier ignores too: the process dies with the lease, as it does in the middle of a phase.
private struct PhaseBarrier {
    private let database: any Database
    private let updates: [(table: String, condition: String)]

    init(_ phase: String, in database: any Database) {
        self.database = database
        updates = [
            ("imports", "OLD.phase = '\(phase)' AND NEW.phase <> '\(phase)'"),
            ("import_lease", "NEW.import_id IS NULL"),
        ]
    }

    func close() async throws {
        try await run { table, condition in
            TestDatabase.isPostgres
                ? "CREATE RULE barrier AS ON UPDATE TO \(table) WHERE \(condition) DO INSTEAD NOTHING"
                : """
                CREATE TRIGGER barrier_\(table) BEFORE UPDATE ON \(table) WHEN \(condition)
                BEGIN SELECT RAISE(IGNORE); END
                """
        }
    }

    func open() async throws {
        try await run { table, _ in
            TestDatabase.isPostgres ? "DROP RULE barrier ON \(table)" : "DROP TRIGGER barrier_\(table)"
        }
    }

    private func run(_ statement: @escaping @Sendable (_ table: String, _ condition: String) -> String) async throws {
        for (table, condition) in updates { try await database.write { try $0.script(statement(table, condition)) } }
    }
}
