import Foundation
import PouchDomain
import PouchEntities
import PouchHTTP
import PouchStorage
import PouchWire
import Synchronization

/// The world of one schedule: the model's shop, with a clock, a provider and a ledger of its own.
struct CheckoutWorld: Sendable {
    private let model: CheckoutModel
    private let stage: Stage
    private let clock = SettableClock()
    private let payments: ModelPayments
    private let environment: DomainEnvironment

    init(_ model: CheckoutModel, stage: Stage, providerVoids: Bool) {
        self.model = model
        self.stage = stage
        payments = ModelPayments(ledger: "model-" + UUID().uuidString, stage: stage, voids: providerVoids)
        let shop = model.shop.environment
        environment = DomainEnvironment(
            store: SteppedStore(store: model.shop.store, stage: stage), time: clock, random: shop.random,
            digests: shop.digests, shop: shop.shop)
    }

    private var checkout: CheckoutService {
        CheckoutService(
            environment, carts: CartService(environment), payments: payments, encode: StoredAnswer.init(outcome:))
    }

    // MARK: Players

    /// - Returns: the answer to a player who asked for something.
    func play(_ player: Player) async throws -> StoredAnswer? {
        switch player {
        case .checkout:
            return try await checkout.checkout(
                model.principal, terms: terms(1390), ifMatch: nil, request: request(player)
            )
        case .buy:
            let purchase = DirectPurchase(
                lines: [(model.sku, 1)], methodId: "standard", address: .sample, discount: nil)
            return try await checkout.buyNow(
                model.principal, purchase: purchase, terms: terms(1490), request: request(player)
            )
        case .cancel:
            return try await checkout.cancel(
                orderId: orders()[0].order.id, of: model.principal, ifMatch: nil, request: request(player)
            )
        case .refund:
            return try await RefundService(environment, settlement: checkout.settlement).refund(
                orderId: orders()[0].order.id, .amount(Money(800, .eur)), reason: "model", by: model.principal,
                request: request(player)
            )
        case .settle:
            guard await stage.turn(.look) == .go else { return nil }
            clock.advance(by: OrderSettlement.patience)
            _ = try await checkout.settlement.settleAll()
        case .hold:
            guard await stage.turn(.wait) == .go else { return nil }
            clock.advance(by: Double(environment.shop.holdMinutes) * 60)
        }
        return nil
    }

    private func terms(_ total: Int64) -> PaymentTerms {
        PaymentTerms(method: .card(token: "any"), expectedTotal: Money(total, .eur), email: "guest@example.com")
    }

    private func request(_ player: Player) -> IdempotencyRecord.Request {
        .init(ownerId: model.principal.ownerId, key: player.key ?? "", fingerprint: Data([1]))
    }

    private func orders() async throws -> [OrderRecord] {
        try await environment.store.read { [model] in
            try $0.orders.orders(ownerId: model.principal.ownerId, after: nil, limit: 100)
        }
    }

    // MARK: The end

    /// Lets the time of the contract pass, and settles once.
    ///
    /// - Returns: what could not be settled.
    func settle() async throws -> [String] {
        clock.advance(by: OrderSettlement.patience + OrderSettlement.interval)
        let failures = Mutex<[String]>([])
        _ = try await checkout.settlement.settleAll { id, error in
            failures.withLock { $0.append("\(id) was not settled: \(error)") }
        }
        return failures.withLock { $0 }
    }

    /// - Returns: what is wrong with the books, or with what players were told.
    func violations(
        of scene: Scene, _ outcomes: [(player: Player, result: Result<StoredAnswer?, any Error>)]
    ) async throws -> [String] {
        var wrong: [String] = []
        func check(_ holds: Bool, _ text: @autoclosure () -> String) {
            if !holds { wrong.append(text()) }
        }
        let orders = try await orders()
        let live = orders.filter { $0.order.status != .cancelled }
        let charges = await payments.charges

        for (key, charge) in charges where charge.outcome == .captured {
            let order = orders.first { $0.order.payment.id == key }?.order
            check(order != nil || charge.refunded == charge.amount, "A charge has no order and is not refunded.")
            check(charge.refunded <= charge.amount, "More was refunded than charged.")
            check(
                order.map { $0.payment.refunded.amount == charge.refunded && $0.totals.total.amount == charge.amount }
                    ?? true, "Order and provider have different books.")
            check(
                order?.status != .cancelled || charge.refunded == charge.amount,
                "A cancelled order is not refunded in full.")
        }
        for record in orders { check(record.order.status != .pending, "An order is pending.") }
        for record in live {
            check(charges[record.order.payment.id]?.outcome == .captured, "An order stands without a charge.")
        }

        let shop = try await environment.store.read { [model, now = clock.now] repositories in
            (
                variant: try repositories.variants.variant(sku: model.sku),
                uses: try repositories.discounts.record(id: model.discount.id)?.used,
                inCart: try repositories.carts.lines(ownerId: model.principal.ownerId, at: now).map(\.quantity)
            )
        }
        check(
            [shop.variant?.onHand, shop.variant?.held] == [1 - live.count, 0],
            "Of one unit \(live.count) are sold, \(String(describing: shop.variant)).")
        check(shop.uses == live.count { $0.discount != nil }, "The code has \(shop.uses ?? 0) uses.")
        check(
            shop.inCart == (scene.checksOut && !live.contains(where: \.fromCart) ? [1] : []),
            "What was bought is in the cart, or what was not is not.")

        for (player, result) in outcomes {
            let record = try await environment.store.read { [model] in
                try $0.idempotency.record(ownerId: model.principal.ownerId, key: player.key ?? "")
            }
            check(record == nil || record?.answer != nil, "\(player): the key is in use for good.")
            switch result {
            case .success(let answer?):
                check(
                    record?.answer.map { $0.head == answer.head && $0.body == answer.body } ?? false,
                    "\(player): the key gives another answer than the first.")
                guard answer.head.code == 201, player.buys else { continue }
                let order = try WireJSON.decode(Order.self, from: answer.body)
                check(orders.contains { $0.order.id == order.id }, "\(player): the acknowledged order is gone.")
                check(
                    order.status != .paid || live.contains { $0.order.id == order.id },
                    "\(player): the order was acknowledged as paid, and does not stand.")
            case .success, .failure(is DomainError), .failure(is SteppedStore.Crash): break
            case .failure(let error): check(player.key == nil, "\(player) got \(error).")
            }
        }
        return wrong
    }
}
