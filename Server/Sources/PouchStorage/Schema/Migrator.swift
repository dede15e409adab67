import PouchDomain

/// Migrates a database to the schema of this server.
public struct Migrator: Sendable {
    private let migrations: [Migration]

    /// The schema of a shop.
    public init() { self.init(Migration.all) }

    /// - Parameter migrations: the steps in the order of their versions.
    public init(_ migrations: [Migration]) {
        self.migrations = migrations
    }

    /// Applies missing migrations, each in its own transaction, in which concurrent processes apply it once; returns
    /// their names.
    ///
    /// - Throws: `StorageError.schemaUnsupported`, `.schemaTooNew`, `.migrationChanged`.
    @discardableResult
    public func migrate(_ database: any Database) async throws -> [String] {
        var names: [String] = []
        while let name = try await applyNext(database) { names.append(name) }
        for migration in migrations { for index in migration.indexes { try await build(index, in: database) } }
        return names
    }

    /// Builds an index unless the database has it. On PostgreSQL, other servers can write to the table during the build,
    /// and an index that an interrupted build left incomplete is built again.
    private func build(_ index: Migration.Index, in database: any Database) async throws {
        let state = try await database.read { connection in
            connection.dialect == .sqlite
                ? nil
                : try connection.row(
                    "SELECT CASE WHEN indisvalid THEN 1 ELSE 0 END FROM pg_index WHERE indexrelid = to_regclass(?)",
                    [.text(index.name)])?.int(0)
        }
        guard state != 1 else { return }
        if state == 0 {
            try await database.write(.readCommitted) { try $0.script("DROP INDEX CONCURRENTLY \(index.name)") }
        }
        try await database.write(.readCommitted) { connection in
            let concurrently = connection.dialect == .postgres ? "CONCURRENTLY " : ""
            try connection.script("CREATE INDEX \(concurrently)IF NOT EXISTS \(index.name) ON \(index.columns)")
        }
    }

    /// - Returns: the name of the migration that was applied; nil if none is missing.
    private func applyNext(_ database: any Database) async throws -> String? {
        // Committed reads, to see what another process did while this one waited for the lock.
        try await database.write(.readCommitted) { connection in
            try connection.script(
                """
                \(connection.dialect.schemaLock)
                CREATE TABLE IF NOT EXISTS schema_migrations (
                    version INTEGER PRIMARY KEY, name TEXT NOT NULL, sql TEXT NOT NULL,
                    needs INTEGER NOT NULL DEFAULT 0
                );
                """)
            guard let migration = try missing(on: connection).first else { return nil }
            let text = migration.text(for: connection.dialect)
            try connection.script(text)
            try connection.run(
                "INSERT INTO schema_migrations (version, name, sql) VALUES (?, ?, ?)",
                [.integer(migration.version), .text(migration.name), .text(text)])
            if migration.needs > 0 {
                try connection.run(
                    "UPDATE schema_migrations SET needs = ? WHERE version = ?",
                    [.integer(migration.needs), .integer(migration.version)])
            }
            return migration.name
        }
    }

    /// - Throws: `StorageError.schemaTooOld`, `.schemaUnsupported`, `.schemaTooNew`, `.migrationChanged`.
    public func check(_ database: any Database) async throws {
        let missing = try await database.read { connection in
            do {
                return try self.missing(on: connection)
            } catch let error as StorageError {
                throw error
            } catch {
                // The table of migrations does not exist yet.
                return migrations
            }
        }
        guard missing.isEmpty else {
            throw StorageError.schemaTooOld(
                found: migrations.count - missing.count, known: migrations.last?.version ?? 0)
        }
    }

    /// Compares the complete text of each applied migration that this server knows. A later migration that it does not
    /// know must allow it to run; earlier ones are replaced by the first one that it knows.
    private func missing(on connection: any SQLConnection) throws -> [Migration] {
        let applied = try connection.rows("SELECT version, sql FROM schema_migrations ORDER BY version", [])
        let known = Dictionary(uniqueKeysWithValues: migrations.map { ($0.version, $0) })
        let (first, last) = (migrations.first?.version ?? 0, migrations.last?.version ?? 0)
        if let found = try applied.last?.int(0), found < first {
            throw StorageError.schemaUnsupported(found: found)
        }
        for row in applied {
            let version = try row.int(0)
            guard version >= first else { continue }
            guard let migration = known[version] else {
                let row = try connection.row(
                    "SELECT needs FROM schema_migrations WHERE version = ?", [.integer(version)])
                guard let needs = try row?.int(0), needs <= last else {
                    throw StorageError.schemaTooNew(found: version, known: last)
                }
                continue
            }
            guard try [migration.text(for: connection.dialect), migration.replaced].contains(row.text(1)) else {
                throw StorageError.migrationChanged(version: version, name: migration.name)
            }
        }
        let done = Set(try applied.map { try $0.int(0) })
        return migrations.filter { !done.contains($0.version) }
    }
}

/// One step of the schema, forward only. Its text never changes once it is released.
public struct Migration: Sendable {
    let version: Int
    let name: String
    /// An index on a table that may be large, built after the migration.
    public struct Index: Sendable {
        let name: String
        /// The table with its columns, and perhaps a condition: `orders (email) WHERE email IS NOT NULL`.
        let columns: String

        public init(_ name: String, on columns: String) {
            self.name = name
            self.columns = columns
        }
    }

    /// The SQL for both kinds of databases.
    let sql: String
    /// The SQL for one kind, run after the other SQL.
    private let own: [SQLDialect: String]
    /// The lowest version that a server must know to run after this migration: 0 for one that only adds to the schema,
    /// and the version of the replacement for one that removes something.
    let needs: Int
    let indexes: [Index]
    /// The text of the last one of the migrations that this one replaces: a database that was migrated with it has the
    /// schema of this one.
    let replaced: String?

    public init(
        version: Int, name: String, sql: String, sqlite: String = "", postgres: String = "", needs: Int = 0,
        indexes: [Index] = [], replacing replaced: String? = nil
    ) {
        self.version = version
        self.name = name
        self.sql = sql
        own = [.sqlite: sqlite, .postgres: postgres]
        self.needs = needs
        self.indexes = indexes
        self.replaced = replaced
    }

    func text(for dialect: SQLDialect) -> String { sql + (own[dialect] ?? "") }
}
