import Foundation
import PouchServer
import PouchStorage
import TestDatabase
import Testing

@Suite("Migrations")
struct MigratorTests {
    private func open(_ body: @escaping @Sendable (any Database) async throws -> Void) async throws {
        try await TemporaryFolder.use { folder in
            let database = try await TestDatabase(in: folder, isFresh: true).address.connect()
            try await body(database)
            try await database.close()
        }
    }

    private func schema(_ database: any Database) async throws -> [String] {
        let sql =
            TestDatabase.isPostgres
            ? """
            SELECT table_name || ' ' || column_name || ' ' || data_type FROM information_schema.columns
            WHERE table_schema = 'public' ORDER BY 1
            """ : "SELECT COALESCE(sql, name) FROM sqlite_master ORDER BY 1"
        return try await database.read { try $0.rows(sql, []).map { try $0.text(0) } }
    }

    @Test func `A fresh database gets everything, and a second run finds nothing to do`() async throws {
        try await open { database in
            #expect(try await Migrator().migrate(database).first == "initial")
            let before = try await schema(database)
            #expect(before.contains { $0.contains("orders") })
            #expect(try await Migrator().migrate(database) == [])
            #expect(try await schema(database) == before)
            try await Migrator().check(database)
        }
    }

    @Test func `Two that begin at once do it once`() async throws {
        try await open { database in
            let applied = try await parallel(6) { _ in try await Migrator().migrate(database) }
            #expect(applied.filter { !$0.isEmpty }.count == 1)
        }
    }

    @Test func `A migration that reads differently now is refused, and nothing is changed`() async throws {
        try await open { database in
            try await Migrator().migrate(database)
            try await database.write {
                try $0.script("UPDATE schema_migrations SET sql = sql || ' ' WHERE version = 1")
            }
            let before = try await schema(database)
            for attempt in [{ _ = try await Migrator().migrate(database) }, { try await Migrator().check(database) }]
                as [() async throws -> Void]
            {
                await #expect {
                    try await attempt()
                } throws: { error in
                    if case StorageError.migrationChanged(version: 1, name: "initial") = error { true } else { false }
                }
            }
            #expect(try await schema(database) == before)
        }
    }

    @Test func `A schema of a later version is refused`() async throws {
        try await open { database in
            try await Migrator().migrate(database)
            try await database.write {
                try $0.script("INSERT INTO schema_migrations (version, name, sql) VALUES (99, 'later', 'x')")
            }
            await #expect {
                try await Migrator().migrate(database)
            } throws: { error in
                if case StorageError.schemaTooNew(found: 99, _) = error { true } else { false }
            }
        }
    }

    @Test func `Checking without migrating refuses a fresh database, and leaves it fresh`() async throws {
        try await open { database in
            await #expect {
                try await Migrator().check(database)
            } throws: { error in
                if case StorageError.schemaTooOld(found: 0, _) = error { true } else { false }
            }
            let left = try await schema(database)
            #expect(left.isEmpty)
        }
    }
}
