import Foundation
import PouchEntities

/// Places orders in three steps: prepare (one transaction: recompute, compare with what the buyer saw, hold the stock,
/// write the pending order and the idempotency record), pay (outside of any transaction), finalize (one transaction).
///
/// What a crash leaves between two steps, `OrderSettlement` finishes.
public struct CheckoutService: Sendable {
    private let environment: DomainEnvironment
    private let carts: CartService
    private let payments: any PaymentProvider
    private let answers: any OrderAnswers
    private let idempotency: Idempotency
    private let preview: Preview
    /// Finishes what this begins.
    public let settlement: OrderSettlement

    public init(
        _ environment: DomainEnvironment, carts: CartService, payments: any PaymentProvider,
        answers: any OrderAnswers
    ) {
        self.environment = environment
        self.carts = carts
        self.payments = payments
        self.answers = answers
        idempotency = Idempotency(time: environment.time)
        preview = Preview(shop: environment.shop, time: environment.time)
        settlement = OrderSettlement(environment, carts: carts, payments: payments, answers: answers)
    }

    /// An answer, and whether it repeats an earlier one.
    public struct Answered: Sendable {
        public let answer: StoredAnswer
        public let isReplay: Bool
    }

    /// Buys what is in the cart. Unless an order comes of it, the lines and the choice of shipping are in the cart again
    /// afterwards, under a later version.
    ///
    /// - Throws: `DomainError.cartEmpty`, `.shippingRequired`, `.emailRequired`, `.priceChanged`, `.outOfStock`,
    ///   `.versionConflict`, `.paymentProviderFailed`, `.idempotencyKeyReused`, `.idempotencyKeyInUse`, `.invalid`. A
    ///   declined card is an answer, since it is kept for the key.
    public func checkout(
        _ principal: Principal, terms: PaymentTerms, ifMatch: Int?, request: IdempotencyRecord.Request
    ) async throws -> Answered {
        try await place(principal, terms: terms, request: request, fromCart: true) { repositories in
            let contents = try carts.take(principal, ifMatch: ifMatch, in: repositories)
            guard !contents.lines.isEmpty else { throw DomainError.cartEmpty }
            guard let shipping = contents.shipping else { throw DomainError.shippingRequired }
            return Draft(lines: contents.lines, shipping: shipping, changes: contents.changes)
        }
    }

    /// Buys lines without touching the cart.
    ///
    /// - Throws: as `checkout`, and `DomainError.unknownSKU`, `.unknownShippingMethod`, `.discountInvalid`.
    public func buyNow(
        _ principal: Principal, purchase: DirectPurchase, terms: PaymentTerms, request: IdempotencyRecord.Request
    ) async throws -> Answered {
        try await place(principal, terms: terms, request: request, fromCart: false) { repositories in
            let lines = try preview.lines(purchase, in: repositories)
            guard let methodId = purchase.methodId, let address = purchase.address else {
                throw DomainError.shippingRequired
            }
            let method = try environment.shop.shippingMethod(id: methodId)
            try AccountRules.problems(address, prefix: "address.").check()
            return Draft(
                lines: lines, shipping: Shipping(methodId: methodId, address: address, price: method.price),
                changes: [])
        }
    }

    /// Cancels before fulfilment: the stock is put back and the charge refunded in full.
    ///
    /// - Throws: `DomainError.notFound`, `.notCancellable`, `.versionConflict`, `.idempotencyKeyReused`,
    ///   `.idempotencyKeyInUse`.
    public func cancel(
        orderId: String, of principal: Principal, ifMatch: Int?, request: IdempotencyRecord.Request?
    ) async throws -> Answered {
        let prepared: Prepared = try await environment.store.write { repositories in
            try principal.checkSession(in: repositories)
            if let answer = try idempotency.replay(request, in: repositories) { return .replay(answer) }
            let record = try OrderService().order(id: orderId, of: principal, in: repositories)
            guard ifMatch == nil || ifMatch == record.version else { throw DomainError.versionConflict }
            guard record.order.status == .paid,
                try repositories.orders.move(
                    id: orderId, from: .paid, to: .cancelled, payment: .captured,
                    refunded: record.order.payment.refunded, at: environment.time.now)
            else { throw DomainError.notCancellable }
            for line in record.order.lines {
                try repositories.stock.putBack(sku: line.sku, quantity: line.quantity)
            }
            try idempotency.remember(request, orderId: orderId, in: repositories)
            return .order(record)
        }
        switch prepared {
        case .replay(let answer): return Answered(answer: answer, isReplay: true)
        case .order(let record):
            // The client may go away; what was begun is brought to its end all the same.
            let answer = try await Task { try await settlement.refund(record) }.value
            return Answered(answer: answer, isReplay: false)
        }
    }

    // MARK: Steps

    /// What is about to be ordered.
    private struct Draft {
        let lines: [PricedLine]
        let shipping: Shipping
        let changes: [CartChange]
    }

