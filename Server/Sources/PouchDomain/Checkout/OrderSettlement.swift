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
    private let delivery: OrderDelivery

    public init(
        _ environment: DomainEnvironment, carts: CartService, payments: any PaymentProvider,
        answers: any OrderAnswers
    ) {
        self.environment = environment
        self.carts = carts
        self.payments = payments
        self.answers = answers
        delivery = OrderDelivery(environment)
    }

    /// Finishes what it finds, as far as the provider answers. One order that cannot be finished does not keep the
    /// others waiting.
    ///
    /// - Parameter report: told of an order's id and what kept it from being finished; it will be tried again.
    /// - Returns: how many payments and refunds it brought to their end.
    public func settleAll(report: (String, any Error) -> Void = { _, _ in }) async throws -> Int {
        let ledgerId = try await payments.ledgerId()
        let orders = try await each(
            id: \.order.id, orderId: \.order.id, report: report,
            { try $0.orders.pending(ledgerId: ledgerId, after: $1, limit: 100) }, settle)
        let refunds = try await each(
            id: \.id, orderId: \.orderId, report: report,
            { try $0.refunds.pending(ledgerId: ledgerId, after: $1, limit: 100) },
            {
                try await giveBack($0)
                return true
            })
        return orders + refunds
    }

    /// Works through pages of what is found; `work` tells whether it brought one to its end.
    private func each<Found: Sendable>(
        id: any KeyPath<Found, String> & Sendable, orderId: any KeyPath<Found, String> & Sendable,
        report: (String, any Error) -> Void,
        _ find: @escaping @Sendable (any Repositories, String?) throws -> [Found],
        _ work: (Found) async throws -> Bool
    ) async throws -> Int {
        var settled = 0
        var last: String?
        while true {
            let found = try await environment.store.read { [last] in try find($0, last) }
            guard let end = found.last else { return settled }
            last = end[keyPath: id]
            for one in found {
                do {
                    if try await work(one) { settled += 1 }
                } catch {
                    report(one[keyPath: orderId], error)
                }
            }
        }
    }

    /// - Returns: whether the order came to its end.
    private func settle(_ record: OrderRecord) async throws -> Bool {
        guard environment.time.now.timeIntervalSince(record.order.createdAt) >= Self.patience else { return false }
        let outcome =
            record.order.totals.total.amount == 0
            ? .captured : try await payments.settle(key: record.order.payment.id, ledgerId: record.ledgerId)
        switch outcome {
        case .captured:
            // Cancelled and refunded, since others have bought the units, is an end too.
            do { _ = try await captured(record) } catch DomainError.outOfStock {}
        case .declined(let code):
            try await giveUp(record, answer: answers.declined(code: code), keepsOrder: true)
        case .voided: try await giveUp(record, answer: nil, keepsOrder: true)
        }
        return true
    }

    /// The charge was made: the units are sold and the order is paid. Where its hold had expired and others have bought
    /// the units, it is cancelled and the charge refunded.
    ///
    /// - Throws: `DomainError.outOfStock` in that case.
    func captured(_ record: OrderRecord) async throws -> StoredAnswer {
        enum Outcome: Sendable {
            case paid(StoredAnswer)
            case refunding(RefundRecord)
        }
        let now = environment.time.now
        let outcome: Outcome = try await environment.store.write(.readCommitted) { repositories in
            guard
                var paid = try repositories.orders.settle(record, status: .paid, payment: .captured, at: now)
            else { return .paid(try answers.placed(current(record.order.id, in: repositories))) }
            if try Holds(now: now, repositories: repositories).sell(paid) {
                try delivery.book(&paid, in: repositories)
                let answer = try answers.placed(paid)
                try repositories.idempotency.complete(orderId: paid.order.id, answer: answer)
                return .paid(answer)
            }
            paid.order.enter(.cancelled, at: now)
            guard try repositories.orders.update(paid) else { throw TransactionConflict() }
            let refund = try RefundRecord(
                id: environment.ids.make(.refund), ofCancelled: RefundedOrder(paid.order, in: repositories),
                createdAt: now)
            try repositories.refunds.insert(refund)
            try repositories.giveBackDiscount(of: paid)
            if paid.fromCart { try carts.putBack(paid, in: repositories) }
            try repositories.idempotency.deleteRunning(orderId: paid.order.id)
            return .refunding(refund)
        }
        switch outcome {
        case .paid(let answer): return answer
        case .refunding(let refund):
            // Where the provider cannot be reached, it is made later.
            do { try await giveBack(refund) } catch is PaymentProviderError {}
            throw DomainError.outOfStock(record.order.units.map { StockShortfall(sku: $0.sku, available: 0) })
        }
    }

    /// No charge was made: what the order took goes back.
    ///
    /// - Parameters:
    ///   - answer: what the request's key is to give again; nil forgets the request.
    ///   - keepsOrder: whether the order stays, cancelled, since the buyer may know of it; otherwise it is gone.
    func giveUp(_ record: OrderRecord, answer: StoredAnswer?, keepsOrder: Bool) async throws {
        let now = environment.time.now
        try await environment.store.write(.readCommitted) { repositories in
            // As it is now: a guest may have signed in while the card was asked, and taken the order along.
            guard
                let record = try repositories.orders.settle(record, status: .cancelled, payment: .failed, at: now)
            else { return }
            try Holds(now: now, repositories: repositories).release(record)
            try repositories.giveBackDiscount(of: record)
            if record.fromCart { try carts.putBack(record, in: repositories) }
            if let answer {
                try repositories.idempotency.complete(orderId: record.order.id, answer: answer)
            } else {
                try repositories.idempotency.deleteRunning(orderId: record.order.id)
            }
            if !keepsOrder { try repositories.orders.delete(id: record.order.id) }
        }
    }

    /// Whether the charge was made is not known: it will be asked for. Until then the order stays as it is, and is told as
    /// it is; unless it was settled in the meantime.
    ///
    /// - Throws: `DomainError.paymentProviderFailed` when it was given up.
    func unanswered(_ record: OrderRecord, request: IdempotencyRecord.Request) async throws -> StoredAnswer {
        try await environment.store.write(.readCommitted) { repositories in
            try repositories.idempotency.complete(orderId: record.order.id, answer: answers.placed(record))
            if let answer = try standing(request, in: repositories) { return answer }
            guard let current = try repositories.orders.order(id: record.order.id),
                current.order.status != .cancelled
            else { throw DomainError.paymentProviderFailed }
            return try answers.placed(current)
        }
    }

    /// Makes the refund of a cancelled order. Where the provider cannot be reached, or the charge is in another's ledger,
    /// the order is cancelled all the same, and whoever can settle it refunds it later.
    ///
    /// Earlier refunds may be made meanwhile; the request's key gives what was answered first.
    func cancelled(
        orderId: String, refund: RefundRecord, request: IdempotencyRecord.Request?
    ) async throws -> StoredAnswer {
        do { try await giveBack(refund) } catch is PaymentProviderError {}
        return try await environment.store.write(.readCommitted) { repositories in
            let answer = try answers.cancelled(current(orderId, in: repositories))
            try repositories.idempotency.complete(orderId: orderId, answer: answer)
            return try request.flatMap { try standing($0, in: repositories) } ?? answer
        }
    }

    /// Makes a refund, once, however often it is called.
    ///
    /// - Throws: `PaymentProviderError`; the settlement tries again.
    func giveBack(_ refund: RefundRecord) async throws {
        let record = try await environment.store.read { try current(refund.orderId, in: $0) }
        // The provider is not asked for nothing: units that were free come back too.
        if refund.amount.amount > 0 {
            try await payments.refund(
                RefundRequest(
                    key: refund.id, chargeKey: record.order.payment.id, ledgerId: record.ledgerId,
                    amount: refund.amount))
        }
        try await environment.store.write(.readCommitted) { repositories in
            guard try repositories.refunds.complete(id: refund.id) else { return }
            var record = try current(refund.orderId, locking: true, in: repositories)
            record.order = try record.order.applying(refund)
            if record.order.status == .refunded { try delivery.cancel(record, in: repositories) }
            guard try repositories.orders.update(record) else { throw TransactionConflict() }
            try repositories.idempotency.complete(
                orderId: refund.id, answer: answers.refunded(refund, isPending: false))
            // From here on nobody looks for the refund any more, so the cancelling request must have its answer too.
            if record.order.status == .cancelled {
                try repositories.idempotency.complete(
                    orderId: record.order.id, answer: answers.cancelled(current(record.order.id, in: repositories)))
            }
        }
    }

    /// Makes a refund and answers it; where the provider cannot be reached it is answered as pending, and made later.
    func refunded(_ refund: RefundRecord, request: IdempotencyRecord.Request) async throws -> StoredAnswer {
        do {
            try await giveBack(refund)
            return try answers.refunded(refund, isPending: false)
        } catch is PaymentProviderError {
            return try await environment.store.write(.readCommitted) { repositories in
                let answer = try answers.refunded(refund, isPending: true)
                try repositories.idempotency.complete(orderId: refund.id, answer: answer)
                return try standing(request, in: repositories) ?? answer
            }
        }
    }

    /// What the request's key gives; another may have been first to answer it.
    private func standing(
        _ request: IdempotencyRecord.Request, in repositories: any Repositories
    ) throws -> StoredAnswer? {
        try repositories.idempotency.record(ownerId: request.ownerId, key: request.key)?.answer
    }

    private func current(
        _ orderId: String, locking: Bool = false, in repositories: any Repositories
    ) throws -> OrderRecord {
        guard let current = try repositories.orders.order(id: orderId, locking: locking) else {
            throw DomainError.notFound
        }
        return current
    }
}
