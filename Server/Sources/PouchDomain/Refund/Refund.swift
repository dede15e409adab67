import Foundation
import PouchEntities

/// A refund to a buyer. A stored refund is certain to be made: after a crash or a failure of the provider it is
/// retried.
public struct RefundRecord: Sendable, Equatable {
    public let id: String
    public let orderId: String
    public let amount: Money
    /// The part of the amount that is tax.
    public let tax: Money
    /// The returned units; empty for a refund by amount.
    public let lines: [StockUnits]
    public let reason: String?
    public let createdAt: Date

    public init(
        id: String, orderId: String, amount: Money, tax: Money, lines: [StockUnits], reason: String?, createdAt: Date
    ) {
        self.id = id
        self.orderId = orderId
        self.amount = amount
        self.tax = tax
        self.lines = lines
        self.reason = reason
        self.createdAt = createdAt
    }

    /// The refund in the form that its buyer and the shop see.
    public func refund(isPending: Bool) -> Refund {
        Refund(
            id: id, amount: amount, createdAt: createdAt, status: isPending ? .pending : .succeeded,
            lines: lines.isEmpty ? nil : lines.map { Refund.Line(sku: $0.sku, quantity: $0.quantity) }, reason: reason)
    }

    /// Creates the refund of the rest of a cancelled order's charge. Its units go back to the stock with the
    /// cancellation.
    init(id: String, ofCancelled refunded: RefundedOrder, createdAt: Date) throws(MoneyError) {
        self.init(
            id: id, orderId: refunded.order.id, amount: try refunded.left,
            tax: try refunded.order.totals.tax.subtracting(refunded.tax), lines: [], reason: nil, createdAt: createdAt)
    }
}

public protocol RefundRepository {
    func insert(_ refund: RefundRecord) throws
    /// The refunds of the order, oldest first, and whether the provider has not made them yet.
    func refunds(orderId: String) throws -> [(refund: RefundRecord, isPending: Bool)]
    /// The refunds that the provider has not made yet, in the ledger or, for nil, in any; oldest first, after the one
    /// with the id.
    func pending(ledgerId: String?, after id: String?, limit: Int) throws -> [RefundRecord]
    /// Whether there are refunds that the provider has not made yet, in any ledger.
    func hasPending() throws -> Bool
    /// Marks the refund as made; returns false if it already was.
    func complete(id: String) throws -> Bool
}

/// The extent of a refund.
public enum RefundScope: Sendable, Equatable {
    /// The whole rest, with all units.
    case rest
    /// An amount, without units.
    case amount(Money)
    /// Units, with their share of discount and tax, but not shipping.
    case lines([StockUnits])
}

/// An order after all its refunds, including pending ones.
struct RefundedOrder {
    let order: Order
    /// The tax of all its refunds.
    let tax: Money

    /// - Throws: `MoneyError`, and the store's errors.
    init(_ order: Order, in repositories: any Repositories) throws {
        let refunds = try repositories.refunds.refunds(orderId: order.id)
        self.order = try refunds.filter(\.isPending).reduce(order) { try $0.applying($1.refund) }
        tax = try refunds.reduce(.zero(order.payment.amount.currency)) { try $0.adding($1.refund.tax) }
    }

    /// The amount that can still be refunded.
    var left: Money {
        get throws(MoneyError) { try order.payment.amount.subtracting(order.payment.refunded) }
    }

    /// A further refund, in addition to the pending ones.
    func refund(_ scope: RefundScope, id: String, reason: String, at now: Date) throws -> RefundRecord {
        let share = try RefundCalculator(order: order, refundedTax: tax).refund(scope)
        return RefundRecord(
            id: id, orderId: order.id, amount: share.amount, tax: share.tax,
            lines: zip(order.lines, share.refundedQuantities).compactMap { line, refunded in
                refunded > line.refundedQuantity
                    ? .init(sku: line.sku, quantity: refunded - line.refundedQuantity) : nil
            },
            reason: reason, createdAt: now)
    }
}

extension CheckoutService {
    /// Refunds a paid order: stores the refund in one transaction, then lets the provider make it. Concurrent refunds
    /// together never exceed the charge.
    ///
    /// The order gets its next version with the stored refund, before the provider makes it: of two refunds based on
    /// the same version of the order, only the first is made.
    ///
    /// - Parameters:
    ///   - orderId: the order's id or number.
    ///   - reason: the reason, within `ModelLimits.noteLength` and not blank.
    ///   - record: stores additional data in the transaction of the refund.
    /// - Throws: `DomainError.notFound`, `.versionConflict`, `.refundExceedsCapture`, `.invalid`,
    ///   `.idempotencyKeyReused`, `.idempotencyKeyInUse`, `MoneyError`.
    public func refund(
        orderId: String, _ scope: RefundScope, reason: String, by principal: Principal, ifMatch: Int? = nil,
        request: IdempotencyRecord.Request,
        alongside record: @escaping @Sendable (any Repositories) throws -> Void = { _ in }
    ) async throws -> StoredAnswer {
        try InvalidField.text("reason", reason, length: ModelLimits.noteLength).check()
        let effect = try await environment.store.write(for: principal, .readCommitted) { repositories in
            let id = environment.ids.make(.refund)
            return try idempotency.effect(of: request, subjectId: id, in: repositories) {
                let order = try repositories.orders.order(of: orderId, locking: true)
                try order.check(ifMatch: ifMatch)
                let refund = try RefundedOrder(order.order, in: repositories)
                    .refund(scope, id: id, reason: reason, at: environment.time.now)
                try repositories.refunds.insert(refund)
                guard try repositories.orders.update(order) else { throw TransactionConflict() }
                try environment.events.append(created: refund, in: repositories)
                try record(repositories)
                return refund
            }
        }
        return try await effect.finish { try await settlement.refunded($0, request: request) }
    }
}

extension Order {
    /// The order after the refund; see `OrderMachine` on its status. A cancelled order stays cancelled.
    func applying(_ refund: RefundRecord) throws(MoneyError) -> Order {
        let refunded = try payment.refunded.adding(refund.amount)
        let isWhole = refunded == payment.amount
        let units = Dictionary(refund.lines.map { ($0.sku, $0.quantity) }, uniquingKeysWith: +)
        var order = self
        order.enter(
            status == .cancelled ? .cancelled : isWhole ? .refunded : .partiallyRefunded,
            payment: Payment(
                id: payment.id, status: isWhole ? .refunded : .partiallyRefunded, amount: payment.amount,
                refunded: refunded),
            lines: lines.map { $0.refunding(units[$0.sku] ?? 0) },
            at: refund.createdAt)
        return order
    }
}

extension OrderLine {
    fileprivate func refunding(_ units: Int) -> OrderLine {
        OrderLine(
            sku: sku, name: name, options: options, quantity: quantity, unitPrice: unitPrice, lineTotal: lineTotal,
            discount: discount, tax: tax, refundedQuantity: refundedQuantity + units)
    }
}