    private enum Prepared: Sendable {
        case order(OrderRecord)
        case replay(StoredAnswer)
    }

    private func place(
        _ principal: Principal, terms: PaymentTerms, request: IdempotencyRecord.Request, fromCart: Bool,
        draft: @escaping @Sendable (any Repositories) throws -> Draft
    ) async throws -> Answered {
        let ledgerId: String
        do { ledgerId = try await payments.ledgerId() } catch { throw DomainError.paymentProviderFailed }
        let prepared: Prepared = try await environment.store.write { repositories in
            try principal.checkSession(in: repositories)
            if let answer = try idempotency.replay(request, in: repositories) { return .replay(answer) }
            let record = try prepare(
                try draft(repositories), for: principal, terms: terms, fromCart: fromCart, ledgerId: ledgerId,
                in: repositories)
            try idempotency.remember(request, orderId: record.order.id, in: repositories)
            return .order(record)
        }
        switch prepared {
        case .replay(let answer): return Answered(answer: answer, isReplay: true)
        case .order(let record):
            // The client may go away; what was begun is brought to its end all the same.
            let answer = try await Task { try await pay(record, with: terms.method, request: request) }.value
            return Answered(answer: answer, isReplay: false)
        }
    }

    private func prepare(
        _ draft: Draft, for principal: Principal, terms: PaymentTerms, fromCart: Bool, ledgerId: String,
        in repositories: any Repositories
    ) throws -> OrderRecord {
        let totals = try Totals(lines: draft.lines, shipping: draft.shipping.price)
        let email = try email(for: principal, given: terms.email, in: repositories)
        guard totals.total == terms.expectedTotal else { throw DomainError.priceChanged(draft.changes) }
        try hold(draft.lines, in: repositories)

        let now = environment.time.now
        let order = Order(
            id: environment.ids.make(.order),
            number: try repositories.orders.nextNumber(),
            status: .pending,
            lines: draft.lines.map(\.orderLine),
            totals: totals,
            payment: Payment(
                id: environment.ids.make(.payment), status: .pending, amount: totals.total,
                refunded: .zero(totals.total.currency)),
            shipping: draft.shipping,
            email: email,
            createdAt: now,
            history: [Order.Event(status: .pending, at: now)]
        )
        let record = OrderRecord(
            order: order, ownerId: principal.ownerId, version: 1, fromCart: fromCart, ledgerId: ledgerId)
        try repositories.orders.insert(record)
        return record
    }

    private func email(
        for principal: Principal, given: String?, in repositories: any Repositories
    ) throws -> String {
        if let given {
            guard let email = AccountRules.normalizedEmail(given) else {
                throw DomainError.invalid([InvalidField("email", .invalid, "This is not an e-mail address.")])
            }
            return email
        }
        guard let account = try repositories.accounts.account(id: principal.ownerId) else {
            throw DomainError.emailRequired
        }
        return account.email
    }

    /// In the order of the SKUs, so that two buyers of the same ones never wait for each other in a circle.
    private func hold(_ lines: [PricedLine], in repositories: any Repositories) throws {
        var short: [StockShortfall] = []
        for line in lines.sorted(by: { $0.offer.sku < $1.offer.sku })
        where try !repositories.stock.hold(sku: line.offer.sku, quantity: line.quantity) {
            short.append(StockShortfall(sku: line.offer.sku, available: line.offer.available))
        }
        guard short.isEmpty else { throw DomainError.outOfStock(short) }
    }

    private func pay(
        _ record: OrderRecord, with method: PaymentMethod, request: IdempotencyRecord.Request
    ) async throws -> StoredAnswer {
        do {
            let outcome = try await payments.charge(
                ChargeRequest(
                    key: record.order.payment.id, ledgerId: record.ledgerId, method: method,
                    amount: record.order.totals.total))
            switch outcome {
            case .captured:
                return try await settlement.captured(record)
            case .declined(let code):
                let answer = try answers.declined(code: code)
                try await settlement.giveUp(record, answer: answer, keepsOrder: false)
                return answer
            case .voided:
                try await settlement.giveUp(record, answer: nil, keepsOrder: false)
                throw DomainError.paymentProviderFailed
            }
        } catch PaymentProviderError.failed {
            try await settlement.giveUp(record, answer: nil, keepsOrder: false)
            throw DomainError.paymentProviderFailed
        } catch PaymentProviderError.noAnswer {
            // Charged or not: the settlement will ask. Until then the order stays as it is, and is told as it is; unless
            // the settlement was first.
            let answer = try answers.placed(record)
            return try await environment.store.write { repositories in
                try repositories.idempotency.complete(orderId: record.order.id, answer: answer)
                return try repositories.idempotency.record(ownerId: request.ownerId, key: request.key)?.answer ?? answer
            }
        }
    }
}
