import ServerTesting
import Testing

@Suite("Concurrent refunds", .timeLimit(.minutes(5)), .inShop([.stocked("cap", stock: 100)]))
struct RefundRaceTests {
    private let shop = TestShop.current
    private let admin: Caller
    private let guest: Caller

    init() async throws { (admin, guest) = (try await shop.admin(), try await shop.guest()) }

    /// An order of ten caps at 10.00, with shipping at 4.90.
    private func order() async throws -> Order { try await guest.buyNow("cap", 10, total: 10_490).good() }

    /// - Returns: the sum of the successful refunds.
    private func sum(_ answers: [Answered<Refund>]) throws -> Int64 {
        try answers.filter { $0.status == 201 }.reduce(0) { try $0 + $1.good().amount.amount }
    }

    /// The only order, as the books have it.
    private func book() async throws -> Order { try #require(try await shop.reconcile(["cap": 100]).first).order }

    @Test func `Concurrent refunds of amounts fill the charge and never exceed it`() async throws {
        let id = try await order().id
        let answers = try await parallel(50) { _ in
            try await patiently { key in try await admin.refund(id, amount: 400, key: key) }
        }
        for answer in answers where answer.status != 201 { try answer.problem(.refundExceedsCapture) }
        #expect(try sum(answers) == 26 * 400)
        let book = try await book()
        #expect(book.payment.refunded.amount == 26 * 400 && book.status == .partiallyRefunded)
    }

    @Test func `Concurrent refunds of units refund each unit once`() async throws {
        let id = try await order().id
        let answers = try await parallel(50) { _ in
            try await patiently { key in try await admin.refund(id, lines: [.cap], key: key) }
        }
        for answer in answers where answer.status != 201 { try answer.problem(.validationFailed) }
        #expect(answers.count { $0.status == 201 } == 10)
        #expect(try sum(answers) == 10_000)
        let book = try await book()
        #expect(book.lines.map(\.refundedQuantity) == [10] && book.payment.refunded.amount == 10_000)
    }

    @Test func `Concurrent refunds of amounts, units and the rest never exceed the charge`() async throws {
        let id = try await order().id
        let two = [LineRequest(sku: "cap", quantity: 2)]
        let answers = try await parallel(50) { number in
            try await patiently { key in
                switch number % 10 {
                case 9: try await admin.refund(id, key: key)
                case 0...4: try await admin.refund(id, amount: 700, key: key)
                default: try await admin.refund(id, lines: two, key: key)
                }
            }
        }
        for answer in answers where answer.status != 201 {
            try answer.problem(answer.status == 422 ? .validationFailed : .refundExceedsCapture)
        }
        // The refund of the rest was one of them and completes the charge.
        #expect(try sum(answers) == 10_490)
        let book = try await book()
        #expect(book.payment.refunded.amount == 10_490 && book.status == .refunded)
    }

    @Test func `An order cancelled and refunded concurrently is refunded once`() async throws {
        _ = try await parallel(8) { number in
            let order = try await order()
            async let cancelling = patiently { key in try await guest.cancel(order.id, key: key) }
            async let refunding = patiently { key in
                try await admin.refund(order.id, amount: number.isMultiple(of: 2) ? nil : 500, key: key)
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
