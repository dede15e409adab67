import ServerTesting

/// Compares the books of the shop, of the provider and of the buyers after a run.
struct Books {
    let world: World
    let ledger: PaymentLedger
    let clients: [Client]

    private struct Shop: Sendable {
        let orders: [OrderRecord]
        /// By order, with whether the provider has not made them yet.
        let refunds: [String: [(refund: RefundRecord, isPending: Bool)]]
        let discounts: [DiscountRecord]
        let events: [EventRecord]
    }

    func compare(in fleet: Fleet) async throws {
        guard let server = await fleet.server() else { return world.violation("No server starts without faults.") }
        let shop = try await server.store.read { repositories in
            let orders = try repositories.orders.orders(matching: OrderSearch(), after: nil, limit: 1_000)
            return Shop(
                orders: orders,
                refunds: try Dictionary(
                    uniqueKeysWithValues: orders.map {
                        ($0.order.id, try repositories.refunds.refunds(orderId: $0.order.id))
                    }),
                discounts: try repositories.discounts.discounts(after: nil, limit: 100),
                events: try repositories.events.events(types: nil, after: 0, through: nil, limit: 100_000))
        }
        world.count("orders", shop.orders.count)
        world.count("live orders", shop.orders.count { $0.isLive })
        compareCharges(shop)
        for record in shop.orders { compareAmounts(record, shop.refunds[record.order.id] ?? []) }
        try compareStock(shop)
        try compareDiscounts(shop)
        try comparePeople(shop)
        try compareRequests(shop)
        compareEvents(shop)
        try compareDeliveries(shop)
    }

    // MARK: Events
    private func compareEvents(_ shop: Shop) {
        let books = EventBooks(shop.events)
        for record in shop.orders {
            for text in books.violations(of: record, refunds: shop.refunds[record.order.id] ?? []) {
                world.violation(text)
            }
        }
        let told = world.notes.told
        for event in shop.events where !told.contains(event.id) {
            world.violation("The consumer did not receive the event \(event.id), \(event.event.type.rawValue).")
        }
        world.check(
            world.notes.retold.isEmpty,
            "The consumer received the events \(world.notes.retold.sorted()) after later ones of the same object.")
        world.count("events", shop.events.count)
    }

    private func compareDeliveries(_ shop: Shop) throws {
        let books = DeliveryBooks(shop.events, shop.orders)
        let outside = world.outside
        let wrong =
            books.violations(webhooks: outside.events)
            + books.violations(
                mails: try DeliveryBooks.Mail.all(in: world.connection), arrived: outside.mails,
                isComplete: world.nights == 0)
        for text in wrong { world.violation(text) }
        world.count("webhooks", outside.events.count)
        world.count("mails", outside.mails.count)
    }

    // MARK: Money
    private func compareCharges(_ shop: Shop) {
        let orders = Dictionary(uniqueKeysWithValues: shop.orders.map { ($0.order.payment.id, $0.order) })
        for (key, charge) in ledger.charges.sorted(by: { $0.key < $1.key }) where charge.outcome == .captured {
            let order = orders[key]
            world.check(
                order != nil || charge.refunded == charge.amount, "The charge \(key) has no order and is not refunded.")
            world.check(charge.refunded <= charge.amount, "More is refunded than charge \(key) has.")
            guard let order else { continue }
            world.check(
                order.totals.total.amount == charge.amount, "The order \(order.id) was charged \(charge.amount).")
            world.check(
                order.payment.refunded.amount == charge.refunded,
                "The refunds of order \(order.id) are \(order.payment.refunded.amount), of its charge \(charge.refunded)."
            )
            world.check(
                order.status != .cancelled || charge.refunded == charge.amount,
                "The order \(order.id) is cancelled and not refunded in full.")
        }
    }

    private func compareAmounts(_ record: OrderRecord, _ refunds: [(refund: RefundRecord, isPending: Bool)]) {
        let (order, totals) = (record.order, record.order.totals)
        world.check(order.status != .pending, "The order \(order.id) is pending.")
        let captured = ledger.charges[order.payment.id].map { $0.outcome == .captured ? $0.amount : 0 } ?? 0
        world.check(
            !record.isLive || captured == totals.total.amount, "The order \(order.id) is live and was not charged.")
        func sum(_ amount: (OrderLine) -> Money) -> Int64 { order.lines.reduce(0) { $0 + amount($1).amount } }
        let net = totals.items.amount - totals.discount.amount + totals.shipping.amount
        world.check(
            [net, net + totals.tax.amount].contains(totals.total.amount)
                && totals.items.amount == sum(\.lineTotal) && sum(\.discount) <= totals.discount.amount
                && sum(\.tax) <= totals.tax.amount
                && order.lines.allSatisfy { $0.unitPrice.amount * Int64($0.quantity) == $0.lineTotal.amount },
            "The totals of order \(order.id) do not add up: \(totals) \(order.lines)")
        world.check(!refunds.contains { $0.isPending }, "A refund of order \(order.id) is pending.")
        let refunded = refunds.reduce(0) { $0 + $1.refund.amount.amount }
        let tax = refunds.reduce(0) { $0 + $1.refund.tax.amount }
        world.check(
            refunded == order.payment.refunded.amount && refunded <= max(captured, 0),
            "The refunds of order \(order.id) are \(refunded) in all.")
        world.check(
            refunded == totals.total.amount && captured > 0 ? tax == totals.tax.amount : tax <= totals.tax.amount,
            "The refunds of order \(order.id) have \(tax) tax of \(totals.tax.amount).")
    }

