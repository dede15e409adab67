import Foundation
import PouchEntities

/// Finalizes checkouts and refunds, and finishes those left open by a crash or the provider.
///
/// Every step requires the status that it starts from, so it takes effect once, however often and in however many
/// processes it runs.
public struct OrderSettlement: Sendable {
    /// The age at which a pending order that the provider does not know fails; a request that is still paying takes
    /// less time. Together with the interval it stays below the 30 s of the contract.
    public static let gracePeriod: TimeInterval = 15
    /// The interval between searches for unfinished orders, in seconds.
    public static let interval: TimeInterval = 5

    private let environment: DomainEnvironment
    private let carts: CartService
    private let payments: any PaymentProvider
    private let encode: OutcomeEncoder
    private let delivery: OrderDelivery

    public init(
        _ environment: DomainEnvironment, carts: CartService, payments: any PaymentProvider,
        encode: @escaping OutcomeEncoder
    ) {
        self.environment = environment
        self.carts = carts
        self.payments = payments
        self.encode = encode
        delivery = OrderDelivery(environment)
    }

    /// The ledger of the latest order if it is not the provider's, for example after a restore without the ledger.
    /// Refunds of its orders wait until the provider has that ledger again.
    public func otherLedger() async throws -> (ofOrders: String, ofProvider: String)? {
        let own = try await payments.ledgerId()
        guard let latest = try await environment.store.read({ try $0.orders.latestLedgerId() }), latest != own else {
            return nil
        }
        return (latest, own)
    }

    /// The time at which `settleAll` will have work; nil while no payment or refund is open.
    public func nextDue(in repositories: any Repositories) throws -> Date? {
        let order = try repositories.orders.oldestPending().map {
            isDue($0) ? Date.distantPast : $0.addingTimeInterval(Self.gracePeriod)
        }
        let refund = try repositories.refunds.hasPending() ? Date.distantPast : nil
        return [order, refund].compactMap(\.self).min()
    }

    /// Finishes open payments and refunds, if the provider responds. An order that fails, or whose answer the provider
    /// delays, does not delay the others.
    ///
    /// - Parameters:
    ///   - atOnce: the number of orders settled concurrently.
    ///   - report: called with the id of an order that failed, and the error; it is retried later.
    /// - Returns: the number of finished payments and refunds.
    public func settleAll(
        atOnce: Int = 16, report: (String, any Error) -> Void = { _, _ in }
    ) async throws -> Int {
        let ledgerId = try await payments.ledgerId()
        let orders = try await each(
            atOnce: atOnce, id: \.order.id, orderId: \.order.id, report: report,
            { try $0.orders.pending(ledgerId: ledgerId, after: $1, limit: 100) }, settle)
        let refunds = try await each(
            atOnce: atOnce, id: \.id, orderId: \.orderId, report: report,
            { try $0.refunds.pending(ledgerId: ledgerId, after: $1, limit: 100) }
        ) { refund in
            try await makeRefund(refund)
            return true
        }
        return orders + refunds
    }

    /// Processes pages of open payments or refunds. `work` returns whether it finished one.
    private func each<Found: Sendable>(
        atOnce: Int, id: any KeyPath<Found, String> & Sendable, orderId: any KeyPath<Found, String> & Sendable,
        report: (String, any Error) -> Void, _ find: @escaping @Sendable (any Repositories, String?) throws -> [Found],
        _ work: @escaping @Sendable (Found) async throws -> Bool
    ) async throws -> Int {
        var page: ArraySlice<Found> = []
        var last: String?
        var isAtEnd = false
        // If a page cannot be read, the orders already started are finished first.
        var failure: (any Error)?
        func next() async throws -> Found? {
            if page.isEmpty, !isAtEnd {
                page = try await environment.store.read { [last] in try find($0, last) }[...]
                last = page.last?[keyPath: id]
                isAtEnd = page.isEmpty
            }
            return page.popFirst()
        }
        let settled = await withTaskGroup(of: (String, Result<Bool, any Error>).self) { group in
            func start(_ one: Found) {
                group.addTask {
                    do {
                        return (one[keyPath: orderId], .success(try await work(one)))
                    } catch {
                        return (one[keyPath: orderId], .failure(error))
                    }
                }
            }
            func startNext() async {
                do {
                    if failure == nil, let one = try await next() { start(one) }
                } catch {
                    failure = error
                }
            }
            for _ in 0..<atOnce { await startNext() }
            var settled = 0
            for await (orderId, result) in group {
                switch result {
                case .success(let isSettled): settled += isSettled ? 1 : 0
                case .failure(let error): report(orderId, error)
                }
                await startNext()
            }
            return settled
        }
        if let failure { throw failure }
        return settled
    }

    /// Whether a pending order of that time is due for settlement. An order from the future was placed before the clock
    /// was set back.
    private func isDue(_ createdAt: Date) -> Bool {
        abs(environment.time.now.timeIntervalSince(createdAt)) >= Self.gracePeriod
    }

