import PouchRides
import PouchSandbox
import SeededRandom
import ServerTesting

/// Compares the books of the shop and of the payment provider after all work has ended.
struct Inspection: Sendable {
    let attempts: Attempts
    let database: any Database
    /// Units of each SKU at the start.
    let stock: [String: Int]

    private struct Books: Sendable {
        var orders: [OrderRecord] = []
        /// All refunds, by order, with whether the provider has not made them yet.
        var refunds: [String: [(refund: RefundRecord, isPending: Bool)]] = [:]
        /// The rides that delivered orders, by ID.
        var rides: [String: RideRecord] = [:]
        var stock: [(sku: String, onHand: Int, held: Int)] = []
        var holds = 0
        var events: [EventRecord] = []
        /// The uses of each discount, by code.
        var uses: [String: Int] = [:]
        var runningRequests = 0
    }

    /// Whether all work that was created before the given time ends within the bound.
    func isSettled(before time: Date, within bound: Duration) async throws -> Bool {
        let end = ContinuousClock.now + bound
        while ContinuousClock.now < end {
            let isSettled = try await database.read { connection in
                try [
                    "orders WHERE status = 'pending'", "refunds WHERE is_pending = 1", "rides WHERE due_at IS NOT NULL",
                ].allSatisfy {
                    try connection.rows("SELECT COUNT(*) FROM \($0) AND created_at < ?", [.time(time)])
                        .first?.int(0) == 0
                }
            }
            if isSettled { return true }
            try await Task.sleep(for: .milliseconds(100))
        }
        return false
    }

