import ServerTesting
import Synchronization
import Testing

/// The shop adds taxes. The buyer's order has two caps and a scarf: 45.00, 6.15 for taxes and 4.90 for shipping.
@Suite("Refunds", .timeLimit(.minutes(5)), .inShop(configure: { $0.shop = .taxed }))
struct RefundTests {
    private let shop = TestShop.current
    private let admin: Caller
    private let buyer: Caller
    private let order: Order

    init() async throws {
        (admin, buyer) = (try await shop.admin(), try await shop.guest())
        try await buyer.fillCart("cap", 2)
        try await buyer.add("scarf-s").good()
        order = try await buyer.checkout(total: 5605).good()
    }

    /// The sum of the sandbox's refunds.
    private func refundedSum() async throws -> Int? {
        try await shop.ledger("SELECT COALESCE(SUM(amount), 0) FROM refunds").first?.int(0)
    }

    private func taxes() async throws -> Int? {
        try await shop.rows("SELECT CAST(COALESCE(SUM(tax), 0) AS BIGINT) FROM refunds").first?.int(0)
    }

    @Test func `Units are refunded with their tax, then an amount, then the rest`() async throws {
        let unit = try await admin.refund(order.id, lines: [.cap]).good()
        #expect(unit.amount == Money(1070, .eur) && unit.status == .succeeded)
        #expect(unit.lines == [Refund.Line(sku: "cap", quantity: 1)])
        #expect(try await taxes() == 70)
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
        #expect(try await taxes() == 615)
        #expect(try await refundedSum() == 5605)
        try await admin.refund(order.id).problem(.refundExceedsCapture)
        try await admin.refund(order.id, amount: 1).problem(.refundExceedsCapture)
    }

    @Test func `A refund needs a reason, and a blank or too long one is refused`() async throws {
        for reason in ["", " \n", String(repeating: "a", count: 2_001)] {
            #expect(try await admin.refund(order.id, amount: 5, reason: reason).invalidFields() == ["reason"])
        }
        #expect(try await buyer.order(id: order.id).payment.refunded.amount == 0)
        let longest = String(repeating: "a", count: 2_000)
        #expect(try await admin.refund(order.id, amount: 5, reason: longest).good().reason == longest)
    }

    @Test func `A refund of more than is left, or of lines the order does not have, is refused`() async throws {
        try await admin.refund(order.id, amount: 5606).problem(.refundExceedsCapture)
        try await admin.refund(order.id, amount: 0).problem(.validationFailed)
        for (sku, quantity) in [("cap", 3), ("cap", 0), ("gloves", 1)] {
            let line = LineRequest(sku: sku, quantity: quantity)
            try await admin.refund(order.id, lines: [line]).problem(.validationFailed)
        }
        try await admin.refund(order.id, lines: []).problem(.validationFailed)
        try await admin.refund(order.id, amount: 5, lines: [.cap]).problem(.validationFailed)
        try await admin.refund(order.id, key: nil).problem(.idempotencyKeyRequired)
        try await buyer.refund(order.id).problem(.forbidden)
        // The refused refunds left the refundable amount unchanged.
        #expect(try await admin.refund(order.id, amount: 5605).good().amount == Money(5605, .eur))
        #expect(try await refundedSum() == 5605)
    }

    @Test func `Of two refunds of one version of an order the first is made, and replayed for its key`() async throws {
        let etag = try #require(try await admin.call(Contract.managedOrder, path: ["id": order.id]).etag)
        let first = try await admin.refund(order.id, amount: 700, key: "k", headers: .ifMatch(etag))
        try first.good()
        try await admin.refund(order.id, amount: 700, headers: .ifMatch(etag)).problem(.versionConflict)
        let again = try await admin.refund(order.id, amount: 700, key: "k", headers: .ifMatch(etag))
        #expect(again.body == first.body && again.replayed == "true")
        try await admin.refund(order.id, amount: 701, key: "k").problem(.idempotencyKeyReused)
        #expect(try await refundedSum() == 700)
    }

