import Foundation
import PouchEntities

/// Refunds paid orders: stores the refund in one transaction, then lets the provider make it.
public struct RefundService: Sendable {
    private let environment: DomainEnvironment
    private let settlement: OrderSettlement
    private let idempotency: Idempotency

    public init(_ environment: DomainEnvironment, settlement: OrderSettlement) {
        self.environment = environment
        self.settlement = settlement
        idempotency = Idempotency(time: environment.time)
    }

    /// Concurrent refunds never exceed the charge together.
    ///
    /// - Throws: `DomainError.notFound`, `.refundExceedsCapture`, `.invalid`, `.idempotencyKeyReused`,
    ///   `.idempotencyKeyInUse`, `MoneyError`.
    public func refund(
        orderId: String, _ scope: RefundScope, reason: String, by principal: Principal,
        request: IdempotencyRecord.Request
    ) async throws -> StoredAnswer {
        let effect = try await environment.store.write(.readCommitted) { repositories in
            _ = try principal.lockSession(in: repositories)
            let id = environment.ids.make(.refund)
            return try idempotency.effect(of: request, subjectId: id, in: repositories) {
                guard let record = try repositories.orders.order(id: orderId, locking: true) else {
                    throw DomainError.notFound
                }
                let refund = try Self.refund(
                    id, of: record.order, scope, reason: reason, at: environment.time.now, in: repositories)
                try repositories.refunds.insert(refund)
                return refund
            }
        }
        return try await effect.finish { try await settlement.refunded($0, request: request) }
    }

    /// Computes a refund on top of those that are pending.
    static func refund(
        _ id: String, of order: Order, _ scope: RefundScope, reason: String, at now: Date,
        in repositories: any Repositories
    ) throws -> RefundRecord {
        let refunded = try RefundedOrder(order, in: repositories)
        let order = refunded.order
        let share = try RefundCalculator(order: order, refundedTax: refunded.tax).refund(scope)
        return RefundRecord(
            id: id, orderId: order.id, amount: share.amount, tax: share.tax,
            lines: zip(order.lines, share.refundedQuantities).compactMap { line, refunded in
                refunded > line.refundedQuantity
                    ? .init(sku: line.sku, quantity: refunded - line.refundedQuantity) : nil
            },
            reason: reason, createdAt: now)
    }
}
