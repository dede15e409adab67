extension Migration {
    /// Expired holds are found by an index that no other one looks better than: SQLite took that by status instead, and
    /// went through every pending order.
    static let holds = Migration(
        version: 5,
        name: "holds",
        sql: """
            DROP INDEX orders_holding;
            CREATE INDEX orders_holding ON orders (status, hold_released, hold_expires_at)
                WHERE status = 'pending' AND hold_released = 0;

            """
    )
}
