extension Migration {
    /// The migrations of a shop's database, in order.
    ///
    /// Append a new migration with the next version. A released migration never changes: every database stores the text
    /// that it was migrated with, and a server refuses to start when the texts differ.
    ///
    /// Servers of two releases run on one database while a new release is rolled out. Anything that an earlier server
    /// uses is therefore removed in two steps: a release expands the schema and stops using the old part; a later one
    /// contracts it, with a migration that has `needs`.
    static let all = [
        initial, commerce, revisions, discounts, holds, rides, attempts, needs, catalogChanges, sums, events, accounts,
        products, desk, webhooks, mails, staff, exportEdits,
        holdSearch, unsentOrders, failures, handles, grants, buyers,
    ]

    /// Discount codes, and the number of their uses by each owner.
    static let discounts = Migration(
        version: 4,
        name: "discounts",
        sql: """
            CREATE TABLE discounts (
                id TEXT PRIMARY KEY,
                code TEXT NOT NULL UNIQUE,
                rule TEXT NOT NULL,
                starts_at BIGINT,
                ends_at BIGINT,
                minimum BIGINT,
                products TEXT,
                categories TEXT,
                use_limit INTEGER,
                limit_per_account INTEGER,
                used INTEGER NOT NULL DEFAULT 0,
                created_at BIGINT NOT NULL,
                CHECK (used >= 0 AND (use_limit IS NULL OR used <= use_limit))
            );
            CREATE TABLE discount_uses (
                discount_id TEXT NOT NULL,
                owner_id TEXT NOT NULL,
                uses INTEGER NOT NULL CHECK (uses >= 0),
                PRIMARY KEY (discount_id, owner_id)
            );
            CREATE INDEX discount_uses_by_owner ON discount_uses (owner_id);

            """
    )

    /// Identifies the attempts behind failed sign-ins, so that a single one can be removed.
    static let attempts = Migration(
        version: 7,
        name: "attempts",
        sql: """
            ALTER TABLE sign_in_failures ADD COLUMN attempt TEXT;

            """
    )

    /// Stores with each migration which servers can run after it.
    static let needs = Migration(
        version: 8,
        name: "needs",
        sql: """
            ALTER TABLE schema_migrations ADD COLUMN needs INTEGER NOT NULL DEFAULT 0;

            """
    )

    /// Stores which products each version of the catalogue changed, so that servers need not read all of them again. A
    /// version without rows is from a server of an earlier release, which did not record what it changed.
    static let catalogChanges = Migration(
        version: 9,
        name: "catalogChanges",
        sql: """
            CREATE TABLE catalog_changes (
                version BIGINT NOT NULL,
                product_id TEXT,
                revision BIGINT,
                CHECK ((product_id IS NULL) <> (revision IS NULL))
            );
            CREATE INDEX catalog_changes_by_version ON catalog_changes (version);
            CREATE INDEX scheduled_prices_by_start ON scheduled_prices (starts_at);
            CREATE INDEX scheduled_prices_by_end ON scheduled_prices (ends_at);

            """
    )
}