    /// Returns the violations, and adds charges, refunds and orders to the counts.
    func violations() async throws -> [String] {
        let books = try await books()
        let charges = Dictionary(
            try await list("charges", SandboxCharge.self).map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
        let made = try await list("refunds", SandboxRefund.self)
        await attempts.counts.add(\.charges, charges.values.count { $0.captured > 0 })
        await attempts.counts.add(\.refunds, made.count)
        await attempts.counts.add(\.orders, books.orders.count)

        var wrong: [String] = []
        func check(_ holds: Bool, _ text: @autoclosure () -> String) { if !holds { wrong.append(text()) } }
        let byPayment = Dictionary(
            books.orders.map { ($0.order.payment.id, $0.order) }, uniquingKeysWith: { first, _ in first })
        for charge in charges.values where charge.captured > 0 {
            guard let order = byPayment[charge.key] else {
                check(charge.refunded == charge.captured, "charge \(charge.key) has no order and is not refunded")
                continue
            }
            check(charge.captured == order.totals.total.amount, "order \(order.id) was charged another amount")
            check(
                charge.refunded == order.payment.refunded.amount,
                "the refunds of order \(order.id) differ from those of its charge")
            if !order.isValid {
                check(charge.refunded == charge.captured, "order \(order.id) is cancelled and not refunded")
            }
        }
        for order in books.orders.map(\.order) {
            check(order.status != .pending, "order \(order.id) is pending")
            let captured = charges[order.payment.id]?.captured ?? 0
            if order.isValid {
                check(captured == order.totals.total.amount, "order \(order.id) is valid and was not charged")
            }
            let refunds = (books.refunds[order.id] ?? []).map(\.refund)
            let sum = refunds.reduce(0) { $0 + $1.amount.amount }
            check(
                sum == order.payment.refunded.amount && sum <= captured,
                "the refunds of order \(order.id) do not add up")
            for refund in refunds where refund.amount.amount > 0 {
                check(
                    made.count { $0.key == refund.id && $0.amount == refund.amount.amount } == 1,
                    "refund \(refund.id) was not made exactly once")
            }
        }
        let events = EventBooks(books.events)
        for record in books.orders {
            wrong += events.violations(of: record, refunds: books.refunds[record.order.id] ?? [])
        }
        for order in books.orders.map(\.order) where order.shipping?.methodId == ShippingMethod.courierId {
            let ride = order.rideId.flatMap { books.rides[$0] }
            check(!order.isValid || ride != nil, "order \(order.id) is valid and has no ride")
            let isFetched = ride?.history.contains { $0.status == .inProgress } ?? false
            let isSent = order.history.contains { $0.status == .fulfilled }
            check(isSent == isFetched, "order \(order.id) is\(isSent ? "" : " not") sent, in contradiction to its ride")
            check(order.isValid || !isFetched, "order \(order.id) is cancelled and was picked up")
            check(
                isFetched || [.cancelled, .refunded].contains(order.status) || order.deliveryFailure != nil,
                "order \(order.id) was not picked up and has no delivery failure")
        }
        check(
            made.count == books.refunds.values.joined().count { $0.refund.amount.amount > 0 },
            "the provider has made \(made.count) refunds, and the shop has another number")
        let pendingRefunds = books.refunds.values.joined().count { $0.isPending }
        check(pendingRefunds == 0, "\(pendingRefunds) refunds are pending")
        check(books.runningRequests == 0, "\(books.runningRequests) requests are still running")
        check(books.holds == 0, "\(books.holds) holds are listed")
        for (sku, onHand, held) in books.stock {
            let sold = books.orders.map(\.order).filter(\.isValid).flatMap(\.lines).filter { $0.sku == sku }
                .reduce(0) { $0 + $1.quantity }
            check(
                onHand >= 0 && held == 0 && onHand + sold == stock[sku],
                "\(sku): \(onHand) on hand, \(held) held, \(sold) sold of \(stock[sku] ?? 0)")
        }
        for (code, uses) in books.uses {
            let orders = books.orders.count { $0.order.isValid && $0.discount?.code == code }
            check(uses == orders, "code \(code) has \(uses) uses and \(orders) orders")
        }
        return wrong
    }

    /// Returns the acknowledged answers that do not hold: the order is missing, or a replay of the request differs.
    ///
    /// Carts are not stored for a replay, which has the cart as it is by then.
    func broken(_ acknowledged: [Acknowledged]) async throws -> [String] {
        let ids = Set(try await books().orders.map(\.order.id))
        return try await withThrowingTaskGroup(of: String?.self) { group in
            var wrong: [String] = []
            for (index, one) in acknowledged.enumerated() {
                if index >= 16, let found = try await group.next() { if let found { wrong.append(found) } }
                group.addTask {
                    var random = SplitMix64(seed: UInt64(index))
                    let again = try await attempts.send(
                        one.method, one.path, body: one.body, as: one.buyer, key: one.key, random: &random)
                    await attempts.counts.add(\.replays)
                    var kept = one.answer.body
                    if one.path == "/v1/cart/lines" {
                        kept = try await attempts.send("GET", "/v1/cart", as: one.buyer, random: &random).body
                    }
                    if again.status != one.answer.status || again.body != kept || !again.isReplay {
                        return "\(one.path) was answered with \(one.answer.status), its replay with \(again.status) "
                            + String(decoding: again.body.prefix(200), as: UTF8.self)
                    }
                    if one.answer.status == 201, let order = try? one.answer.value(Order.self), !ids.contains(order.id)
                    {
                        return "order \(order.id) was acknowledged and does not exist"
                    }
                    return nil
                }
            }
            for try await found in group { if let found { wrong.append(found) } }
            return wrong
        }
    }

    func eventsAndOrders() async throws -> ([EventRecord], [OrderRecord]) {
        let books = try await books()
        return (books.events, books.orders)
    }

    private func books() async throws -> Books {
        let shop = ShopDatabase(database, currency: .eur)
        while try await shop.write(.readCommitted, { try $0.events.number(limit: 1_000) }) {}
        let books = try await shop.read { repositories in
            var books = Books()
            while true {
                let page = try repositories.events.events(
                    types: nil, after: books.events.last?.position ?? 0, through: nil, limit: 1_000)
                guard !page.isEmpty else { break }
                books.events += page
            }
            while true {
                let page = try repositories.orders.orders(
                    matching: OrderSearch(), after: books.orders.last?.order.id, limit: 200)
                guard !page.isEmpty else { break }
                books.orders += page
            }
            for id in books.orders.compactMap(\.order.rideId) {
                books.rides[id] = try repositories.rides.ride(id: id, locking: false)
            }
            for id in books.orders.map(\.order.id) {
                books.refunds[id] = try repositories.refunds.refunds(orderId: id)
            }
            return books
        }
        return try await database.read { connection in
            func count(_ rows: String) throws -> Int {
                try connection.row("SELECT COUNT(*) FROM \(rows)", [])?.int(0) ?? 0
            }
            var books = books
            books.stock = try connection.rows("SELECT sku, on_hand, held FROM stock", []).map {
                (sku: try $0.text(0), onHand: try $0.int(1), held: try $0.int(2))
            }
            for row in try connection.rows("SELECT code, used FROM discounts", []) {
                books.uses[try row.text(0)] = try row.int(1)
            }
            books.holds = try count("holds")
            books.runningRequests = try count("idempotency WHERE status IS NULL")
            return books
        }
    }

    private func list<Entry: JSONCodable>(_ name: String, _ type: Entry.Type) async throws -> [Entry] {
        var entries: [Entry] = []
        var cursor: String?
        let port = await attempts.fleet.provider.port ?? 0
        repeat {
            let query = "?limit=200" + (cursor.map { "&cursor=\($0)" } ?? "")
            let page: Page<Entry> = try await attempts.once(
                "http://127.0.0.1:\(port)/v1/\(name)\(query)", "GET", nil, token: nil, key: nil
            ).value()
            entries += page.items
            cursor = page.nextCursor
        } while cursor != nil
        return entries
    }
}

extension Order {
    /// Whether the buyer gets the units and the shop, except for refunds, the money.
    fileprivate var isValid: Bool { status != .cancelled && status != .pending }
}

/// Searches the database for states of rides that must never exist.
struct RideInspection: Sendable {
    let database: any Database
    let riderIds: [String]
    let kangaroos: Int

