import Foundation
import PouchEntities

/// Places orders, and changes them for their buyers and the shop.
///
/// An order takes three steps. Prepare, in one transaction, prices again, compares with the total that the buyer saw,
/// holds the stock, and writes the pending order and the idempotency record. Pay runs outside of any transaction.
/// Finalize runs in one transaction. After a crash between two steps, `OrderSettlement` finishes the order.
public struct CheckoutService: Sendable {
    let environment: DomainEnvironment
    private let carts: CartService
    private let payments: any PaymentProvider
    private let encode: OutcomeEncoder
    let idempotency: Idempotency
    let pricing: Pricing
    let rules: AddressRules
    private let numbers: OrderNumbers
    private let waiting = WaitingPayments()
    let delivery: OrderDelivery
    /// Finishes orders after a crash.
    public let settlement: OrderSettlement

    public init(
        _ environment: DomainEnvironment, carts: CartService, payments: any PaymentProvider,
        encode: @escaping OutcomeEncoder
    ) {
        self.environment = environment
        self.carts = carts
        self.payments = payments
        self.encode = encode
        idempotency = Idempotency(time: environment.time)
        pricing = Pricing(environment)
        rules = AddressRules(environment.shop)
        numbers = OrderNumbers(store: environment.store)
        delivery = OrderDelivery(environment)
        settlement = OrderSettlement(environment, carts: carts, payments: payments, encode: encode)
    }

    /// Buys the contents of the cart. If no order is placed, the lines and the shipping choice go back to the cart
    /// under a later version.
    ///
    /// - Throws: `DomainError.cartEmpty`, `.shippingRequired`, `.emailRequired`, `.notForSale`, `.priceChanged`,
    ///   `.outOfStock`, `.discountInvalid`, `.discountExpired`, `.discountExhausted`, `.unknownShippingMethod`,
    ///   `.locationRequired`, `.emailUnverified`, `.versionConflict`, `.paymentProviderFailed`, `.tooManyDeclines`,
    ///   `.idempotencyKeyReused`, `.idempotencyKeyInUse`, `.invalid`. A declined card is not thrown but answered, since
    ///   the answer is stored for the key.
    public func checkout(
        _ principal: Principal, terms: PaymentTerms, ifMatch: Int?, request: IdempotencyRecord.Request
    ) async throws -> StoredAnswer {
        try await place(principal, terms: terms, request: request, fromCart: true) { repositories in
            let now = environment.time.now
            let (record, contents) = try carts.take(principal, ifMatch: ifMatch, at: now, in: repositories)
            let missing = contents.notOffered.map(\.sku)
            guard !contents.lines.isEmpty else {
                throw missing.isEmpty ? DomainError.cartEmpty : .notForSale(missing)
            }
            guard let methodId = record.shippingMethodId, let address = record.shippingAddress else {
                throw DomainError.shippingRequired
            }
            // If the expected total already excludes the expired discount or the unavailable lines, the order is
            // accepted.
            let (discount, refusal) = try repositories.discount(of: record, at: now)
            // Stored with other settings of the shop, or by an earlier version.
            let checked = try rules.checked(address, prefix: "shipping.address.")
            return Draft(
                lines: contents.lines, descriptions: contents.descriptions ?? [:], methodId: methodId,
                address: checked, discount: discount,
                refusal: missing.isEmpty ? refusal : .notForSale(missing), changes: record.changes)
        }
    }

    /// Buys lines without touching the cart.
    ///
    /// - Throws: the errors of `checkout`, and `DomainError.unknownSKU`.
    public func buyNow(
        _ principal: Principal, purchase: DirectPurchase, terms: PaymentTerms, request: IdempotencyRecord.Request
    ) async throws -> StoredAnswer {
        let units = try purchase.units()
        return try await place(principal, terms: terms, request: request, fromCart: false) { repositories in
            guard let methodId = purchase.methodId, let address = purchase.address else {
                throw DomainError.shippingRequired
            }
            let checked = try rules.checked(address, prefix: "address.")
            let now = environment.time.now
            let (lines, descriptions) = try repositories.offers(of: units, at: now)
            return Draft(
                lines: lines, descriptions: descriptions, methodId: methodId, address: checked,
                discount: try purchase.discount.map {
                    try repositories.discount(code: $0, ownerId: principal.ownerId, at: now)
                },
                refusal: nil, changes: [])
        }
    }

