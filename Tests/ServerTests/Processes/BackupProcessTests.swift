import Foundation
import PouchContract
import PouchEntities
import Subprocess
import TestDatabase
import Testing

@Suite("Backups with the program", .timeLimit(.minutes(1)))
struct BackupProcessTests {
    @Test(.enabled(if: TestDatabase.isPostgres)) func `For PostgreSQL the tool that copies it is named`() async throws {
        try await TemporaryFolder.use { folder in
            let copy = folder.appending(path: "copy").path
            let outcome = try await ServerProgram.run("backup", "--database", TestDatabase(in: folder).text, copy)
            #expect(outcome.status == .exited(1) && outcome.errors.contains("pg_dump"))
            #expect(!FileManager.default.fileExists(atPath: copy))
        }
    }

    @Test(.enabled(if: !TestDatabase.isPostgres)) func `A backup of a serving shop is a shop that can be served`()
        async throws
    {
        try await TemporaryFolder.use { folder in
            let database = try await ShopFolder.stocked(folder)
            let copy = folder.appending(path: "copy.sqlite").path
            _ = try await ServerProgram.serve("--port", "0", "--database", database) { server in
                let customer = try await server.customer()
                let order = try await customer.buyNow("cap").good()
                let outcome = try await ServerProgram.run("backup", "--database", database, copy)
                #expect(outcome.status == .exited(0) && outcome.output.contains(copy), "\(outcome.errors)")
                _ = try await customer.buyNow("cap").good()

                let again = try await ServerProgram.run("backup", "--database", database, copy)
                #expect(again.status == .exited(1) && again.errors.contains("exists already"))
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
}