    /// Queries for states that are wrong at any time, with descriptions. Each row is a violation.
    private static let never = [
        "a kangaroo has two rides": """
        SELECT driver_id FROM rides WHERE due_at IS NOT NULL AND driver_id IS NOT NULL
        GROUP BY driver_id HAVING COUNT(*) > 1
        """,
        "a rider has two rides": """
        SELECT rider_id FROM rides WHERE due_at IS NOT NULL AND rider_id IS NOT NULL
        GROUP BY rider_id HAVING COUNT(*) > 1
        """,
        "the kangaroo of a ride has not recorded it": """
        SELECT rides.id FROM rides LEFT JOIN drivers ON drivers.id = driver_id AND ride_id = rides.id
        WHERE due_at IS NOT NULL AND driver_id IS NOT NULL AND drivers.id IS NULL
        """,
        "the ride of a kangaroo has not recorded it": """
        SELECT drivers.id FROM drivers LEFT JOIN rides ON rides.id = ride_id AND driver_id = drivers.id
        WHERE ride_id IS NOT NULL AND (rides.id IS NULL OR due_at IS NULL)
        """,
    ]

    /// Returns the violations now, while rides are under way.
    func violations() async throws -> [String] {
        try await database.read { connection in
            try Self.never.flatMap { name, sql in try connection.rows(sql, []).map { "\(name): \(try $0.text(0))" } }
        }
    }

    /// Returns the violations after all rides have ended.
    func violations(acknowledged ids: [String]) async throws -> [String] {
        var wrong = try await violations()
        let rides = try await ShopDatabase(database, currency: .eur).read { [riderIds] repositories in
            try riderIds.map { try repositories.rides.rides(riderId: $0, after: nil, limit: .max) }
        }
        for ride in rides.joined() {
            if ride.dueAt != nil { wrong.append("\(ride.id) has not ended: \(ride.status)") }
            if !Self.isLegal(ride.history) { wrong.append("\(ride.id) has the history \(ride.history.map(\.status))") }
        }
        let known = Set(rides.joined().map(\.id))
        wrong += ids.filter { !known.contains($0) }.map { "\($0) was acknowledged and does not exist" }
        if known.count != Set(ids).count {
            wrong.append("the shop has \(known.count) rides, the riders received \(Set(ids).count)")
        }
        // The past counts too: no rider and no kangaroo was in two places at once.
        for rides in rides { wrong += Self.overlaps(rides.map { ($0.id, $0.createdAt, $0.history.last?.at) }) }
        let carried = Dictionary(
            grouping: rides.joined().filter { $0.status == .completed }, by: { $0.engagement?.driverId })
        for rides in carried.values {
            wrong += Self.overlaps(
                rides.map { ride in
                    (ride.id, ride.history.last { $0.status == .accepted }?.at ?? ride.createdAt, ride.history.last?.at)
                })
        }
        let drivers = try await database.read { connection in
            try connection.rows("SELECT ride_id FROM drivers", []).map { try $0.optional(0, SQLRow.text) }
        }
        if drivers.count != kangaroos { wrong.append("\(drivers.count) of \(kangaroos) kangaroos exist") }
        wrong += drivers.compactMap(\.self).map { "a kangaroo still has \($0)" }
        return wrong
    }

    private static func isLegal(_ history: [Ride.Event]) -> Bool {
        history.first?.status == .requested && history.last?.status.isFinal == true
            && zip(history, history.dropFirst()).allSatisfy {
                RideMachine.allows($0.status, to: $1.status) && $0.at <= $1.at
            }
    }

    /// Returns the pairs of rides that overlap. The database stores milliseconds, which explains the tolerance.
    private static func overlaps(_ rides: [(id: String, from: Date, to: Date?)]) -> [String] {
        let rides = rides.sorted { $0.from < $1.from }
        return zip(rides, rides.dropFirst()).compactMap { one, next in
            next.from.addingTimeInterval(0.002) < one.to ?? one.from ? "\(one.id) and \(next.id) overlap" : nil
        }
    }
}