    /// - Returns: whether the order was finished.
    private func settle(_ record: OrderRecord) async throws -> Bool {
        guard isDue(record.order.createdAt) else { return false }
        let outcome =
            record.order.totals.total.amount == 0
            ? .captured : try await payments.settle(key: record.order.payment.id, ledgerId: record.ledgerId)
        switch outcome {
        case .captured:
            // Cancelled and refunded, since the units were sold to other buyers: the order is finished, too.
            do { _ = try await captured(record) } catch DomainError.outOfStock {}
        case .declined(let code):
            try await giveUp(record, answer: encode(.declined(code: code)), keepsOrder: true)
        case .voided: try await giveUp(record, answer: nil, keepsOrder: true)
        }
        return true
    }

    /// Finalizes a captured charge: sells the units and marks the order as paid. If its hold had expired and the units
    /// were sold to other buyers, cancels the order and refunds the charge.
    ///
    /// - Parameter request: the purchase; nil for the settlement.
    /// - Throws: `DomainError.outOfStock` in that case.
    func captured(_ record: OrderRecord, request: IdempotencyRecord.Request? = nil) async throws -> StoredAnswer {
        enum Outcome: Sendable {
            case paid(StoredAnswer)
            case refunding(RefundRecord)
        }
        let now = environment.time.now
        let outcome: Outcome = try await environment.store.write(.readCommitted) { repositories in
            guard var paid = try repositories.orders.settle(record, status: .paid, payment: .captured, at: now)
            else { return .paid(try answer(toSettled: record, request: request, in: repositories)) }
            if try Holds(now: now, repositories: repositories).sell(paid) {
                try delivery.book(&paid, in: repositories)
                try environment.events.append(paid.order, in: repositories)
                let answer = try encode(.placed(paid))
                try repositories.idempotency.complete(subjectId: paid.order.id, answer: answer)
                return .paid(answer)
            }
            paid.order.enter(.cancelled, at: now)
            guard try repositories.orders.update(paid) else { throw TransactionConflict() }
            let refund = try RefundRecord(
                id: environment.ids.make(.refund), ofCancelled: RefundedOrder(paid.order, in: repositories),
                createdAt: now)
            try repositories.refunds.insert(refund)
            try environment.events.append(paid.order, in: repositories)
            try environment.events.append(created: refund, in: repositories)
            try repositories.giveBackDiscount(of: paid, by: environment.digests)
            if paid.fromCart { try carts.putBack(paid, in: repositories) }
            try repositories.idempotency.deleteRunning(subjectId: paid.order.id)
            return .refunding(refund)
        }
        switch outcome {
        case .paid(let answer): return answer
        case .refunding(let refund):
            // If the provider is unreachable, the settlement makes the refund later.
            do { try await makeRefund(refund) } catch is PaymentProviderError {}
            throw DomainError.outOfStock(ofCancelled: record)
        }
    }

    /// The answer to the purchase of an order that another process has settled.
    ///
    /// - Throws: `DomainError.outOfStock` when that process sold the units to other buyers and cancelled the order. The
    ///   key is then free, so repeating the request is another purchase.
    private func answer(
        toSettled record: OrderRecord, request: IdempotencyRecord.Request?, in repositories: any Repositories
    ) throws -> StoredAnswer {
        let current = try repositories.orders.existing(id: record.order.id)
        if let request, let answer = try storedAnswer(of: request, owner: current.ownerId, in: repositories) {
            return answer
        }
        guard current.order.status != .cancelled else { throw DomainError.outOfStock(ofCancelled: record) }
        return try encode(.placed(current))
    }

    /// Ends an order that was not charged: its stock, discount and cart lines go back.
    ///
    /// - Parameters:
    ///   - answer: the answer to store for the request's key; nil deletes the key.
    ///   - keepsOrder: whether the order is kept as cancelled, because the buyer may know of it; otherwise it is
    ///     deleted.
    ///   - alongside: runs in the same transaction.
    func giveUp(
        _ record: OrderRecord, answer: StoredAnswer?, keepsOrder: Bool,
        alongside: @escaping @Sendable (any Repositories) throws -> Void = { _ in }
    ) async throws {
        let now = environment.time.now
        try await environment.store.write(.readCommitted) { repositories in
            // Read again: a guest may have signed in during the charge and moved the order to the account.
            guard let record = try repositories.orders.settle(record, status: .cancelled, payment: .failed, at: now)
            else { return }
            // The cart before the stock, in the order of a checkout, so that transactions do not deadlock.
            if record.fromCart { try carts.putBack(record, in: repositories) }
            try Holds(now: now, repositories: repositories).release(record)
            try repositories.giveBackDiscount(of: record, by: environment.digests)
            if let answer {
                try repositories.idempotency.complete(subjectId: record.order.id, answer: answer)
            } else {
                try repositories.idempotency.deleteRunning(subjectId: record.order.id)
            }
            try environment.events.append(.paymentFailed, record.order, in: repositories)
            if keepsOrder {
                try environment.events.append(record.order, in: repositories)
            } else {
                try repositories.orders.delete(id: record.order.id)
            }
            try alongside(repositories)
        }
    }

