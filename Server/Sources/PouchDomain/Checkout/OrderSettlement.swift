import Foundation
import PouchEntities

/// The last step of a checkout, and the finishing of what was left half-way.
///
/// Every step asks for the status that it starts from, so that however often and in however many processes it runs, it
/// has its effect once.
public struct OrderSettlement: Sendable {
    /// A pending order that the provider does not know is given up after this time; a request that is still paying
    /// takes less. Together with the interval it stays below the 30 s of the contract.
    public static let patience: TimeInterval = 15
    /// How often what was left half-way is looked for.
    public static let interval: TimeInterval = 5

    private let environment: DomainEnvironment
    private let carts: CartService
    private let payments: any PaymentProvider
    private let answers: any OrderAnswers

    public init(
        _ environment: DomainEnvironment, carts: CartService, payments: any PaymentProvider,
        answers: any OrderAnswers
    ) {
        self.environment = environment
        self.carts = carts
        self.payments = payments
        self.answers = answers
    }

    /// Finishes what it finds, as far as the provider answers. One order that cannot be finished does not keep the
    /// others waiting.
    ///
    /// - Parameter report: told of an order's id and what kept it from being finished; it will be tried again.
    /// - Returns: how many orders it brought to their end.
    public func settleAll(report: (String, any Error) -> Void = { _, _ in }) async throws -> Int {
        let ledgerId = try await payments.ledgerId()
        var settled = 0
        var last: String?
        while true {
            let found = try await environment.store.read { [last] in
                try $0.orders.unsettled(ledgerId: ledgerId, after: last, limit: 100)
            }
            guard let end = found.last else { return settled }
            last = end.order.id
            for record in found {
                do {
                    if try await settle(record) { settled += 1 }
                } catch {
                    report(record.order.id, error)
                }
            }
        }
    }

    /// - Returns: whether the order came to its end.
    private func settle(_ record: OrderRecord) async throws -> Bool {
        if record.order.status == .cancelled {
            try await giveMoneyBack(record)
            _ = try await cancelled(record)
            return true
        }
        guard environment.time.now.timeIntervalSince(record.order.createdAt) >= Self.patience else { return false }
        switch try await payments.settle(key: record.order.payment.id, ledgerId: record.ledgerId) {
        case .captured: _ = try await captured(record)
        case .declined(let code):
            try await giveUp(record, answer: answers.declined(code: code), keepsOrder: true)
        case .voided: try await giveUp(record, answer: nil, keepsOrder: true)
        }
        return true
    }

    /// The charge was made: the units are sold and the order is paid.
    func captured(_ record: OrderRecord) async throws -> StoredAnswer {
        try await environment.store.write { repositories in
            let order = record.order
            if try repositories.orders.move(
                id: order.id, from: .pending, to: .paid, payment: .captured, refunded: order.payment.refunded,
                at: environment.time.now)
            {
                for line in order.lines { try repositories.stock.sell(sku: line.sku, quantity: line.quantity) }
            }
            let answer = try answers.placed(current(record, in: repositories))
            try repositories.idempotency.complete(orderId: order.id, answer: answer)
            return answer
        }
    }

    /// No charge was made: what the order took goes back.
    ///
    /// - Parameters:
    ///   - answer: what the request's key is to give again; nil forgets the request.
    ///   - keepsOrder: whether the order stays, cancelled, since the buyer may know of it; otherwise it is gone.
    func giveUp(_ record: OrderRecord, answer: StoredAnswer?, keepsOrder: Bool) async throws {
        let id = record.order.id
        try await environment.store.write { repositories in
            guard
                try repositories.orders.move(
                    id: id, from: .pending, to: .cancelled, payment: .failed,
                    refunded: record.order.payment.refunded, at: environment.time.now)
            else { return }
            // A guest may have signed in while the card was asked, and taken the order along.
            let record = try current(record, in: repositories)
            for line in record.order.lines {
                try repositories.stock.release(sku: line.sku, quantity: line.quantity)
            }
            if record.fromCart {
                try carts.putBack(
                    record.order.lines, shipping: record.order.shipping, to: record.ownerId, in: repositories)
            }
            if let answer {
                try repositories.idempotency.complete(orderId: id, answer: answer)
            } else {
                try repositories.idempotency.deleteRunning(orderId: id)
            }
            if !keepsOrder { try repositories.orders.delete(id: id) }
        }
    }

    /// Refunds a cancelled order. Where the provider cannot be reached, or the charge is in another's ledger, the order is
    /// cancelled all the same, and whoever can settle it refunds it later.
    func refund(_ record: OrderRecord) async throws -> StoredAnswer {
        do { try await giveMoneyBack(record) } catch is PaymentProviderError {}
        return try await cancelled(record)
    }

    private func giveMoneyBack(_ record: OrderRecord) async throws {
        let payment = record.order.payment
        try await payments.refund(
            RefundRequest(
                key: payment.id, chargeKey: payment.id, ledgerId: record.ledgerId, amount: payment.amount))
        try await environment.store.write { try $0.orders.setRefunded(id: record.order.id, payment.amount) }
    }

    private func cancelled(_ record: OrderRecord) async throws -> StoredAnswer {
        try await environment.store.write { repositories in
            let answer = try answers.cancelled(current(record, in: repositories))
            try repositories.idempotency.complete(orderId: record.order.id, answer: answer)
            return answer
        }
    }

    private func current(_ record: OrderRecord, in repositories: any Repositories) throws -> OrderRecord {
        guard let current = try repositories.orders.order(id: record.order.id) else { throw DomainError.notFound }
        return current
    }
}
