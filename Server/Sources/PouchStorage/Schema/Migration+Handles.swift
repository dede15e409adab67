extension Migration {
    /// Remembers under which handles feeds name products, as they spell them, and the handles that products had, so that
    /// another import finds its products, and old addresses lead to them.
    static let handles = Migration(
        version: 22,
        name: "handles",
        sql: """
            ALTER TABLE products ADD COLUMN feed_handle TEXT;
            CREATE INDEX products_by_feed_handle ON products (feed_handle) WHERE feed_handle IS NOT NULL;
            CREATE TABLE former_handles (
                handle TEXT PRIMARY KEY,
                product_id TEXT NOT NULL
            );

            """
    )
}
