/// What a variant costs at a moment: of the scheduled prices that are on, the one that began last, else its own.
enum EffectivePrice {
    /// A table of one row with the moment, which is its one argument.
    static let moment = "SELECT CAST(? AS BIGINT) AS now"

    /// The scheduled price of the variant v at the moment m, or NULL.
    static let scheduled = """
        (SELECT e.price FROM scheduled_prices e WHERE e.sku = v.sku AND e.starts_at <= m.now AND e.ends_at > m.now
            ORDER BY e.starts_at DESC, e.id DESC LIMIT 1)
        """
    static let sql = "COALESCE(\(scheduled), v.price)"
}
