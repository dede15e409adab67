extension Migration {
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
}
