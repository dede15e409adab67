import ServerTesting
import Subprocess
import SystemPackage
import Testing

@Suite("Backups", .enabled(if: !TestDatabase.isPostgres), .timeLimit(.minutes(10)), .inFolder)
struct BackupProcessTests {
    private let folder = TemporaryFolder.current
    private let database: String

    init() async throws { database = try await ShopFolder.stocked(folder) }

    private var copy: String { folder.appending(path: "copy.sqlite").path }

    private func backUp(_ database: String) async throws -> ServerProgram.Outcome {
        try await ServerProgram.run("backup", "--database", database, copy)
    }

    private func restore(_ path: String, to database: String) async throws -> ServerProgram.Outcome {
        try await ServerProgram.run("restore", "--database", database, path)
    }

    private func expectPrivate(_ path: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber
        #expect(mode?.intValue == 0o600, sourceLocation: sourceLocation)
    }

    /// The number of an order at a server of its own.
    private func buy(signal: Signal = .terminate) async throws -> String? {
        let number = Box<String>()
        _ = try await ServerProgram.serve("--port", "0", "--database", database, signal: signal) { server in
            await number.set(try await server.guest().buyNow().good().number)
        }
        return await number.value
    }

    @Test func `A backup leaves an old schema as it is`() async throws {
        let path = folder.appending(path: "shop.sqlite").path
        let old = try SQLiteDatabase(path: path)
        let first = Migration(version: 6, name: "first", sql: "CREATE TABLE things (id TEXT PRIMARY KEY);")
        try await Migrator([first]).migrate(old)
        try await old.close()
        try await backUp("sqlite:" + path).good()
        for file in [path, copy] {
            let versions = try await ShopFolder.rows("SELECT MAX(version) FROM schema_migrations", in: "sqlite:" + file)
            #expect(try versions.map { try $0.int(0) } == [6])
        }
    }

    @Test func `A backup of a running shop can be served`() async throws {
        try await ServerProgram.serve(on: database) { server in
            let customer = try await server.customer()
            let order = try await customer.buyNow("cap").good()
            #expect(try await backUp(database).good().output.contains(copy))
            try await customer.buyNow("cap").good()
            try await backUp(database).expectFailure("already exists")
            try await ServerProgram.serve(on: "sqlite:" + copy) { restored in
                #expect(try await restored.caller(#require(customer.session)).orders().map(\.id) == [order.id])
                let available = try await restored.available()
                #expect(available == 9)
            }
        }
        try expectPrivate(copy)
    }

    @Test func `A restored backup replaces the database, which is kept next to it with all changes`() async throws {
        try await backUp(database).good()
        // Killed, so that the latest changes are in the log only.
        _ = try await ServerProgram.serve("--port", "0", "--database", database, signal: .kill) { server in
            try await server.customer().buyNow("cap").good()
            try await restore(copy, to: database).expectFailure("Stop it first")
        }
        let restored = try await restore(copy, to: database).good()
        let previous = try #require(restored.output.firstMatch(of: #/previous database is (\S+)\.\s/#)?.1)
        #expect(try await ShopFolder.available(in: database) == 10)
        #expect(try await ShopFolder.available(in: "sqlite:\(previous)") == 9)
        try expectPrivate(String(database.dropFirst("sqlite:".count)))
    }

    @Test func `A file that is not a backup of a shop is refused, and nothing changes`() async throws {
        let empty = folder.appending(path: "empty.sqlite").path
        try await SQLiteDatabase(path: empty).close()
        let text = "This is no database, but a text of more than a hundred bytes, so that its header is read as one.\n"
        for (path, reason) in [
            (empty, "has no shop"), (try folder.file("text.sqlite", text), "not a database"),
            (folder.appending(path: "nowhere").path, "There is no file"), (folder.path, "Pass files"),
        ] { try await restore(path, to: database).expectFailure(reason) }
        let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(!left.contains { $0.contains("checked") || $0.contains("restored") }, "\(left)")
        #expect(try await ShopFolder.available(in: database) == 10)
    }

    @Test func `A refund whose ledger is lost is listed, and settled by hand once`() async throws {
        try await ShopFolder.makeOwner(database)
        try await ServerProgram.serve(on: database, "--data", folder.path) { server in
            try await server.guest().buyNow("cap").good()
        }
        try await ServerProgram.serve(on: database, "--data", folder.appending(path: "elsewhere").path) { server in
            let admin = try await server.signIn("root@example.com")
            let order = try #require(try await admin.call(Contract.allOrders).good().items.first)
            let refund = try await admin.refund(order.id, amount: 1490).good()
            #expect(refund.status == .pending)
            let list = try await ServerProgram.run("refunds", "list", "--database", database)
            #expect(list.output.contains(refund.id) && list.output.contains(order.number), "\(list.output)")
            let settle = ["refunds", "settle", refund.id, "--database", database]
            try await ServerProgram.run(settle).good()
            try await ServerProgram.run(settle).expectFailure("refunds list")
            let refunded = try #require(try await admin.call(Contract.allOrders).good().items.first)
            #expect(refunded.status == .refunded && refunded.payment.refunded == order.totals.total)
        }
    }

