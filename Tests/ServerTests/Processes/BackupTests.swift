import Foundation
import PouchContract
import PouchEntities
import PouchStorage
import PouchWire
import ServerTesting
import Subprocess
import Testing

@Suite("Backups", .timeLimit(.minutes(10)))
struct BackupProcessTests {
    @Test(.enabled(if: TestDatabase.isPostgres)) func `For PostgreSQL pg_dump is suggested`() async throws {
        let copy = folder.appending(path: "copy").path
        let outcome = try await ServerProgram.run("backup", "--database", TestDatabase(in: folder).text, copy)
        #expect(outcome.status == .exited(1) && outcome.errors.contains("pg_dump"))
        #expect(!FileManager.default.fileExists(atPath: copy))
    }

    @Test(.enabled(if: !TestDatabase.isPostgres)) func `A backup leaves an old schema as it is`() async throws {
        func version(_ name: String) async throws -> Int? {
            let database = try SQLiteDatabase(path: folder.appending(path: name).path)
            let version = try await database.read { connection in
                try connection.row("SELECT MAX(version) FROM schema_migrations", [])?.int(0)
            }
            try await database.close()
            return version
        }
        let path = folder.appending(path: "shop.sqlite").path
        let old = try SQLiteDatabase(path: path)
        try await Migrator(upTo: 6).migrate(old)
        try await old.close()
        let copy = folder.appending(path: "copy.sqlite").path
        let outcome = try await ServerProgram.run("backup", "--database", "sqlite:" + path, copy)
        #expect(outcome.status == .exited(0), "\(outcome.errors)")
        #expect(try await version("shop.sqlite") == 6)
        #expect(try await version("copy.sqlite") == 6)
    }

    @Test(.enabled(if: !TestDatabase.isPostgres)) func `A backup of a running shop can be served`()
        async throws
    {
        let database = try await ShopFolder.stocked(folder)
        let copy = folder.appending(path: "copy.sqlite").path
        _ = try await ServerProgram.serve("--port", "0", "--database", database) { server in
            let customer = try await server.customer()
            let order = try await customer.buyNow("cap").good()
            let outcome = try await ServerProgram.run("backup", "--database", database, copy)
            #expect(outcome.status == .exited(0) && outcome.output.contains(copy), "\(outcome.errors)")
            _ = try await customer.buyNow("cap").good()

            let again = try await ServerProgram.run("backup", "--database", database, copy)
            #expect(again.status == .exited(1) && again.errors.contains("already exists"))
            _ = try await ServerProgram.serve("--port", "0", "--database", "sqlite:" + copy) { restored in
                let session = try #require(customer.session)
                let orders = try await restored.caller(session).call(Contract.orders).good().items
                #expect(orders.map(\.id) == [order.id])
                let found = try await restored.anyone.call(Contract.availability, query: "sku=cap").good()
                #expect(found.items.map(\.available) == [9])
            }
        }
        let mode = try FileManager.default.attributesOfItem(atPath: copy)[.posixPermissions] as? NSNumber
        #expect(mode?.intValue == 0o600)
    }
}

@Suite("Restoring a backup", .enabled(if: !TestDatabase.isPostgres), .timeLimit(.minutes(5)))
struct RestoreProcessTests {
    private func available(_ database: String) async throws -> Int {
        let number = Number()
        _ = try await ServerProgram.serve("--port", "0", "--database", database) { server in
            let found = try await server.anyone.call(Contract.availability, query: "sku=cap").good()
            await number.set(found.items.map(\.available).first ?? -1)
        }
        return await number.value
    }

    @Test func `A backup takes the place of the database, which stays next to it with all its changes`() async throws {
        let database = try await ShopFolder.stocked(folder)
        let copy = folder.appending(path: "copy.sqlite").path
        let made = try await ServerProgram.run("backup", "--database", database, copy)
        #expect(made.status == .exited(0))
        // Killed, so that the latest changes are in the log only.
        _ = try await ServerProgram.serve("--port", "0", "--database", database, signal: .kill) { server in
            try await server.customer().buyNow("cap").good()
            let refused = try await ServerProgram.run("restore", "--database", database, copy)
            #expect(refused.status == .exited(1) && refused.errors.contains("Stop it first"), "\(refused.errors)")
        }
        let restored = try await ServerProgram.run("restore", "--database", database, copy)
        #expect(restored.status == .exited(0), "\(restored.errors)")
        let previous = try #require(restored.output.firstMatch(of: #/previous database is (\S+)\.\s/#)?.1)
        #expect(try await available(database) == 10)
        #expect(try await available("sqlite:\(previous)") == 9)
        let path = String(database.dropFirst("sqlite:".count))
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber
        #expect(mode?.intValue == 0o600)
    }

    @Test func `A file that is no backup of a shop is refused, and nothing has changed`() async throws {
        let database = try await ShopFolder.stocked(folder)
        let empty = folder.appending(path: "empty.sqlite").path
        try await SQLiteDatabase(path: empty).close()
        let text = folder.appending(path: "text.sqlite")
        try Data(
            "This is no database, but a text of more than a hundred bytes, so that its header is read as one.\n"
                .utf8
        )
        .write(to: text)
        for (path, reason) in [
            (empty, "has no shop"), (text.path, "not a database"),
            (folder.appending(path: "nowhere").path, "There is no file"), (folder.path, "Pass files"),
        ] {
            let outcome = try await ServerProgram.run("restore", "--database", database, path)
            #expect(outcome.status == .exited(1) && outcome.errors.contains(reason), "\(outcome.errors)")
        }
        let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(!left.contains { $0.contains("checked") || $0.contains("restored") }, "\(left)")
        #expect(try await available(database) == 10)
    }

    @Test func `A refund whose ledger is lost is listed, and settled by hand once`() async throws {
        let database = try await ShopFolder.stocked(folder)
        let arguments = ["--port", "0", "--database", database, "--data"]
        let elsewhere = folder.appending(path: "elsewhere").path
        let made = try await ServerProgram.run(
            "admin", "create", "--email", "root@example.com", "--database", database, input: "correct horse\n")
        try #require(made.status == .exited(0))
        _ = try await ServerProgram.serve(arguments + [folder.path]) { server in
            _ = try await server.guest().buyNow("cap").good()
        }
        _ = try await ServerProgram.serve(arguments + [elsewhere]) { server in
            let admin = try await server.signIn("root@example.com")
            let order = try #require(try await admin.call(Contract.allOrders).good().items.first)
            let refund = try await admin.refund(order.id, amount: 1490).good()
            #expect(refund.status == .pending)
            let list = try await ServerProgram.run("refunds", "list", "--database", database)
            #expect(list.output.contains(refund.id) && list.output.contains(order.number), "\(list.output)")
            let settled = try await ServerProgram.run("refunds", "settle", refund.id, "--database", database)
            #expect(settled.status == .exited(0), "\(settled.errors)")
            let again = try await ServerProgram.run("refunds", "settle", refund.id, "--database", database)
            #expect(again.status == .exited(1) && again.errors.contains("refunds list"))
            let refunded = try #require(try await admin.call(Contract.allOrders).good().items.first)
            #expect(refunded.status == .refunded && refunded.payment.refunded == order.totals.total)
        }
    }
}

private actor Number {
    private(set) var value = 0
    func set(_ new: Int) { value = new }
}
