extension Migration {
    /// Finds the orders of deleted accounts that still name their buyers, by the time of the next look at them.
    static let buyers = Migration(
        version: 24,
        name: "buyers",
        sql: """
            ALTER TABLE orders ADD COLUMN anonymise_at BIGINT;
            CREATE INDEX orders_to_anonymise ON orders (anonymise_at) WHERE anonymise_at IS NOT NULL;

            """
    )
}
