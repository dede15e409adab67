#if Persistence
    import GRDB

    /// The schema of the local store.
    enum StoreMigrations {
        static var migrator: DatabaseMigrator {
            var migrator = DatabaseMigrator()
            migrator.registerMigration("1: catalogue, purchases, pending writes") { database in
                try database.execute(sql: first)
            }
            migrator.registerMigration("2: when a cart was read") { database in
                try database.execute(sql: "ALTER TABLE cart ADD COLUMN asOf REAL")
            }
            migrator.registerMigration("3: the currency of a price") { database in
                try database.execute(
                    sql: """
                        ALTER TABLE product ADD COLUMN currency TEXT NOT NULL DEFAULT '';
                        UPDATE product SET currency = COALESCE(
                            (SELECT json_extract(CAST(json AS TEXT), '$.price.currency') FROM productBody
                             WHERE product = number), '');
                        """)
            }
            migrator.registerMigration("4: the variants of a product in its row") { database in
                try database.execute(sql: variantsInRows)
            }
            // A write with a date has been attempted once (`PendingWrite.init`).
            migrator.registerMigration("5: the tries of a pending write") { database in
                try database.execute(sql: "ALTER TABLE pendingWrite ADD COLUMN tries INTEGER NOT NULL DEFAULT 0")
            }
            return migrator
        }

        /// Separate rows for variants and their choices made up most rows of a catalogue, and joining them took most of
        /// the time of a list with facets. There are few choices, so programs compare them.
        private static let variantsInRows = """
            ALTER TABLE product ADD COLUMN variants TEXT NOT NULL DEFAULT '';
            UPDATE product SET variants = COALESCE(
                (SELECT group_concat(
                    available || ':' || COALESCE(
                        (SELECT group_concat(choice) FROM variantChoice WHERE variant = variant.number), ''), ';')
                 FROM variant WHERE variant.product = product.number), '');
            CREATE TABLE productSKU (
                product INTEGER NOT NULL,
                sku TEXT NOT NULL,
                PRIMARY KEY (product, sku)
            ) STRICT, WITHOUT ROWID;
            INSERT OR IGNORE INTO productSKU (product, sku) SELECT product, sku FROM variant;
            CREATE INDEX productBySKU ON productSKU (sku);
            DROP TABLE variantChoice;
            DROP TABLE variant;
            DROP INDEX choiceByFoldedName;
            ALTER TABLE choice DROP COLUMN foldedName;
            ALTER TABLE choice DROP COLUMN foldedValue;
            """

        /// Each product has the number of its catalogue, so that one catalogue can be imported while another is read.
        /// The columns for filters are separate from the JSON, so that a search does not read it.
        private static let first = """
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
                name TEXT NOT NULL,
                updatedAt REAL NOT NULL,
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
            CREATE TABLE variant (
                number INTEGER PRIMARY KEY,
                product INTEGER NOT NULL,
                sku TEXT NOT NULL,
                available INTEGER NOT NULL
            ) STRICT;
            CREATE INDEX variantOfProduct ON variant (product, available);
            CREATE INDEX variantBySKU ON variant (sku);
            CREATE TABLE choice (
                number INTEGER PRIMARY KEY,
                name TEXT NOT NULL,
                value TEXT NOT NULL,
                foldedName TEXT NOT NULL,
                foldedValue TEXT NOT NULL,
                UNIQUE (name, value)
            ) STRICT;
            CREATE INDEX choiceByFoldedName ON choice (foldedName, foldedValue);
            CREATE TABLE variantChoice (
                variant INTEGER NOT NULL,
                choice INTEGER NOT NULL,
                PRIMARY KEY (variant, choice)
            ) STRICT, WITHOUT ROWID;
            CREATE VIRTUAL TABLE productText USING fts5 (name, other, tokenize = 'unicode61 remove_diacritics 0');

            CREATE TABLE cart (
                owner TEXT PRIMARY KEY,
                id TEXT NOT NULL,
                version INTEGER NOT NULL,
                json BLOB NOT NULL
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
                UNIQUE (owner, key)
            ) STRICT;
            """
    }
#endif