    /// Answers with the pending order when it is unknown whether the charge was made; the settlement determines that
    /// later. If the order has been settled since, answers with its current state.
    ///
    /// - Throws: `DomainError.paymentProviderFailed` when the order has failed.
    func unanswered(_ record: OrderRecord, request: IdempotencyRecord.Request) async throws -> StoredAnswer {
        try await environment.store.write(.readCommitted) { repositories in
            // Before the key, in the order in which the settlement locks them.
            let current = try repositories.orders.order(id: record.order.id, locking: true)
            try repositories.idempotency.complete(subjectId: record.order.id, answer: encode(.placed(record)))
            if let order = current?.order, order.status == .pending {
                try environment.events.append(.orderPlaced, order, in: repositories)
            }
            if let answer = try storedAnswer(of: request, owner: current?.ownerId, in: repositories) { return answer }
            guard let current, current.order.status != .cancelled else { throw DomainError.paymentProviderFailed }
            return try encode(.placed(current))
        }
    }

    /// Refunds a cancelled order and answers. If the provider is unreachable, or the charge is in another ledger, the
    /// order is still cancelled and refunded later.
    ///
    /// Other refunds of the order may complete in the meantime; the request's key keeps its first answer.
    func cancelled(
        orderId: String, refund: RefundRecord, request: IdempotencyRecord.Request?
    ) async throws -> StoredAnswer {
        do { try await makeRefund(refund) } catch is PaymentProviderError {}
        return try await environment.store.write(.readCommitted) { repositories in
            let record = try repositories.orders.existing(id: orderId)
            let answer = try encode(.cancelled(record))
            try repositories.idempotency.complete(subjectId: orderId, answer: answer)
            return try request.flatMap { try storedAnswer(of: $0, owner: record.ownerId, in: repositories) } ?? answer
        }
    }

    /// Makes a refund, once for any number of calls. After a `PaymentProviderError`, the settlement tries again.
    package func makeRefund(_ refund: RefundRecord) async throws {
        let record = try await environment.store.read { try $0.orders.existing(id: refund.orderId) }
        // A refund of free units has no amount for the provider.
        if refund.amount.amount > 0 {
            try await payments.refund(
                RefundRequest(
                    key: refund.id, chargeKey: record.order.payment.id, ledgerId: record.ledgerId,
                    amount: refund.amount))
        }
        try await environment.store.write(.readCommitted) { repositories in
            guard try repositories.refunds.complete(id: refund.id) else { return }
            var record = try repositories.orders.existing(id: refund.orderId, locking: true)
            record.order = try record.order.applying(refund)
            if record.order.status == .refunded { try delivery.cancel(record, in: repositories) }
            guard try repositories.orders.update(record) else { throw TransactionConflict() }
            try environment.events.append(made: refund, of: record.order, in: repositories)
            // A cancelled order stays cancelled.
            if record.order.status != .cancelled { try environment.events.append(record.order, in: repositories) }
            try repositories.idempotency.complete(
                subjectId: refund.id, answer: encode(.refunded(refund, isPending: false)))
            // The settlement does not find this refund again, so the request that cancelled the order is answered here.
            if record.order.status == .cancelled {
                try repositories.idempotency.complete(
                    subjectId: record.order.id,
                    answer: encode(.cancelled(repositories.orders.existing(id: record.order.id))))
            }
        }
    }

    /// Makes a refund and answers. If the provider is unreachable, answers that it is pending; the settlement makes it
    /// later.
    func refunded(_ refund: RefundRecord, request: IdempotencyRecord.Request) async throws -> StoredAnswer {
        do {
            try await makeRefund(refund)
            return try encode(.refunded(refund, isPending: false))
        } catch is PaymentProviderError {
            return try await environment.store.write(.readCommitted) { repositories in
                let answer = try encode(.refunded(refund, isPending: true))
                try repositories.idempotency.complete(subjectId: refund.id, answer: answer)
                return try storedAnswer(of: request, in: repositories) ?? answer
            }
        }
    }

    /// The stored answer of the request's key; another process may have answered first.
    ///
    /// - Parameter owner: the current owner of the order, who also has a guest's key if the guest signed in since.
    private func storedAnswer(
        of request: IdempotencyRecord.Request, owner: String? = nil, in repositories: any Repositories
    ) throws -> StoredAnswer? {
        for owner in [request.ownerId, owner].compactMap(\.self) {
            let record = try repositories.idempotency.record(ownerId: owner, key: request.key)
            if let record, record.request.fingerprint == request.fingerprint { return record.answer }
        }
        return nil
    }
}

extension DomainError {
    fileprivate static func outOfStock(ofCancelled record: OrderRecord) -> DomainError {
        .outOfStock(record.order.units.map { StockShortfall(sku: $0.sku, available: 0) })
    }
}

/// The outcome of a request that moves money.
public enum OrderOutcome: Sendable {
    case placed(OrderRecord)
    case cancelled(OrderRecord)
    case refunded(RefundRecord, isPending: Bool)
    case declined(code: String)
}

/// Encodes an outcome, inside the transaction that stores the answer.
public typealias OutcomeEncoder = @Sendable (OrderOutcome) throws -> StoredAnswer
