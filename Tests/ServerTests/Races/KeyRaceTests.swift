import Foundation
import PouchContract
import PouchDomain
import PouchHTTP
import PouchEntities
import PouchWire
import Testing

@Suite("A hundred requests with one idempotency key at once", .timeLimit(.minutes(2)))
struct KeyRaceTests {
    /// Sends the request a hundred times at once.
    ///
    /// - Returns: the answer, which all of them got in the end, some after `idempotency_key_in_use`.
    private func hundred<Value>(
        _ send: @escaping @Sendable () async throws -> Answered<Value>
    ) async throws -> Answered<Value> {
        let answers = try await parallel(100) { _ in try await patiently(send) }
        #expect(Set(answers.map(\.body)).count == 1)
        #expect(Set(answers.map(\.status)).count == 1)
        #expect(answers.count { $0.header(HeaderName.idempotentReplayed) == nil } == 1)
        return answers[0]
    }

    @Test(arguments: ["tok_ok", "tok_slow", "tok_declined"])
    func `A cart is paid for once`(card: String) async throws {
        try await TestShop.open { shop in
            let guest = try await shop.guest()
            try await guest.add("cap", 2).good()
            try await guest.ship().good()
            let answer = try await hundred { try await guest.checkout(card, total: 2490, key: "k") }
            #expect(answer.status == (card == "tok_declined" ? 402 : 201))
            let orders = try await shop.books(["cap": 10])
            #expect(orders.count == (card == "tok_declined" ? 0 : 1))
            try await guest.checkout(card, total: 2491, key: "k").problem(.idempotencyKeyReused)
            try await shop.guest().checkout(card, total: 2490, key: "k").problem(.cartEmpty)
        }
    }

    @Test func `What is bought without a cart is bought once`() async throws {
        try await TestShop.open { shop in
            let guest = try await shop.guest()
            let order = try await hundred { try await guest.buyNow("cap", 2, total: 2490, key: "k") }.good()
            #expect(try await shop.books(["cap": 10]).map(\.order.id) == [order.id])
            try await guest.buyNow("cap", 3, total: 3490, key: "k").problem(.idempotencyKeyReused)
            let other = try await shop.guest().buyNow("cap", 2, total: 2490, key: "k")
            #expect(try other.good().id != order.id && other.header(HeaderName.idempotentReplayed) == nil)
        }
    }

    @Test func `Money is given back once`() async throws {
        try await TestShop.open { shop in
            let admin = try await shop.admin()
            let order = try await shop.guest().buyNow("cap", 2, total: 2490).good()
            let refund = try await hundred { try await admin.refund(order.id, amount: 300, key: "k") }.good()
            #expect(refund.amount.amount == 300)
            #expect(try await shop.books(["cap": 10]).map(\.order.payment.refunded.amount) == [300])
            try await admin.refund(order.id, amount: 301, key: "k").problem(.idempotencyKeyReused)
            _ = try await shop.services.accounts.create(
                name: "Joan", email: "joan@example.com", password: .password, role: .admin)
            let other = try await shop.signIn("joan@example.com").refund(order.id, amount: 300, key: "k")
            #expect(try other.good().id != refund.id && other.header(HeaderName.idempotentReplayed) == nil)
        }
    }

    @Test func `Units are added to a cart once`() async throws {
        try await TestShop.open { shop in
            let guest = try await shop.guest()
            let key = [HeaderName.idempotencyKey: "k"]
            let cart = try await hundred { try await guest.add("cap", 2, headers: key) }.good()
            #expect(cart.lines.map(\.quantity) == [2])
            #expect(try await guest.cart().lines.map(\.quantity) == [2])
            try await guest.add("cap", 3, headers: key).problem(.idempotencyKeyReused)
            let other = try await shop.guest()
            #expect(try await other.add("cap", 2, headers: key).good().id != cart.id)
        }
    }
}
