import PouchContract
import PouchEntities
import PouchWire
import Testing

/// Every action from every status that an order of a buyer can be in, over HTTP.
@Suite("The life of an order")
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

        /// - Returns: the problem's code; nil when it was done.
        func run(_ order: Order, buyer: Caller, admin: Caller) async throws -> ProblemCode? {
            func code(_ answer: Answered<some Decodable>) throws -> ProblemCode? {
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

    /// How an order gets there, and what is possible then.
    static let stages: [(way: [Action], status: OrderStatus, possible: Set<Action>)] = [
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
    func `From each status only what makes sense is done, and a refusal changes nothing`(stage: Int) async throws {
        let (way, status, possible) = Self.stages[stage]
        try await TestShop.open([.stocked("cap", stock: 100)]) { shop in
            let (admin, guest) = (try await shop.admin(), try await shop.guest())
            for action in Action.allCases {
                let order = try await guest.buyNow().good()
                for step in way { #expect(try await step.run(order, buyer: guest, admin: admin) == nil) }
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
