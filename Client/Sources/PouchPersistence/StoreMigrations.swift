#if Persistence
    import GRDB

    /// The schema of the local store.
    enum StoreMigrations {
        /// The migrations of versions that were never released.
        private static let unreleased: Set = [
            "1: catalogue, purchases, pending writes", "2: when a cart was read", "3: the currency of a price",
            "4: the variants of a product in its row", "5: the tries of a pending write",
        ]

        /// A file of an unreleased version becomes empty.
        static var migrator: DatabaseMigrator {
            var migrator = DatabaseMigrator()
            migrator.registerMigration("6: catalogue, purchases, pending writes", merging: unreleased) { database, _ in
                for table in [
                    "catalog", "product", "productBody", "productTag", "productSKU", "variant", "variantChoice",
                    "choice", "productText", "cart", "placedOrder", "pendingWrite",
                ] { try database.execute(sql: "DROP TABLE IF EXISTS \(table)") }
                try database.execute(sql: schema)
            }
            return migrator
        }

        /// Whether a later version has changed the file.
        static func isNewer(_ database: Database) throws -> Bool {
            let applied = try migrator.appliedIdentifiers(database)
            return !applied.subtracting(unreleased).isSubset(of: migrator.migrations)
        }

        /// Each product has the number of its catalogue, so that one catalogue can be imported while another is read.
        /// The columns for filters are separate from the JSON, so that a search does not read it.
        ///
        /// A product's variants with their choices are a text in its row. Separate rows for them made up most rows of a
        /// catalogue, and joining them took most of the time of a list with facets. There are few choices, so programs
        /// compare them.
        private static let schema = """
            CREATE TABLE catalog (
                id INTEGER PRIMARY KEY CHECK (id = 1),
                current INTEGER NOT NULL,
                draft INTEGER,
                next INTEGER NOT NULL,
                publishedAt REAL,
                seasons BLOB,
                themes BLOB,
                categories BLOB,
                promotions BLOB
            ) STRICT;
            INSERT INTO catalog (id, current, next) VALUES (1, 1, 2);

            CREATE TABLE product (
                number INTEGER PRIMARY KEY,
                catalog INTEGER NOT NULL,
                id TEXT NOT NULL,
                handle TEXT NOT NULL,
                season TEXT,
                theme TEXT,
                category TEXT NOT NULL,
                price INTEGER NOT NULL,
                currency TEXT NOT NULL,
                name TEXT NOT NULL,
                updatedAt REAL NOT NULL,
                variants TEXT NOT NULL,
                UNIQUE (catalog, id),
                UNIQUE (catalog, handle)
            ) STRICT;
            CREATE TABLE productBody (
                product INTEGER PRIMARY KEY,
                json BLOB NOT NULL
            ) STRICT;
            CREATE TABLE productTag (
                product INTEGER NOT NULL,
                tag TEXT NOT NULL,
                PRIMARY KEY (product, tag)
            ) STRICT, WITHOUT ROWID;
            CREATE TABLE productSKU (
                product INTEGER NOT NULL,
                sku TEXT NOT NULL,
                PRIMARY KEY (product, sku)
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX productBySKU ON productSKU (sku);
            CREATE TABLE choice (
                number INTEGER PRIMARY KEY,
                name TEXT NOT NULL,
                value TEXT NOT NULL,
                UNIQUE (name, value)
            ) STRICT;
            CREATE VIRTUAL TABLE productText USING fts5 (name, other, tokenize = 'unicode61 remove_diacritics 0');

            CREATE TABLE cart (
                owner TEXT PRIMARY KEY,
                id TEXT NOT NULL,
                version INTEGER NOT NULL,
                json BLOB NOT NULL,
                asOf REAL
            ) STRICT, WITHOUT ROWID;
            CREATE TABLE placedOrder (
                owner TEXT NOT NULL,
                id TEXT NOT NULL,
                createdAt REAL NOT NULL,
                json BLOB NOT NULL,
                UNIQUE (owner, id)
            ) STRICT;
            CREATE INDEX placedOrderByTime ON placedOrder (owner, createdAt, id);
            CREATE TABLE pendingWrite (
                number INTEGER PRIMARY KEY AUTOINCREMENT,
                owner TEXT NOT NULL,
                key TEXT NOT NULL,
                kind TEXT NOT NULL,
                target TEXT,
                body BLOB,
                subject TEXT,
                createdAt REAL NOT NULL,
                firstSentAt REAL,
                attempts INTEGER NOT NULL,
                UNIQUE (owner, key)
            ) STRICT;
            """
    }
#endif