    /// Cancels an order before fulfilment: puts back the stock and refunds the rest of the charge.
    ///
    /// - Parameters:
    ///   - orderId: the order's id or number.
    ///   - isStaff: whether the principal may cancel other buyers' orders.
    ///   - record: stores additional data in the transaction of the cancellation.
    /// - Throws: `DomainError.notFound`, `.notCancellable`, `.versionConflict`, `.idempotencyKeyReused`,
    ///   `.idempotencyKeyInUse`.
    public func cancel(
        orderId: String, of principal: Principal, isStaff: Bool = false, ifMatch: Int?,
        request: IdempotencyRecord.Request?,
        alongside record: @escaping @Sendable (any Repositories) throws -> Void = { _ in }
    ) async throws -> StoredAnswer {
        let effect = try await environment.store.write(for: principal, .readCommitted) { repositories in
            let orderId = try repositories.orders.id(of: orderId)
            return try idempotency.effect(of: request, subjectId: orderId, in: repositories) {
                let order =
                    isStaff
                    ? try repositories.orders.existing(id: orderId, locking: true)
                    : try repositories.orders.order(id: orderId, of: principal, locking: true)
                let refund = try cancel(order, ifMatch: ifMatch, in: repositories)
                try record(repositories)
                return refund
            }
        }
        return try await effect.finish {
            try await settlement.cancelled(orderId: $0.orderId, refund: $0, request: request)
        }
    }

    /// Releases the order numbers that this server has reserved and not used, for the next start. Call it at an orderly
    /// stop, after the last checkout.
    public func releaseNumbers() async { await numbers.release() }

    // MARK: Steps

    private func cancel(
        _ record: OrderRecord, ifMatch: Int?, in repositories: any Repositories
    ) throws -> RefundRecord {
        var record = record
        try record.check(ifMatch: ifMatch)
        let refunded = try RefundedOrder(record.order, in: repositories)
        guard refunded.order.isCancellable else { throw DomainError.notCancellable }
        record.order.enter(.cancelled, at: environment.time.now)
        try delivery.cancel(record, in: repositories)
        guard try repositories.orders.update(record) else { throw TransactionConflict() }
        try repositories.stock.putBack(record.order.units)
        try repositories.giveBackDiscount(of: record, by: environment.digests)
        let refund = try RefundRecord(
            id: environment.ids.make(.refund), ofCancelled: refunded, createdAt: environment.time.now)
        try repositories.refunds.insert(refund)
        try environment.events.append(record.order, in: repositories)
        try environment.events.append(created: refund, in: repositories)
        return refund
    }

    private struct Draft {
        let lines: [PricedLine]
        let descriptions: [String: OfferDescription]
        let methodId: String
        let address: Address
        let discount: Discount?
        /// The reason why the cart cannot be bought as the buyer expects: lines that are not for sale, or a code that
        /// can no longer be used.
        let refusal: DomainError?
        let changes: [CartChange]
    }

    /// The answer to an earlier request with the same key, for a caller that cannot place the order now.
    ///
    /// - Throws: `DomainError.unauthenticated`, `.idempotencyKeyReused`, `.idempotencyKeyInUse`.
    public func earlierAnswer(
        to request: IdempotencyRecord.Request, of principal: Principal
    ) async throws -> StoredAnswer? {
        try await environment.store.read(for: principal) { try idempotency.earlierAnswer(to: request, in: $0) }
    }

    private func place(
        _ principal: Principal, terms: PaymentTerms, request: IdempotencyRecord.Request, fromCart: Bool,
        draft: @escaping @Sendable (any Repositories) throws -> Draft
    ) async throws -> StoredAnswer {
        try await waiting.counting(terms.origin?.network) {
            let declines = terms.origin.map {
                DeclinedPayments(of: principal, by: terms.method, from: $0, waiting: waiting, environment)
            }
            let ledgerId: String
            do { ledgerId = try await payments.ledgerId() } catch {
                // A stored answer is repeated even while the provider is down.
                guard let earlier = try await earlierAnswer(to: request, of: principal) else {
                    throw DomainError.paymentProviderFailed
                }
                return earlier
            }
            let number = try await numbers.draw()
            let effect: IdempotentEffect<OrderRecord>
            do {
                effect = try await environment.store.write(.readCommitted) { repositories in
                    let email = try principal.lockSession(in: repositories).email
                    let orderId = environment.ids.make(.order)
                    return try idempotency.effect(of: request, subjectId: orderId, in: repositories) {
                        try declines?.check(in: repositories)
                        try environment.checkVerifiedEmail(for: .checkout, of: principal, in: repositories)
                        return try prepare(
                            try draft(repositories), id: orderId, number: number, buyer: principal,
                            accountEmail: email, terms: terms, fromCart: fromCart, ledgerId: ledgerId, in: repositories)
                    }
                }
            } catch let refusal as DomainError {
                // After any other error the order may exist.
                numbers.giveBack(number)
                throw refusal
            }
            if case .replay = effect { numbers.giveBack(number) }
            return try await effect.finish { try await pay($0, with: terms.method, declines, request: request) }
        }
    }

