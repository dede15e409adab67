import ServerTesting
import Synchronization
import Testing

@Suite("Refunds", .timeLimit(.minutes(5)))
struct RefundTests {
    /// Opens a shop that adds taxes, with an order of two caps and a scarf: 45.00, 6.15 for taxes and 4.90 for
    /// shipping.
    private func open(
        _ body: @escaping @Sendable (TestShop, _ admin: Caller, _ buyer: Caller, Order) async throws -> Void
    ) async throws {
        let products: [FeedProduct] = [
            .stocked("cap", price: 1000, category: "Hats"), .sized("scarf", price: 2500, stock: [("S", 10)]),
        ]
        try await TestShop.open(products, configure: { $0.shop = .taxed }) { shop in
            let guest = try await shop.guest()
            try await guest.add("cap", 2).good()
            try await guest.add("scarf-s").good()
            try await guest.ship().good()
            let order = try await guest.checkout(total: 5605).good()
            try await body(shop, try await shop.admin(), guest, order)
        }
    }

    /// The sum of the sandbox's refunds.
    private func refundedSum(_ shop: TestShop) async throws -> Int {
        let ledger = try SQLiteDatabase(path: shop.configuration.sandboxLedgerPath)
        let sum = try await ledger.read { try $0.row("SELECT COALESCE(SUM(amount), 0) FROM refunds", [])?.int(0) }
        try await ledger.close()
        return sum ?? 0
    }

    private func taxes(_ shop: TestShop) async throws -> Int? {
        try await shop.rows("SELECT CAST(COALESCE(SUM(tax), 0) AS BIGINT) FROM refunds").first?.int(0)
    }

    @Test func `Units are refunded with their tax, then an amount, then the rest`() async throws {
        try await open { shop, admin, buyer, order in
            let unit = try await admin.refund(order.id, lines: [LineRequest(sku: "cap", quantity: 1)]).good()
            #expect(unit.amount == Money(1070, .eur) && unit.status == .succeeded)
            #expect(unit.lines == [Refund.Line(sku: "cap", quantity: 1)])
            #expect(try await taxes(shop) == 70)
            let partly = try await buyer.order(id: order.id)
            #expect(partly.status == .partiallyRefunded && partly.payment.refunded == Money(1070, .eur))
            #expect(partly.lines.map(\.refundedQuantity) == [1, 0])
            #expect(try await admin.refund(order.id, amount: 500).good().amount == Money(500, .eur))
            #expect(try await buyer.order(id: order.id).lines.map(\.refundedQuantity) == [1, 0])
            #expect(try await admin.refund(order.id).good().amount == Money(5605 - 1070 - 500, .eur))
            let whole = try await buyer.order(id: order.id)
            #expect(whole.status == .refunded && whole.payment.status == .refunded)
            #expect(whole.payment.refunded == whole.totals.total)
            #expect(whole.lines.map(\.refundedQuantity) == [2, 1])
            #expect(whole.history.map(\.status) == [.pending, .paid, .partiallyRefunded, .refunded])
            #expect(try await taxes(shop) == 615)
            #expect(try await refundedSum(shop) == 5605)
            try await admin.refund(order.id).problem(.refundExceedsCapture)
            try await admin.refund(order.id, amount: 1).problem(.refundExceedsCapture)
        }
    }

    @Test func `A reason is needed: a blank one is refused, and so is one that is too long`() async throws {
        try await open { shop, admin, buyer, order in
            for reason in ["", " \n", String(repeating: "a", count: 2_001)] {
                let refused = try await admin.refund(order.id, amount: 5, reason: reason)
                #expect(try refused.problem(.validationFailed).problem.errors?.map(\.field) == ["reason"])
            }
            #expect(try await buyer.order(id: order.id).payment.refunded.amount == 0)
            let longest = String(repeating: "a", count: 2_000)
            #expect(try await admin.refund(order.id, amount: 5, reason: longest).good().reason == longest)
        }
    }

    @Test func `A refund of more than is left, or of lines the order does not have, is refused`() async throws {
        try await open { shop, admin, buyer, order in
            try await admin.refund(order.id, amount: 5606).problem(.refundExceedsCapture)
            try await admin.refund(order.id, amount: 0).problem(.validationFailed)
            for line in [("cap", 3), ("cap", 0), ("gloves", 1)] {
                try await admin.refund(order.id, lines: [LineRequest(sku: line.0, quantity: line.1)])
                    .problem(.validationFailed)
            }
            try await admin.refund(order.id, lines: []).problem(.validationFailed)
            try await admin.refund(order.id, amount: 5, lines: [LineRequest(sku: "cap", quantity: 1)])
                .problem(.validationFailed)
            try await admin.refund(order.id, key: nil).problem(.idempotencyKeyRequired)
            try await admin.refund("ord_nothing").problem(.notFound)
            try await buyer.refund(order.id).problem(.forbidden)
            // The refused refunds left the refundable amount unchanged.
            #expect(try await admin.refund(order.id, amount: 5605).good().amount == Money(5605, .eur))
            #expect(try await refundedSum(shop) == 5605)
        }
    }

