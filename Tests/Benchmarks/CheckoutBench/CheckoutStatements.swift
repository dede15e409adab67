import Benchmarking
import Foundation
import PouchDomain
import PouchEntities
import PouchHTTP
import PouchStorage
import TestDatabase

/// The transactions of one checkout as the server made them, with gaps for what differs from one to the next.
struct CheckoutStatements: Sendable {
    struct Statement: Sendable {
        let sql: String
        /// Texts may have gaps.
        let arguments: [SQLValue]
    }

    /// Stands for the number of the shopper.
    static let numberGap = "{number}"
    /// Stands for the number within the SKU.
    static let skuGap = "{sku}"

    let prepare: [Statement]
    let charge: Statement
    let finalize: [Statement]

    var count: Int { prepare.count + finalize.count }

    /// Watches one checkout. It is the last shopper's but one, whom no load comes to.
    init(of shop: RunningShop, by number: Int) async throws {
        // The first takes numbers for those that follow.
        let total = try await shop.total(of: number)
        try await Self.checkout(number - 1, for: total, in: shop)
        let transactions = try await RecordingDatabase.transactions {
            try await Self.checkout(number, for: total, in: shop)
        }
        guard transactions.count == 2,
            let order = transactions[0].first(where: { $0.sql.contains("INSERT INTO orders") })?.arguments,
            case .text(let orderId) = order[0], case .text(let orderNumber) = order[1],
            case .text(let paymentId) = order[9], case .integer(let amount) = order[11]
        else { throw BenchError("a checkout is not what it was: \(transactions)") }
        // Ids stay as long as they are.
        func gapped(_ id: String) -> String { id.dropLast("\(number)".count) + Self.numberGap }
        let payment = gapped(paymentId)
        let gaps = [
            (orderId, gapped(orderId)), (orderNumber, "P-" + Self.numberGap),
            (paymentId, payment), ("\(number)", Self.numberGap),
            ("sku-\(number % BenchShop.skus)", "sku-" + Self.skuGap),
        ]
        func statements(_ transaction: RecordingDatabase.Transaction) -> [Statement] {
            transaction.map { statement in
                Statement(
                    sql: statement.sql,
                    arguments: statement.arguments.map { argument in
                        guard case .text(let text) = argument else { return argument }
                        return .text(gaps.reduce(text) { $0.replacingOccurrences(of: $1.0, with: $1.1) })
                    })
            }
        }
        prepare = statements(transactions[0])
        finalize = statements(transactions[1])
        charge = Statement(
            sql: """
                INSERT INTO charges (
                    key, status, decline_code, amount, currency, captured, refunded, created_at, request
                ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (key) DO NOTHING
                """,
            arguments: [
                .text(payment), .text("captured"), .null, .integer(amount), .text("EUR"),
                .integer(amount), .integer(0), .time(SystemTime().now), .text("\(amount) EUR tok_ok"),
            ])
    }

    private static func checkout(_ number: Int, for total: Money, in shop: RunningShop) async throws {
        let principal = Shoppers.session(number).principal
        let answered = try await shop.services.checkout.checkout(
            principal,
            terms: PaymentTerms(
                method: .card(token: "tok_ok"), expectedTotal: total, email: "ada@example.com"),
            ifMatch: nil,
            request: .init(
                ownerId: principal.ownerId, key: "key-\(number)", fingerprint: Data(repeating: 7, count: 32)))
        guard answered.head.code == 201 else { throw BenchError("a checkout failed: \(answered)") }
    }
}