    // MARK: Stock and discounts
    private func compareStock(_ shop: Shop) throws {
        var sold: [String: Int] = [:]
        for line in shop.orders.filter(\.isLive).flatMap(\.order.lines) { sold[line.sku, default: 0] += line.quantity }
        for row in try world.connection.rows("SELECT sku, on_hand, held FROM stock ORDER BY sku", []) {
            let (sku, onHand, held) = (try row.text(0), try row.int(1), try row.int(2))
            let (units, putIn) = (sold[sku] ?? 0, world.notes.putIn[sku] ?? 0)
            world.check(
                onHand >= 0 && held == 0 && onHand + units == putIn,
                "\(sku): \(onHand) on hand, \(held) held, \(units) sold of \(putIn).")
        }
        let holds = try world.connection.rows("SELECT order_id FROM holds", [])
        world.check(holds.isEmpty, "\(holds.count) holds are listed after all orders are settled.")
    }

    private func compareDiscounts(_ shop: Shop) throws {
        for record in shop.discounts {
            let uses = shop.orders.filter { $0.isLive && $0.discount?.id == record.discount.id }
            world.check(
                record.used == uses.count && record.used <= record.discount.limit ?? .max,
                "\(record.discount.code) has \(record.used) uses and \(uses.count) orders.")
            for row in try world.connection.rows(
                "SELECT owner_id, uses FROM discount_uses WHERE discount_id = ? ORDER BY owner_id",
                [.text(record.discount.id)])
            {
                let (owner, used) = (try row.text(0), try row.int(1))
                world.check(
                    used
                        == uses.count {
                            $0.ownerId == owner
                                || $0.order.email.map { Discount.owner(email: $0, by: PlainDigests()) } == owner
                        },
                    "\(owner) has \(used) uses of \(record.discount.code).")
            }
        }
    }

    // MARK: People
    /// Compares each cart with what its person put in and has bought.
    private func comparePeople(_ shop: Shop) throws {
        let people = Dictionary(
            clients.flatMap { client in client.owners.map { ($0, client.person) } }, uniquingKeysWith: { $1 })
        var expected = world.notes.carts
        for record in shop.orders where record.fromCart && record.isBought {
            guard let person = people[record.ownerId] else { continue }
            for line in record.order.lines { expected[person, default: [:]][line.sku, default: 0] -= line.quantity }
        }
        var found: [Int: [String: Int]] = [:]
        for row in try world.connection.rows("SELECT owner_id, sku, quantity FROM cart_lines", []) {
            guard let person = people[try row.text(0)] else { continue }
            found[person, default: [:]][try row.text(1), default: 0] += try row.int(2)
        }
        for client in clients where !isUnclear(client, shop) {
            let wanted = expected[client.person]?.filter { $0.value != 0 } ?? [:]
            let lines = found[client.person] ?? [:]
            world.check(
                wanted == lines,
                "The cart of \(client.name) has \(lines.sorted { $0 < $1 }), and \(wanted.sorted { $0 < $1 }) is right."
            )
        }
    }

    /// Whether an order of the person may have been cancelled on request in the very millisecond of its payment.
    private func isUnclear(_ client: Client, _ shop: Shop) -> Bool {
        shop.orders.contains { client.cancelled.contains($0.order.id) && $0.wasPaidAndCancelledAtOnce }
    }

    private func compareRequests(_ shop: Shop) throws {
        let keys = try world.connection.rows("SELECT key FROM idempotency WHERE status IS NULL ORDER BY key", [])
        for row in keys { world.violation("The key \(try row.text(0)) stays in use.") }
        let orders = Dictionary(uniqueKeysWithValues: shop.orders.map { ($0.order.id, $0) })
        for request in clients.flatMap(\.requests) where request.buys {
            let placed = shop.orders.filter { $0.order.email == request.email && $0.isBought }
            world.check(placed.count <= 1, "\(request.name) bought \(placed.count) times.")
            guard let answer = request.answer, answer.code == 201 else { continue }
            let told = try Order(json: answer.body)
            guard let record = orders[told.id] else {
                world.violation("The order \(told.id) was acknowledged and does not exist.")
                continue
            }
            world.check(
                told.number == record.order.number && told.totals == record.order.totals
                    && (told.status != .paid || record.isBought),
                "The order \(told.id) was acknowledged as \(answer.text), and is \(record.order).")
        }
    }
}

extension OrderRecord {
    /// Whether the buyer gets the units and the shop, except for refunds, the money.
    fileprivate var isLive: Bool { order.status != .cancelled && order.status != .pending }

    /// Whether it was paid, and its lines did not go back to the cart because others had bought the units. A payment
    /// that comes too late is one event with its cancellation.
    fileprivate var isBought: Bool { order.history.contains { $0.status == .paid } && !wasPaidAndCancelledAtOnce }

    fileprivate var wasPaidAndCancelledAtOnce: Bool {
        guard let paid = order.history.first(where: { $0.status == .paid }) else { return false }
        return order.history.contains { $0.status == .cancelled && $0.at == paid.at }
    }
}
