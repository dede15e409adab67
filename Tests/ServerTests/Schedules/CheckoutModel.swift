import ServerTesting
import Synchronization
import Testing

/// A small shop that runs one schedule after another: one unit, one code with one use, and one guest with both in the
/// cart.
struct CheckoutModel: Sendable {
    let shop: TestShop
    let principal: Principal
    let sku: String
    let discount: Discount

    static func products(_ count: Int) -> [FeedProduct] { (0..<count).map { .stocked("cap-\($0)", stock: 1) } }

    init(_ shop: TestShop, number: Int) async throws {
        let guest = try #require(try await shop.guest().session?.id)
        let discount = Discount(
            id: shop.environment.ids.make(.discount), code: "MODEL-\(number)", rule: .amount(Money(100, .eur)),
            limit: 1, limitPerAccount: 1)
        let now = shop.clock.now
        _ = try await shop.store.write { try $0.discounts.insert(discount, at: now) }
        self.shop = shop
        principal = Principal(sessionId: guest, kind: .guest, ownerId: guest)
        sku = "cap-\(number)"
        self.discount = discount
    }

    /// Plays the scene in the order of the schedule. In every case a settlement completes interrupted orders within the
    /// contract's time, and orders, stock and charges are consistent.
    ///
    /// - Parameter providerVoids: whether the provider refuses a late charge that a settlement found void.
    /// - Returns: the schedule, with the choices that it took.
    func play(_ scene: Scene, _ schedule: Schedule, providerVoids: Bool = true) async throws -> Schedule {
        try await reset(fillsCart: scene.checksOut || scene.startsPaid)
        let stage = Stage(schedule, faults: scene.faults)
        let start = try await shop.store.read { try $0.events.lastPosition() }
        let world = CheckoutWorld(self, stage: stage, providerVoids: providerVoids, eventsAfter: start)
        if scene.startsPaid { _ = try await world.play(.checkout) }
        let outcomes = Outcomes()
        for player in scene.players {
            await stage.enter(free: player.buys ? 1 : 0) {
                let result: Result<StoredAnswer?, any Error>
                do { result = .success(try await world.play(player)) } catch { result = .failure(error) }
                await outcomes.add(player, result)
            }
        }
        try await stage.play()
        let violations = try await world.settle() + world.violations(of: scene, outcomes.all)
        guard violations.isEmpty else { throw Violation(violations: violations, trace: await stage.trace) }
        return await stage.schedule
    }

    struct Violation: Error {
        let violations: [String]
        let trace: [String]
    }

    private func reset(fillsCart: Bool) async throws {
        try await shop.store.write(.readCommitted) {
            [carts = CartService(shop.environment), digests = shop.environment.digests, principal, sku, discount]
            repositories in
            for record in try repositories.orders.orders(ownerId: principal.ownerId, after: nil, limit: 100) {
                try repositories.orders.delete(id: record.order.id)
            }
            try repositories.idempotency.delete(ownerId: principal.ownerId)
            try repositories.variants.setAvailable(sku: sku, 1)
            try repositories.discounts.giveBack(
                id: discount.id, owners: [principal.ownerId, Discount.owner(email: "guest@example.com", by: digests)])
            guard fillsCart else { return }
            _ = try carts.change(principal, .set(sku: sku, quantity: 1), in: repositories)
            _ = try carts.change(principal, .setShipping(methodId: "standard", address: .sample), in: repositories)
            _ = try carts.change(principal, .setDiscount(code: discount.code), in: repositories)
        }
    }
}

/// The world of one schedule: the model's shop, with a separate clock, provider and ledger.
struct CheckoutWorld: Sendable {
    private let model: CheckoutModel
    private let stage: Stage
    private let clock = SettableClock()
    private let payments: ModelPayments
    private let environment: DomainEnvironment
    /// The position of the last event before the schedule.
    private let start: Int64