    @Test func `A server that starts alone continues after the latest order number, also after a kill`() async throws {
        for expected in ["P-10001", "P-10002", "P-10003"] { #expect(try await buy(signal: .kill) == expected) }
        for expected in ["P-10004", "P-10005"] { #expect(try await buy() == expected) }
    }

    @Test func `After a restore no order number is given out again, also after a kill`() async throws {
        #expect(try await buy() == "P-10001")
        try await backUp(database).good()
        #expect(try await buy() == "P-10002")
        #expect(try await restore(copy, to: database).good().output.contains("The next order number is P-12001"))
        #expect(try await buy(signal: .kill) == "P-12001")
        #expect(try await buy() == "P-12002")
        // Nothing says how many numbers were given out since the backup.
        let moved = try await restore(copy, to: "sqlite:" + folder.appending(path: "elsewhere.sqlite").path)
        #expect(moved.output.contains("The next order number is P-21001"), "\(moved.output)")
    }
}

/// A new release is rolled out while servers of the previous one still run on the same database. `make test-upgrade`
/// builds the program of the previous release.
@Suite(
    "Servers of two releases on one database", .enabled(if: PreviousRelease.program != nil), .timeLimit(.minutes(10)),
    .inFolder)
struct UpgradeProcessTests {
    private let folder = TemporaryFolder.current
    private let database: String

    init() async throws { database = try await TestDatabase(in: folder, isFresh: true).text }

    /// Serves a database that the previous release made, with both.
    private func serve(
        _ body: @escaping @Sendable (_ old: ServerProgram.Serving, _ new: ServerProgram.Serving) async throws -> Void
    ) async throws {
        let previous = try #require(PreviousRelease.program)
        let feed = try ShopFolder.csv(folder, "caps", products: [("cap", 40), ("hat", 5)])
        for arguments in [
            ["import", "--format", "shopify-csv", "--database", database, feed],
            ["admin", "create", "--database", database, "--email", "root@example.com", "--name", "Root"],
        ] {
            let passwords = String(repeating: String.password + "\n", count: 2)
            try await ServerProgram.run(arguments, input: passwords, program: previous).good()
        }
        try await ServerProgram.serve(["--port", "0", "--database", database], program: previous) { old in
            try await ServerProgram.serve(on: database) { new in try await body(old, new) }
        }.good()
    }

    @Test func `Carts, sessions, keys, orders and refunds continue at the other release`() async throws {
        try await serve { old, new in
            for (one, other) in [(old, new), (new, old)] {
                let email = one.port == old.port ? "ada@example.com" : "bob@example.com"
                let here = try await one.customer(email)
                let there = other.caller(try #require(here.session))
                try await here.add("cap", 2).good()
                try await there.ship().good()
                let order = try await there.checkout(key: "one").good()
                // The same key gets the stored answer of the other release.
                #expect(try await here.checkout(total: order.totals.total.amount, key: "one").good() == order)
                let bought = try await here.buyNow(total: 1490, key: "two").good()
                #expect(try await there.order(id: bought.id) == bought)

                try await one.caller(other.refresh(here.refreshToken).good()).profile().good()
                for server in [one, other] {
                    #expect(try await server.anyone.signIn(email, password: "wrong password").status == 401)
                    _ = try await server.signIn(email)
                }

                let admin = try await one.signIn("root@example.com")
                try await other.caller(try #require(admin.session)).refund(order.id, amount: 500).good()
                #expect(try await there.order(id: order.id).payment.refunded.amount == 500)
                #expect(try await here.cancel(bought.id).good().status == .cancelled)
            }
        }
    }

    @Test func `Carts that both releases write in turn keep their sums, and no hold is left`() async throws {
        try await serve { old, new in
            let here = try await old.customer("cart@example.com")
            let there = new.caller(try #require(here.session))
            for round in 1...4 {
                for (one, other) in [(there, here), (here, there)] {
                    for sku in ["cap", "hat"] {
                        let summary = try await CartSummary(json: one.set(sku, to: round, headers: .minimal).body)
                        for caller in [one, other] {
                            let cart = try await caller.cart()
                            #expect(cart.totals == summary.totals && cart.version == summary.version)
                        }
                    }
                }
            }
            // Each release pays orders, and gives up others.
            for (number, server) in [old, new, old, new].enumerated() {
                let card = number < 2 ? "tok_ok" : "tok_declined"
                #expect(try await server.guest().buyNow(card: card, total: 1490).status == (number < 2 ? 201 : 402))
            }
            let sql = """
                SELECT (SELECT COUNT(*) FROM holds), (SELECT CAST(SUM(held) AS BIGINT) FROM stock),
                    (SELECT COUNT(*) FROM orders WHERE status = 'paid')
                """
            let left = try await ShopFolder.rows(sql, in: database).map { row in try (0...2).map { try row.int($0) } }
            #expect(left == [[0, 0, 2]])
        }
    }

    @Test func `Units are sold once, and rides and imports of one release are seen at the other`() async throws {
        try await serve { old, new in
            let buyers = try await parallel(12) { try await ($0.isMultiple(of: 2) ? old : new).guest() }
            let statuses = try await parallel(12) { try await buyers[$0].buyNow("hat").status }
            #expect(statuses.count { $0 == 201 } == 5)

            let rider = try await new.customer("rider@example.com")
            let ride = try await rider.requestRide().good()
            _ = try await old.caller(try #require(rider.session)).call(Contract.ride, path: ["id": ride.id]).good()
            let second = try await old.customer("second@example.com")
            let other = try await second.requestRide().good()
            _ = try await new.caller(try #require(second.session)).call(Contract.ride, path: ["id": other.id]).good()

            let admin = try await new.signIn("root@example.com")
            let feed = try ShopFolder.csv(folder, "more", products: [("scarf", 3)])
            let sent = try await admin.send(
                "POST", "/v1/admin/imports?format=shopify-csv", String(contentsOfFile: feed, encoding: .utf8))
            #expect(sent.status == 202)
            try await eventually {
                try await old.anyone.call(Contract.product, path: ["handle": "scarf"]).status == 200
            }
        }
    }
}

private enum PreviousRelease {
    static let program = ProcessInfo.processInfo.environment["PREVIOUS_SERVER"].map { FilePath($0) }
}
