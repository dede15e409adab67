import ServerTesting
import Testing

extension TestShop {
    /// A charge at the payment provider, in minor units.
    private struct Charge: Equatable {
        let captured: Int64
        let refunded: Int64
    }

    /// Checks orders, stock and charges while no request is running: charges and orders match with their amounts, sold
    /// units and stock add up to the initial stock, no units are held, and no order is pending.
    ///
    /// - Parameter stocked: the initial stock of each SKU.
    /// - Returns: the orders, latest first.
    @discardableResult
    func reconcile(
        _ stocked: [String: Int], sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> [OrderRecord] {
        let orders = try await store.read { try $0.orders.orders(matching: OrderSearch(), after: nil, limit: 10_000) }
        var sold: [String: Int] = [:]
        var booked: [String: Charge] = [:]
        for record in orders {
            let order = record.order
            #expect(order.status != .pending, sourceLocation: sourceLocation)
            let isConsistent = try order.isConsistent
            #expect(isConsistent, "\(order)", sourceLocation: sourceLocation)
            if order.payment.status != .failed, order.payment.amount.amount > 0 {
                booked[order.payment.id] = Charge(
                    captured: order.payment.amount.amount, refunded: order.payment.refunded.amount)
            }
            guard order.status != .cancelled else { continue }
            for line in order.lines { sold[line.sku, default: 0] += line.quantity }
        }
        #expect(try await captured() == booked, sourceLocation: sourceLocation)
        var stock: [String: [Int]] = [:]
        for row in try await rows("SELECT sku, on_hand, held FROM stock") {
            stock[try row.text(0)] = [try row.int(1), try row.int(2)]
        }
        for (sku, units) in stocked {
            #expect(stock[sku] == [units - sold[sku, default: 0], 0], "\(sku)", sourceLocation: sourceLocation)
            #expect(stock[sku, default: [-1]][0] >= 0, "\(sku)", sourceLocation: sourceLocation)
        }
        #expect(try await rows("SELECT order_id FROM holds").isEmpty, sourceLocation: sourceLocation)
        if TestDatabase.isPostgres {
            // No deadlocks, as far as the sessions have reported their statistics.
            let deadlocks = try await rows("SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()")
            #expect(try deadlocks.map { try $0.integer(0) } == [0], sourceLocation: sourceLocation)
        }
        return orders
    }

    /// The captured charges by their keys, which are payment ids.
    private func captured() async throws -> [String: Charge] {
        let rows = try await ledger("SELECT key, captured, refunded FROM charges WHERE captured > 0")
        return try Dictionary(
            uniqueKeysWithValues: rows.map {
                (try $0.text(0), Charge(captured: try $0.integer(1), refunded: try $0.integer(2)))
            })
    }
}

extension Order {
    /// Whether the totals add up to the payment.
    fileprivate var isConsistent: Bool {
        get throws {
            let items = try lines.reduce(Money.zero(totals.items.currency)) { try $0.adding($1.lineTotal) }
            let due = try totals.items.subtracting(totals.discount).adding(totals.shipping)
            return items == totals.items && due == totals.total && totals.total == payment.amount
                && lines.allSatisfy { $0.lineTotal.amount == $0.unitPrice.amount * Int64($0.quantity) }
        }
    }
}
