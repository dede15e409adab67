import ServerTesting
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
        ([.refundPart, .fulfil, .refundPart], .partiallyRefunded, [.deliver, .refundPart, .refundRest]),
        ([.refundPart, .fulfil, .refundPart, .deliver], .delivered, [.refundPart, .refundRest]),
        ([.refundPart, .fulfil, .refundPart, .deliver, .refundRest], .refunded, []),
        ([.cancel], .cancelled, []),
        ([.refundRest], .refunded, []),
        ([.fulfil, .refundRest], .refunded, []),
    ]

    @Test(.inShop([.stocked("cap", stock: 100)]), arguments: stages.indices)
    func `Each status allows only its actions, and a refused action changes nothing`(stage: Int) async throws {
        let (steps, status, possible) = Self.stages[stage]
        let shop = TestShop.current
        let (admin, guest) = (try await shop.admin(), try await shop.guest())
        for action in Action.allCases {
            let order = try await guest.buyNow().good()
            var shown: [OrderStatus] = [.pending, .paid]
            for step in steps {
                #expect(try await step.run(order, buyer: guest, admin: admin) == nil)
                shown.append(try await guest.order(id: order.id).status)
            }
            let before = try await guest.order(id: order.id)
            #expect(before.status == status && before.history.map(\.status) == shown)
            let refusal = try await action.run(order, buyer: guest, admin: admin)
            #expect((refusal == nil) == possible.contains(action), "\(action) from \(status)")
            let after = try await guest.order(id: order.id)
            #expect((after == before) == (refusal != nil))
            #expect(after.payment.refunded.amount <= after.payment.amount.amount)
        }
    }
}

@Suite("The order list", .inShop([.stocked("cap", stock: 100)]))
struct OrderListTests {
    private let shop = TestShop.current
    private let guest: Caller

    init() async throws { guest = try await shop.guest() }

    /// Places orders, and returns their ids.
    private func place(_ count: Int) async throws -> [Order.ID] {
        var ids: [Order.ID] = []
        for _ in 0..<count { ids.append(try await guest.buyNow().good().id) }
        return ids
    }

    @Test func `Orders are listed latest first, without gaps or repeats while others are placed`() async throws {
        let placed = try await place(7)
        var page = try await guest.call(Contract.orders, query: "limit=3").good()
        var found = [page.items.map(\.id)]
        _ = try await place(1)
        while let cursor = page.nextCursor {
            page = try await guest.call(Contract.orders, query: "limit=3&cursor=\(cursor)").good()
            found.append(page.items.map(\.id))
        }
        #expect(found == [[6, 5, 4], [3, 2, 1], [0]].map { $0.map { placed[$0] } })
    }

    @Test(arguments: [1, 2, 4, 5])
    func `The last page has no cursor, whether full or not`(limit: Int) async throws {
        _ = try await place(4)
        let pages = try await guest.pages(Contract.orders, limit: limit)
        #expect(pages.count == (4 + limit - 1) / limit)
        #expect(Set(pages.joined().map(\.id)).count == 4)
    }

    @Test func `An order keeps its content when the product changes`() async throws {
        let order = try await guest.order()
        try await shop.stock([.stocked("cap", name: "Bonnet", price: 9_900, stock: 3)])
        #expect(try await guest.order(id: order.id) == order)
        #expect(order.lines.map(\.name) == ["Cap"])
    }
}
