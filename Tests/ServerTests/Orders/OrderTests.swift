import PouchContract
import PouchEntities
import PouchJSON
import PouchWire
import Testing

/// Every action in every status of an order, over HTTP.
@Suite("Order status")
struct OrderLifeTests {
    enum Action: String, CaseIterable, Sendable {
        case fulfil, deliver, cancel, refundPart, refundRest

        var refusal: ProblemCode {
            switch self {
            case .fulfil: .notFulfillable
            case .deliver: .notDeliverable
            case .cancel: .notCancellable
            case .refundPart, .refundRest: .refundExceedsCapture
            }
        }

        /// - Returns: the code of the problem; nil for success.
        func run(_ order: Order, buyer: Caller, admin: Caller) async throws -> ProblemCode? {
            func code(_ answer: Answered<some JSONCodable>) throws -> ProblemCode? {
                guard answer.status >= 400 else { return nil }
                try answer.problem(refusal)
                return refusal
            }
            return switch self {
            case .fulfil: try code(await admin.fulfil(order.id))
            case .deliver: try code(await admin.deliver(order.id))
            case .cancel: try code(await buyer.call(Contract.cancelOrder, path: ["id": order.id]))
            case .refundPart: try code(await admin.refund(order.id, amount: 10))
            case .refundRest: try code(await admin.refund(order.id))
            }
        }
    }

    /// The steps to each status, and the actions that it allows.
    static let stages: [(steps: [Action], status: OrderStatus, possible: Set<Action>)] = [
        ([], .paid, [.fulfil, .cancel, .refundPart, .refundRest]),
        ([.fulfil], .fulfilled, [.deliver, .refundPart, .refundRest]),
        ([.fulfil, .deliver], .delivered, [.refundPart, .refundRest]),
        ([.refundPart], .partiallyRefunded, [.fulfil, .cancel, .refundPart, .refundRest]),
        ([.fulfil, .refundPart], .partiallyRefunded, [.deliver, .refundPart, .refundRest]),
        ([.fulfil, .deliver, .refundPart], .partiallyRefunded, [.refundPart, .refundRest]),
        ([.refundPart, .fulfil], .fulfilled, [.deliver, .refundPart, .refundRest]),
        ([.cancel], .cancelled, []),
        ([.refundRest], .refunded, []),
        ([.fulfil, .refundRest], .refunded, []),
    ]

    @Test(arguments: stages.indices)
    func `Each status allows only its actions, and a refused action changes nothing`(stage: Int) async throws {
        let (steps, status, possible) = Self.stages[stage]
        try await TestShop.open([.stocked("cap", stock: 100)]) { shop in
            let (admin, guest) = (try await shop.admin(), try await shop.guest())
            for action in Action.allCases {
                let order = try await guest.buyNow().good()
                for step in steps { #expect(try await step.run(order, buyer: guest, admin: admin) == nil) }
                let before = try await guest.order(id: order.id)
                #expect(before.status == status)
                let refusal = try await action.run(order, buyer: guest, admin: admin)
                #expect((refusal == nil) == possible.contains(action), "\(action) from \(status)")
                let after = try await guest.order(id: order.id)
                #expect((after == before) == (refusal != nil))
                #expect(after.payment.refunded.amount <= after.payment.amount.amount)
            }
        }
    }
}

@Suite("The order list")
struct OrderListTests {
    @Test func `Orders are listed latest first, without gaps or repeats while others are placed`() async throws {
        try await TestShop.open([.stocked("cap", stock: 100)]) { shop in
            let guest = try await shop.guest()
            var placed: [String] = []
            for _ in 0..<7 {
                shop.clock.advance(by: 1)
                placed.append(try await guest.buyNow().good().id)
            }
            let first = try await guest.call(Contract.orders, query: "limit=3").good()
            #expect(first.items.map(\.id) == placed.suffix(3).reversed())
            shop.clock.advance(by: 1)
            _ = try await guest.buyNow().good()
            let cursor = try #require(first.nextCursor)
            let second = try await guest.call(Contract.orders, query: "limit=3&cursor=\(cursor)").good()
            #expect(second.items.map(\.id) == placed.prefix(4).suffix(3).reversed())
            let last = try await guest.call(
                Contract.orders, query: "limit=3&cursor=\(try #require(second.nextCursor))"
            ).good()
            #expect(last.items.map(\.id) == [placed[0]] && last.nextCursor == nil)
        }
    }

    @Test(arguments: [1, 2, 4, 5])
    func `The last page has no cursor, whether full or not`(limit: Int) async throws {
        try await TestShop.open([.stocked("cap", stock: 100)]) { shop in
            let guest = try await shop.guest()
            for _ in 0..<4 {
                shop.clock.advance(by: 1)
                _ = try await guest.buyNow().good()
            }
            let pages = try await guest.pages(Contract.orders, limit: limit)
            #expect(pages.count == (4 + limit - 1) / limit)
            #expect(Set(pages.joined().map(\.id)).count == 4)
        }
    }

