import ShopBenching

/// Runs the transactions of checkouts without a server.
protocol RawCheckouts: Sendable {
    /// A description for people, such as “with pgbench”.
    var name: String { get }
    /// The lowest acceptable ratio of checkouts over HTTP to raw ones.
    var goal: Double { get }

    /// Buys carts for `seconds`, each in three durable commits, and returns how many per second. They are hot if all have
    /// the same SKU.
    func run(_ statements: CheckoutStatements, by shoppers: Range<Int>, isHot: Bool) async throws -> Double

    /// Returns the counts of `RawBooks`.
    func books() async throws -> [Int]
}

extension RawCheckouts { static var seconds: Int { 2 } }

/// Counts that grow by the same number if the raw transactions did the work of checkouts.
enum RawBooks {
    /// Counts in the database of the shop.
    static let shop = [
        "SELECT COUNT(*) FROM orders WHERE status = 'paid'", "SELECT COUNT(*) FROM idempotency WHERE status = 201",
        "SELECT COUNT(*) FROM carts c WHERE version = 3 "
            + "AND NOT EXISTS (SELECT 1 FROM cart_lines l WHERE l.owner_id = c.owner_id)",
        "SELECT SUM(\(BenchShop.stock) - on_hand + held) FROM stock",
    ]
    static let ledger = ["SELECT COUNT(*) FROM charges WHERE status = 'captured'"]
}

/// The recorded transactions of one checkout, with gaps where checkouts differ.
struct CheckoutStatements: Sendable {
    struct Statement: Sendable {
        let sql: String
        /// The arguments. Texts may contain gaps.
        let arguments: [SQLValue]
    }

    /// The gaps for the number of the shopper and for that in the SKU.
    static let (numberGap, skuGap) = ("{number}", "{sku}")

    /// Prepare, charge, finalize.
    let transactions: [[Statement]]

    /// Records the checkout of the given shopper, whose number is too high for any load to reach.
    init(of shop: RunningShop, by number: Int) async throws {
        // The first checkout reserves order numbers for the next ones.
        let total = try await shop.total(of: number)
        try await shop.checkout(number - 1, for: total)
        let recorded = try await RecordingDatabase.transactions { try await shop.checkout(number, for: total) }
        guard recorded.count == 2,
            let order = recorded[0].first(where: { $0.sql.contains("INSERT INTO orders") })?.arguments,
            case .text(let orderId) = order[0], case .text(let orderNumber) = order[1],
            case .text(let paymentId) = order[9], case .integer(let amount) = order[11]
        else { throw BenchError("this benchmark does not know the statements of a checkout any more: \(recorded)") }
        // IDs keep their lengths.
        func gapped(_ id: String) -> String { id.dropLast("\(number)".count) + Self.numberGap }
        let payment = gapped(paymentId)
        let gaps = [
            (orderId, gapped(orderId)), (orderNumber, "P-" + Self.numberGap), (paymentId, payment),
            ("\(number)", Self.numberGap), ("sku-\(number % BenchShop.skus)", "sku-" + Self.skuGap),
        ]
        func statements(_ transaction: RecordingDatabase.Transaction) -> [Statement] {
            transaction.map { statement in
                let arguments = statement.arguments.map { argument -> SQLValue in
                    guard case .text(let text) = argument else { return argument }
                    return .text(gaps.reduce(text) { $0.replacingOccurrences(of: $1.0, with: $1.1) })
                }
                return Statement(sql: statement.sql, arguments: arguments)
            }
        }
        let charge = Statement(
            sql: """
                INSERT INTO charges (
                    key, status, decline_code, amount, currency, captured, refunded, created_at, request
                ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (key) DO NOTHING
                """,
            arguments: [
                .text(payment), .text("captured"), .null, .integer(amount), .text("EUR"), .integer(amount),
                .integer(0), .time(SystemTime().now), .text("\(amount) EUR tok_ok"),
            ])
        transactions = [statements(recorded[0]), [charge], statements(recorded[1])]
    }
}