    @Test func `Of two refunds of one version of an order the first is made, and its repetition gets its answer`()
        async throws
    {
        try await open { shop, admin, _, order in
            let etag = try #require(try await admin.call(Contract.managedOrder, path: ["id": order.id]).etag)
            let match = [HeaderName.ifMatch: etag]
            let first = try await admin.refund(order.id, amount: 700, key: "k", headers: match)
            try first.good()
            try await admin.refund(order.id, amount: 700, headers: match).problem(.versionConflict)
            let again = try await admin.refund(order.id, amount: 700, key: "k", headers: match)
            #expect(again.body == first.body && again.header(HeaderName.idempotentReplayed) == "true")
            try await admin.refund(order.id, amount: 701, key: "k").problem(.idempotencyKeyReused)
            #expect(try await refundedSum(shop) == 700)
        }
    }

    @Test func `A refund changes the version of its order before the provider makes it`() async throws {
        try await SettlementDesk.open { desk in
            await desk.provider.script(charge: .success(.captured), refund: .failure(.noAnswer))
            let order = try await desk.pay()
            let admin = try await desk.administrator()
            let version = try await desk.shop.store.read { try $0.orders.order(of: order.id).version }
            func refund(key: String) async throws -> StoredAnswer {
                try await desk.refund(order, .amount(Money(500, .eur)), key: key, by: admin, ifMatch: version)
            }
            let answer = try await refund(key: "a")
            #expect(try Refund(json: answer.body).status == .pending)
            await #expect(throws: DomainError.versionConflict) { _ = try await refund(key: "b") }
            #expect(try await refund(key: "a").isReplay)
        }
    }