    init(_ model: CheckoutModel, stage: Stage, providerVoids: Bool, eventsAfter start: Int64) {
        self.model = model
        self.stage = stage
        self.start = start
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
    /// - Returns: the response to a player's request; nil for the settlement and the clock.
    func play(_ player: Player) async throws -> StoredAnswer? {
        switch player {
        case .checkout:
            return try await checkout.checkout(
                model.principal, terms: terms(1390), ifMatch: nil, request: request(player))
        case .buy:
            let purchase = DirectPurchase(
                lines: [(model.sku, 1)], methodId: "standard", address: .sample, discount: nil)
            return try await checkout.buyNow(
                model.principal, purchase: purchase, terms: terms(1490), request: request(player))
        case .cancel:
            return try await checkout.cancel(
                orderId: orders()[0].order.id, of: model.principal, ifMatch: nil, request: request(player))
        case .refund:
            return try await checkout.refund(
                orderId: orders()[0].order.id, .amount(Money(800, .eur)), reason: "model", by: model.principal,
                request: request(player))
        case .settle:
            guard await stage.turn(.look) == .go else { return nil }
            clock.advance(by: OrderSettlement.gracePeriod)
            _ = try await checkout.settlement.settleAll(atOnce: 1)
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

    // MARK: Settlement and checks
    /// Advances the clock by the contract's time, runs one settlement, and returns the orders that failed.
    func settle() async throws -> [String] {
        clock.advance(by: OrderSettlement.gracePeriod + OrderSettlement.interval)
        let failures = Mutex<[String]>([])
        _ = try await checkout.settlement.settleAll(atOnce: 1) { id, error in
            failures.withLock { $0.append("\(id) was not settled: \(error)") }
        }
        return failures.withLock { $0 }
    }

    /// - Returns: inconsistencies in orders, stock, charges and responses.
    func violations(
        of scene: Scene, _ outcomes: [(player: Player, result: Result<StoredAnswer?, any Error>)]
    ) async throws -> [String] {
        var wrong: [String] = []
        func check(_ holds: Bool, _ text: @autoclosure () -> String) { if !holds { wrong.append(text()) } }
        let orders = try await orders()
        let live = orders.filter { $0.order.status != .cancelled }
        let charges = await payments.charges

        for (key, charge) in charges where charge.outcome == .captured {
            let order = orders.first { $0.order.payment.id == key }?.order
            check(order != nil || charge.refunded == charge.amount, "A charge has no order and is not refunded.")
            check(charge.refunded <= charge.amount, "More was refunded than charged.")
            check(
                order.map { $0.payment.refunded.amount == charge.refunded && $0.totals.total.amount == charge.amount }
                    ?? true, "Order and provider differ.")
            check(
                order?.status != .cancelled || charge.refunded == charge.amount,
                "A cancelled order is not refunded in full.")
        }
        for record in orders { check(record.order.status != .pending, "An order is pending.") }
        wrong += try await contradictions(ofEvents: orders)
        for record in live {
            check(charges[record.order.payment.id]?.outcome == .captured, "A live order has no charge.")
        }

        let shop = try await environment.store.read { [model, now = clock.now] repositories in
            (
                variant: try repositories.variants.variant(sku: model.sku, locking: false),
                uses: try repositories.discounts.record(id: model.discount.id)?.used,
                inCart: try repositories.carts.lines(ownerId: model.principal.ownerId, at: now).map(\.quantity)
            )
        }
        check(
            [shop.variant?.onHand, shop.variant?.held] == [1 - live.count, 0],
            "\(live.count) of one unit are sold, \(String(describing: shop.variant)).")
        check(shop.uses == live.count { $0.discount != nil }, "The code has \(shop.uses ?? 0) uses.")
        check(
            shop.inCart == (scene.checksOut && !live.contains(where: \.fromCart) ? [1] : []),
            "The cart has a bought unit, or lost one that was not bought.")

        for (player, result) in outcomes {
            let record = try await environment.store.read { [model] in
                try $0.idempotency.record(ownerId: model.principal.ownerId, key: player.key ?? "")
            }
            check(record == nil || record?.answer != nil, "\(player): the key stays in use.")
            switch result {
            case .success(let answer?):
                check(
                    record?.answer.map {
                        ($0.code, $0.format, $0.tag, $0.body) == (answer.code, answer.format, answer.tag, answer.body)
                    } ?? false,
                    "\(player): the key replays another response than the first.")
                guard answer.code == 201, player.buys else { continue }
                let order = try Order(json: answer.body)
                check(orders.contains { $0.order.id == order.id }, "\(player): the acknowledged order is missing.")
                check(
                    order.status != .paid || live.contains { $0.order.id == order.id },
                    "\(player): the order was acknowledged as paid, but is not live.")
            case .success, .failure(is DomainError), .failure(is SteppedStore.Crash): break
            case .failure(let error): check(player.key == nil, "\(player) got \(error).")
            }
        }
        return wrong
    }
}

extension CheckoutWorld {
    private func contradictions(ofEvents orders: [OrderRecord]) async throws -> [String] {
        try await environment.store.write(.readCommitted) { [start] repositories in
            // On PostgreSQL, in place of the server's background work.
            while try repositories.events.number(limit: 1_000) {}
            // On a busy machine, the other lanes may play many schedules before this one ends.
            let books = EventBooks(
                try repositories.events.events(types: nil, after: start, through: nil, limit: 100_000))
            return try orders.flatMap { record in
                books.violations(of: record, refunds: try repositories.refunds.refunds(orderId: record.order.id))
            }
        }
    }
}

actor Outcomes {
    private(set) var all: [(player: Player, result: Result<StoredAnswer?, any Error>)] = []

    func add(_ player: Player, _ result: Result<StoredAnswer?, any Error>) { all.append((player, result)) }
}
