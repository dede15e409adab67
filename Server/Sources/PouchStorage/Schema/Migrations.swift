extension Migration {
    /// The migrations of a shop's database, in order.
    ///
    /// Append a new migration with the next version. A released migration never changes: every database stores the text
    /// that it was migrated with, and a server refuses to start when the texts differ.
    ///
    /// Servers of two releases run on one database while a new release is rolled out. Anything that an earlier server
    /// uses is therefore removed in two steps: a release expands the schema and stops using the old part; a later one
    /// contracts it, with a migration that has `needs`.
    static let all = [baseline]

    /// The schema in which a new database begins. Databases of development versions reached it by 24 migrations, of
    /// which the last one added the time at which an order becomes anonymous.
    static let baseline = Migration(
        version: 24,
        name: "baseline",
        sql: Baseline.accounts + Baseline.catalog + Baseline.orders + Baseline.activity,
        sqlite: Baseline.eventsOnSQLite + Baseline.holdsOnSQLite + Baseline.searchTerms + " WITHOUT ROWID;",
        postgres: Baseline.eventsOnPostgres + Baseline.holdsOnPostgres + Baseline.searchTerms + ";",
        replacing: """
            ALTER TABLE orders ADD COLUMN anonymise_at BIGINT;
            CREATE INDEX orders_to_anonymise ON orders (anonymise_at) WHERE anonymise_at IS NOT NULL;

            """)
}

/// The tables of the baseline. Times are milliseconds since 1970, amounts minor units, lists and objects JSON.
enum Baseline {}