    @Test func `A partially refunded order is fulfilled and delivered, and its rest can still be refunded`()
        async throws
    {
        try await open { _, admin, buyer, order in
            try await admin.refund(order.id, lines: [LineRequest(sku: "cap", quantity: 2)]).good()
            try await admin.deliver(order.id).problem(.notDeliverable)
            #expect(try await admin.fulfil(order.id).good().status == .fulfilled)
            try await admin.refund(order.id, amount: 100).good()
            try await buyer.cancel(order.id).problem(.notCancellable)
            try await admin.fulfil(order.id).problem(.notFulfillable)
            #expect(try await admin.deliver(order.id).good().status == .delivered)
            try await admin.refund(order.id).good()
            try await admin.deliver(order.id).problem(.notDeliverable)
            #expect(
                try await buyer.order(id: order.id).history.map(\.status) == [
                    .pending, .paid, .partiallyRefunded, .fulfilled, .partiallyRefunded, .delivered, .refunded,
                ])
        }
    }

    @Test func `Cancelling a partially refunded order refunds the rest with the rest of the tax`() async throws {
        try await open { shop, admin, buyer, order in
            try await admin.refund(order.id, lines: [LineRequest(sku: "cap", quantity: 1)]).good()
            try await admin.refund(order.id, amount: 500).good()
            let answer = try await buyer.cancel(order.id, key: "k")
            let cancelled = try answer.good()
            #expect(cancelled.status == .cancelled && cancelled.payment.status == .refunded)
            #expect(cancelled.payment.refunded == order.totals.total)
            #expect(cancelled.history.map(\.status) == [.pending, .paid, .partiallyRefunded, .cancelled])
            #expect(cancelled.lines.map(\.refundedQuantity) == [1, 0])
            #expect(try await taxes(shop) == 615)
            #expect(try await refundedSum(shop) == 5605)
            #expect(try await shop.available("cap") == 10)
            #expect(try await buyer.cancel(order.id, key: "k").body == answer.body)
            try await buyer.cancel(order.id).problem(.notCancellable)
            try await admin.refund(order.id).problem(.refundExceedsCapture)
            try await admin.fulfil(order.id).problem(.notFulfillable)
            #expect(try await shop.available("scarf-s") == 10)
        }
    }

    @Test func `A refund during an outage of the provider is pending, counts as refunded, and is made afterwards`()
        async throws
    {
        try await SettlementDesk.open { desk in
            await desk.provider.script(charge: .success(.captured), refund: .failure(.noAnswer))
            let order = try await desk.pay()
            let admin = try await desk.administrator()
            func refund(_ scope: RefundScope, key: String) async throws -> StoredAnswer {
                try await desk.refund(order, scope, key: key, by: admin)
            }
            func status(_ answered: StoredAnswer) throws -> Refund.Status { try Refund(json: answered.body).status }
            let units = RefundScope.lines([.init(sku: "cap", quantity: 1)])
            #expect(try status(await refund(units, key: "a")) == .pending)
            #expect(try await desk.guest.order(id: order.id).payment.refunded == Money(0, .eur))
            await #expect(throws: DomainError.refundExceedsCapture) {
                _ = try await refund(.amount(Money(1491, .eur)), key: "b")
            }
            #expect(try status(await refund(.rest, key: "c")) == .pending)
            try await desk.guest.call(Contract.cancelOrder, path: ["id": order.id]).problem(.notCancellable)
            let again = try await refund(units, key: "a")
            #expect(try again.isReplay && status(again) == .pending)

            await desk.provider.script(refund: .success(()))
            #expect(try await desk.settlement.settleAll() == 2)
            let refunded = try await desk.guest.order(id: order.id)
            #expect(refunded.status == .refunded && refunded.payment.refunded == order.totals.total)
            #expect(refunded.lines.map(\.refundedQuantity) == [2])
            #expect(try await desk.settlement.settleAll() == 0)
        }
    }

    /// Places an order of which 5.00 are being refunded while the provider does not answer.
    private func payWithPendingRefund(at desk: SettlementDesk) async throws -> Order {
        await desk.provider.script(charge: .success(.captured), refund: .failure(.noAnswer))
        let order = try await desk.pay()
        let admin = try await desk.administrator()
        _ = try await desk.refund(order, .amount(Money(500, .eur)), key: "a", by: admin)
        return order
    }

    @Test func `An order with a pending refund can be cancelled, and both refunds add up to the charge`() async throws {
        try await SettlementDesk.open { desk in
            let order = try await payWithPendingRefund(at: desk)
            let cancelled = try await desk.cancel(order, by: desk.principal, with: desk.provider)
            #expect(try Order(json: cancelled.body).status == .cancelled)
            #expect(try await desk.stock("cap") == [10, 0])
            await desk.provider.script(refund: .success(()))
            #expect(try await desk.settlement.settleAll() == 2)
            let ended = try await desk.guest.order(id: order.id)
            #expect(ended.status == .cancelled && ended.payment.status == .refunded)
            #expect(ended.payment.refunded == order.totals.total)
            let again = try await desk.cancel(order, by: desk.principal, with: desk.provider)
            #expect(again.isReplay && again.body == cancelled.body)
        }
    }

    @Test func `A guest who signs up while an order is cancelled gets the same answer under the same key later`()
        async throws
    {
        try await SettlementDesk.open { desk in
            let order = try await payWithPendingRefund(at: desk)
            await desk.provider.script(refund: .success(()))
            // During the refund the account takes the order and the key, and the settlement makes both refunds, the
            // first of which stores the answer.
            let signedUp = Mutex<UserSession?>(nil)
            let payments = InterruptedPayments(
                provider: desk.provider,
                duringRefund: {
                    await #expect(throws: Never.self) {
                        let session = try await desk.guest.call(Contract.signUp, .sample()).good()
                        signedUp.withLock { $0 = session }
                        #expect(try await desk.settlement.settleAll() == 2)
                    }
                })
            let cancelled = try await desk.cancel(order, by: desk.principal, with: payments)
            let session = try #require(signedUp.withLock { $0 })
            let customer = Principal(sessionId: session.id, kind: .customer, ownerId: try #require(session.profile?.id))
            let again = try await desk.cancel(order, by: customer, with: desk.provider)
            #expect(again.isReplay && again.body == cancelled.body)
            #expect(try await desk.shop.caller(session).order(id: order.id).payment.refunded == order.totals.total)
        }
    }
}

extension SettlementDesk {
    fileprivate func administrator() async throws -> Principal {
        let session = try #require(try await shop.admin().session)
        return Principal(sessionId: session.id, kind: .admin, ownerId: try #require(session.profile?.id))
    }

    fileprivate func refund(
        _ order: Order, _ scope: RefundScope, key: String, by admin: Principal, ifMatch version: Int? = nil
    ) async throws -> StoredAnswer {
        try await checkout.refund(
            orderId: order.id, scope, reason: "late", by: admin, ifMatch: version,
            request: .init(ownerId: admin.ownerId, key: key, fingerprint: .init([1])))
    }

    fileprivate func cancel(
        _ order: Order, by principal: Principal, with provider: any PaymentProvider
    ) async throws -> StoredAnswer {
        try await checkout(with: provider).cancel(
            orderId: order.id, of: principal, ifMatch: nil,
            request: .init(ownerId: principal.ownerId, key: "b", fingerprint: .init([2])))
    }
}