    private func prepare(
        _ draft: Draft, id: String, number: Int64, buyer: Principal, accountEmail: String?, terms: PaymentTerms,
        fromCart: Bool, ledgerId: String, in repositories: any Repositories
    ) throws -> OrderRecord {
        let now = environment.time.now
        let priced = try pricing.price(
            draft.lines, discount: draft.discount, methodId: draft.methodId, address: draft.address)
        guard ModelLimits.orderTotal.contains(priced.totals.total.amount) else {
            let most = Money(ModelLimits.orderTotal.upperBound, priced.totals.total.currency)
            throw DomainError.invalid(
                "expectedTotal", .outOfRange, "An order can total at most \(most.text). Split it into several orders.")
        }
        let email = try email(given: terms.email, ofAccount: accountEmail)
        guard priced.totals.total == terms.expectedTotal else {
            throw draft.refusal ?? .priceChanged(draft.changes + draft.lines.compactMap(\.priceChange))
        }
        // Stock before discount, as everywhere, so that transactions do not deadlock.
        try Holds(now: now, repositories: repositories).hold(draft.lines, events: environment.events)
        if let discount = draft.discount {
            try repositories.claim(discount, ownerId: buyer.ownerId, email: email, by: environment.digests)
        }
        let order = Order(
            id: id,
            number: OrderNumbers.text(number),
            status: .pending,
            lines: priced.orderLines(draft.descriptions),
            totals: priced.totals,
            payment: Payment(
                id: environment.ids.make(.payment), status: .pending, amount: priced.totals.total,
                refunded: .zero(priced.totals.total.currency)),
            shipping: Shipping(methodId: draft.methodId, address: draft.address, price: priced.shippingPrice),
            email: email,
            createdAt: now,
            history: [Order.Event(status: .pending, at: now)]
        )
        let record = OrderRecord(
            order: order, ownerId: buyer.ownerId, version: 1, fromCart: fromCart, ledgerId: ledgerId,
            discount: draft.discount.map { .init(id: $0.id, code: $0.code, isByEmail: true) },
            hold: .init(expiresAt: now.addingTimeInterval(Double(environment.shop.holdMinutes) * 60)),
            grams: priced.grams)
        try repositories.orders.insert(record)
        return record
    }

    private func email(given: String?, ofAccount: String?) throws -> String {
        if let given { return try AccountRules.checkedEmail(given) }
        guard let ofAccount else { throw DomainError.emailRequired }
        return ofAccount
    }

    private func pay(
        _ record: OrderRecord, with method: PaymentMethod, _ declines: DeclinedPayments?,
        request: IdempotencyRecord.Request
    ) async throws -> StoredAnswer {
        do {
            // A discount can cover the whole total, which leaves nothing to charge.
            let outcome =
                record.order.totals.total.amount == 0
                ? .captured
                : try await payments.charge(
                    ChargeRequest(
                        key: record.order.payment.id, ledgerId: record.ledgerId, method: method,
                        amount: record.order.totals.total))
            switch outcome {
            case .captured:
                return try await settlement.captured(record, request: request)
            case .declined(let code):
                let answer = try encode(.declined(code: code))
                try await settlement.giveUp(record, answer: answer, keepsOrder: false) {
                    try declines?.count(orderId: record.order.id, in: $0)
                }
                return answer
            case .voided:
                try await settlement.giveUp(record, answer: nil, keepsOrder: false)
                throw DomainError.paymentProviderFailed
            }
        } catch PaymentProviderError.failed {
            try await settlement.giveUp(record, answer: nil, keepsOrder: false)
            throw DomainError.paymentProviderFailed
        } catch PaymentProviderError.noAnswer {
            return try await settlement.unanswered(record, request: request)
        }
    }
}
