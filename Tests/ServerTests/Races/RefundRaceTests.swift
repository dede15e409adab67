import PouchContract
import PouchDomain
import PouchEntities
import PouchWire
import Testing

@Suite("Concurrent refunds", .timeLimit(.minutes(5)))
struct RefundRaceTests {
    /// The total of ten caps at 10.00 with shipping at 4.90.
    private static let total: Int64 = 10_490

    private func order(in shop: TestShop) async throws -> Order {
        try await shop.guest().buyNow("cap", 10, total: Self.total).good()
    }

    /// - Returns: the sum of the successful refunds.
    private func sum(_ answers: [Answered<Refund>]) throws -> Int64 {
        try answers.filter { $0.status == 201 }.reduce(0) { try $0 + $1.good().amount.amount }
    }

    @Test func `Concurrent refunds of amounts fill the charge and never exceed it`() async throws {
        try await TestShop.open { shop in
            let admin = try await shop.admin()
            let order = try await order(in: shop)
            let answers = try await parallel(50) { _ in
                let key = Caller.key()
                return try await patiently { try await admin.refund(order.id, amount: 400, key: key) }
            }
            for answer in answers where answer.status != 201 { try answer.problem(.refundExceedsCapture) }
            #expect(try sum(answers) == 26 * 400)
            let book = try #require(try await shop.reconcile(["cap": 10]).first).order
            #expect(book.payment.refunded.amount == 26 * 400 && book.status == .partiallyRefunded)
        }
    }

    @Test func `Concurrent refunds of units refund each unit once`() async throws {
        try await TestShop.open { shop in
            let admin = try await shop.admin()
            let order = try await order(in: shop)
            let answers = try await parallel(50) { _ in
                let key = Caller.key()
                return try await patiently {
                    try await admin.refund(order.id, lines: [LineRequest(sku: "cap", quantity: 1)], key: key)
                }
            }
            for answer in answers where answer.status != 201 { try answer.problem(.validationFailed) }
            #expect(answers.count { $0.status == 201 } == 10)
            #expect(try sum(answers) == 10_000)
            let book = try #require(try await shop.reconcile(["cap": 10]).first).order
            #expect(book.lines.map(\.refundedQuantity) == [10] && book.payment.refunded.amount == 10_000)
        }
    }

    @Test func `Concurrent refunds of amounts, units and the rest never exceed the charge`() async throws {
        try await TestShop.open { shop in
            let admin = try await shop.admin()
            let order = try await order(in: shop)
            let answers = try await parallel(50) { number in
                let key = Caller.key()
                return try await patiently {
                    switch number % 10 {
                    case 9: try await admin.refund(order.id, key: key)
                    case 0...4: try await admin.refund(order.id, amount: 700, key: key)
                    default:
                        try await admin.refund(order.id, lines: [LineRequest(sku: "cap", quantity: 2)], key: key)
                    }
                }
            }
            for answer in answers where answer.status != 201 {
                try answer.problem(answer.status == 422 ? .validationFailed : .refundExceedsCapture)
            }
            // The refund of the rest was one of them and completes the charge.
            #expect(try sum(answers) == Self.total)
            let book = try #require(try await shop.reconcile(["cap": 10]).first).order
            #expect(book.payment.refunded.amount == Self.total && book.status == .refunded)
        }
    }

    @Test func `An order cancelled and refunded concurrently is refunded once`() async throws {
        try await TestShop.open([.stocked("cap", stock: 100)]) { shop in
            let admin = try await shop.admin()
            let guest = try await shop.guest()
            _ = try await parallel(8) { number in
                let order = try await guest.buyNow("cap", 10, total: Self.total).good()
                let (one, other) = (Caller.key(), Caller.key())
                async let cancelling = patiently { try await guest.cancel(order.id, key: one) }
                async let refunding = patiently {
                    try await admin.refund(order.id, amount: number.isMultiple(of: 2) ? nil : 500, key: other)
                }
                let (cancelled, refunded) = try await (cancelling, refunding)
                // A full refund succeeds once; after a partial refund the cancellation refunds the rest.
                if number.isMultiple(of: 2) { #expect((cancelled.status == 200) != (refunded.status == 201)) }
                if cancelled.status != 200 { try cancelled.problem(.notCancellable) }
                if refunded.status != 201 { try refunded.problem(.refundExceedsCapture) }
                let last = try await guest.order(id: order.id)
                #expect(last.payment.refunded == order.totals.total)
                #expect(last.status == (cancelled.status == 200 ? .cancelled : .refunded))
                #expect(cancelled.status == 200 || number.isMultiple(of: 2))
            }
            try await shop.reconcile(["cap": 100])
        }
    }
}