    @Test func `Cancelling a partially refunded order refunds the rest with the rest of the tax`() async throws {
        try await admin.refund(order.id, lines: [.cap]).good()
        try await admin.refund(order.id, amount: 500).good()
        let answer = try await buyer.cancel(order.id, key: "k")
        let cancelled = try answer.good()
        #expect(cancelled.status == .cancelled && cancelled.payment.status == .refunded)
        #expect(cancelled.payment.refunded == order.totals.total)
        #expect(cancelled.history.map(\.status) == [.pending, .paid, .partiallyRefunded, .cancelled])
        #expect(cancelled.lines.map(\.refundedQuantity) == [1, 0])
        #expect(try await taxes() == 615)
        #expect(try await refundedSum() == 5605)
        #expect(try await shop.available("cap") == 10)
        #expect(try await buyer.cancel(order.id, key: "k").body == answer.body)
        try await buyer.cancel(order.id).problem(.notCancellable)
        try await admin.refund(order.id).problem(.refundExceedsCapture)
        try await admin.fulfil(order.id).problem(.notFulfillable)
        #expect(try await shop.available("scarf-s") == 5)
    }
}

/// The order of a guest is paid, and the provider does not answer requests for refunds.
@Suite("Pending refunds", .timeLimit(.minutes(5)), .atDesk())
struct PendingRefundTests {
    private let desk: SettlementDesk
    private let order: Order
    private let admin: Principal

    init() async throws {
        desk = try await SettlementDesk(.current)
        await desk.provider.script(refund: .failure(.noAnswer))
        order = try await desk.pay()
        let session = try #require(try await desk.shop.admin().session)
        admin = Principal(sessionId: session.id, kind: .admin, ownerId: try #require(session.profile?.id))
    }

    private func refund(_ scope: RefundScope, key: String, ifMatch version: Int? = nil) async throws -> StoredAnswer {
        try await desk.checkout.refund(
            orderId: order.id, scope, reason: "late", by: admin, ifMatch: version,
            request: .init(ownerId: admin.ownerId, key: key, fingerprint: .init([1])))
    }

    private func cancel(
        by principal: Principal? = nil, with provider: (any PaymentProvider)? = nil
    ) async throws -> StoredAnswer {
        let principal = principal ?? desk.principal
        return try await desk.checkout(with: provider ?? desk.provider).cancel(
            orderId: order.id, of: principal, ifMatch: nil,
            request: .init(ownerId: principal.ownerId, key: "b", fingerprint: .init([2])))
    }

    private func status(_ answered: StoredAnswer) throws -> Refund.Status { try Refund(json: answered.body).status }

    @Test func `A refund changes the version of its order before the provider makes it`() async throws {
        let version = try await desk.shop.store.read { [id = order.id] in try $0.orders.order(of: id).version }
        let five = RefundScope.amount(Money(500, .eur))
        #expect(try status(await refund(five, key: "a", ifMatch: version)) == .pending)
        await #expect(throws: DomainError.versionConflict) { _ = try await refund(five, key: "b", ifMatch: version) }
        #expect(try await refund(five, key: "a", ifMatch: version).isReplay)
    }

    @Test func `A refund during an outage is pending, counts as refunded, and is made afterwards`() async throws {
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

    @Test func `An order with a pending refund can be cancelled, and both refunds add up to the charge`() async throws {
        _ = try await refund(.amount(Money(500, .eur)), key: "a")
        let cancelled = try await cancel()
        #expect(try Order(json: cancelled.body).status == .cancelled)
        #expect(try await desk.stock("cap") == [10, 0])
        await desk.provider.script(refund: .success(()))
        #expect(try await desk.settlement.settleAll() == 2)
        let ended = try await desk.guest.order(id: order.id)
        #expect(ended.status == .cancelled && ended.payment.status == .refunded)
        #expect(ended.payment.refunded == order.totals.total)
        let again = try await cancel()
        #expect(again.isReplay && again.body == cancelled.body)
    }

    @Test func `A guest who signs up during a cancellation gets the same answer for its key later`() async throws {
        _ = try await refund(.amount(Money(500, .eur)), key: "a")
        await desk.provider.script(refund: .success(()))
        // During the refund the account takes the order and the key, and the settlement makes both refunds, the first
        // of which stores the answer.
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
        let cancelled = try await cancel(with: payments)
        let session = try #require(signedUp.withLock { $0 })
        let customer = Principal(sessionId: session.id, kind: .customer, ownerId: try #require(session.profile?.id))
        let again = try await cancel(by: customer)
        #expect(again.isReplay && again.body == cancelled.body)
        #expect(try await desk.shop.caller(session).order(id: order.id).payment.refunded == order.totals.total)
    }
}
