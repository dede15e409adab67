extension Migration {
    /// Tracking numbers, staff notes, and the words by which orders and customers are found.
    ///
    /// Older rows, and those of servers of earlier releases, have no words yet; a job adds them, and finds the rows by
    /// their flags.
    static let desk = Migration(
        version: 14,
        name: "desk",
        sql: """
            ALTER TABLE orders ADD COLUMN tracking TEXT;
            ALTER TABLE orders ADD COLUMN is_searchable INTEGER NOT NULL DEFAULT 0;
            ALTER TABLE accounts ADD COLUMN is_searchable INTEGER NOT NULL DEFAULT 0;
            CREATE INDEX orders_not_searchable ON orders (id) WHERE is_searchable = 0;
            CREATE INDEX accounts_not_searchable ON accounts (id) WHERE is_searchable = 0;
            CREATE TABLE order_notes (
                id TEXT PRIMARY KEY,
                order_id TEXT NOT NULL REFERENCES orders (id) ON DELETE CASCADE,
                text TEXT NOT NULL,
                author TEXT,
                created_at BIGINT NOT NULL
            );
            CREATE INDEX order_notes_by_order ON order_notes (order_id, id);

            """,
        sqlite: searchTerms + " WITHOUT ROWID;", postgres: searchTerms + ";")

    /// The id is that of an order or an account.
    private static let searchTerms = """
        CREATE TABLE search_terms (
            term TEXT NOT NULL,
            object_id TEXT NOT NULL,
            PRIMARY KEY (term, object_id)
        )
        """
}