    @Test func `An order keeps its content when the product changes`() async throws {
        try await TestShop.open { shop in
            let guest = try await shop.guest()
            let order = try await guest.order()
            try await shop.stock([.stocked("cap", name: "Bonnet", price: 9_900, stock: 3)])
            #expect(try await guest.order(id: order.id) == order)
            #expect(order.lines.map(\.name) == ["Cap"])
        }
    }
}

@Suite("Cancelling orders")
struct CancelTests {
    @Test func `Cancelling refunds the charge and returns the units; a second cancellation is refused`() async throws {
        try await TestShop.open { shop in
            let guest = try await shop.guest()
            let order = try await guest.order("cap", 3)
            #expect(try await shop.available("cap") == 7)
            let answer = try await guest.call(Contract.cancelOrder, path: ["id": order.id])
            let cancelled = try answer.good()
            #expect(cancelled.status == .cancelled && cancelled.payment.status == .refunded)
            #expect(cancelled.payment.refunded == order.totals.total)
            #expect(cancelled.history.map(\.status) == [.pending, .paid, .cancelled])
            #expect(try await shop.available("cap") == 10)
            #expect(try await guest.order(id: order.id) == cancelled)
            try await guest.call(Contract.cancelOrder, path: ["id": order.id]).problem(.notCancellable)
            #expect(try await shop.available("cap") == 10)
        }
    }

    @Test func `Of concurrent cancellations one succeeds`() async throws {
        try await TestShop.open { shop in
            let guest = try await shop.guest()
            let order = try await guest.order("cap", 2)
            let statuses = try await parallel(10) { _ in
                try await guest.call(Contract.cancelOrder, path: ["id": order.id]).status
            }
            #expect(statuses.sorted() == [200] + Array(repeating: 409, count: 9))
            #expect(try await shop.available("cap") == 10)
        }
    }

    @Test func `A cancellation repeated with its key is replayed`() async throws {
        try await TestShop.open { shop in
            let guest = try await shop.guest()
            let order = try await guest.order()
            let key = [HeaderName.idempotencyKey: "cancel"]
            let first = try await guest.call(Contract.cancelOrder, path: ["id": order.id], headers: key)
            let again = try await guest.call(Contract.cancelOrder, path: ["id": order.id], headers: key)
            try first.good()
            #expect(again.body == first.body && again.header(HeaderName.idempotentReplayed) == "true")
        }
    }

    @Test func `A cancellation with a used key and another body is refused`() async throws {
        try await TestShop.open { shop in
            let guest = try await shop.guest()
            let order = try await guest.order()
            let key = [HeaderName.idempotencyKey: "cancel"]
            let path = "/v1/orders/\(order.id)/cancel"
            #expect(try await guest.send("POST", path, "{}", headers: key).status == 200)
            for body in [nil, "{ }", #"{"reason": "late"}"#] {
                try await guest.send("POST", path, body, headers: key).problem(.idempotencyKeyReused)
            }
            let again = try await guest.send("POST", path, "{}", headers: key)
            #expect(again.status == 200 && again.header(HeaderName.idempotentReplayed) == "true")
        }
    }

    @Test func `A cancellation with an outdated version is refused`() async throws {
        try await TestShop.open { shop in
            let guest = try await shop.guest()
            let order = try await guest.order()
            let etag = try #require(try await guest.call(Contract.order, path: ["id": order.id]).etag)
            try await guest.call(
                Contract.cancelOrder, path: ["id": order.id], headers: [HeaderName.ifMatch: "\"1\""]
            ).problem(.versionConflict)
            let answer = try await guest.call(
                Contract.cancelOrder, path: ["id": order.id], headers: [HeaderName.ifMatch: etag])
            try answer.good()
            #expect(answer.etag != etag)
        }
    }

    @Test func `Another buyer's order is not found and stays unchanged`() async throws {
        try await TestShop.open { shop in
            let owner = try await shop.customer()
            let order = try await owner.order()
            for stranger in [try await shop.guest(), try await shop.customer("bob@example.com")] {
                try await stranger.call(Contract.order, path: ["id": order.id]).problem(.notFound)
                try await stranger.call(Contract.cancelOrder, path: ["id": order.id]).problem(.notFound)
                #expect(try await stranger.call(Contract.orders).good().items == [])
            }
            try await owner.call(Contract.order, path: ["id": "ord_unknown"]).problem(.notFound)
            try await owner.call(Contract.cancelOrder, path: ["id": "ord_unknown"]).problem(.notFound)
            #expect(try await owner.order(id: order.id).status == .paid)
        }
    }
}
