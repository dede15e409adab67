/// The transactions of checkouts without a server.
protocol RawCheckouts: Sendable {
    /// How they are made.
    var name: String { get }
    /// What the ratio is to be at least.
    var aim: Double { get }

    /// Makes them durable one by one, each in three commits: prepare, charge, finalize. Goes on for `seconds`.
    ///
    /// - Parameters:
    ///   - shoppers: whose carts are bought.
    ///   - isHot: whether all carts have the same SKU.
    /// - Returns: checkouts per second.
    func run(_ statements: CheckoutStatements, by shoppers: Range<Int>, isHot: Bool) async throws -> Double

    /// What is in the books now, as `RawBooks` counts it.
    func books() async throws -> [Int]
}

extension RawCheckouts {
    static var seconds: Int { 2 }
}

/// Counts that are all the same when the raw transactions did what checkouts do.
enum RawBooks {
    /// Of the shop's database.
    static let shop = [
        "SELECT COUNT(*) FROM orders WHERE status = 'paid'",
        "SELECT COUNT(*) FROM idempotency WHERE status = 201",
        "SELECT COUNT(*) FROM carts c WHERE version = 3 "
            + "AND NOT EXISTS (SELECT 1 FROM cart_lines l WHERE l.owner_id = c.owner_id)",
        "SELECT SUM(\(BenchShop.stock) - on_hand + held) FROM stock",
    ]
    static let ledger = ["SELECT COUNT(*) FROM charges WHERE status = 'captured'"]
}
