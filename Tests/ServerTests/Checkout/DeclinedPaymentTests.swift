import HummingbirdTesting
import ServerTesting
import Testing

@testable import PouchDomain
@testable import PouchHTTP

@Suite("Declined payments", .timeLimit(.minutes(5)), .behindProxy([.stocked("cap", stock: 20)]))
struct DeclinedPaymentTests {
    private let shop = TestShop.current

    private func buy(
        _ buyer: Caller, _ card: String = "tok_declined", from client: String, key: String = Caller.key()
    ) async throws -> Answered<Order> {
        try await buyer.buyNow([.cap], card: card, total: 1490, key: key, headers: ["X-Forwarded-For": client])
    }

    @Test func `A buyer gets ten declined payments, by any endpoint, then waits for 15 minutes`() async throws {
        let guest = try await shop.guest()
        let first = try await buy(guest, from: "203.0.113.0", key: "first")
        try first.problem(.paymentDeclined)
        for number in 1..<9 { try await buy(guest, from: "203.0.113.\(number)").problem(.paymentDeclined) }
        try await guest.fillCart()
        let near = ["X-Forwarded-For": "203.0.113.9"]
        try await guest.checkout("tok_insufficient_funds", headers: near).problem(.paymentDeclined)
        let refused = try await guest.checkout("tok_ok", headers: near)
        try refused.problem(.tooManyAttempts)
        #expect(refused.header(HeaderName.retryAfter) == "900")
        try await buy(guest, "tok_ok", from: "198.51.100.1").problem(.tooManyAttempts)
        // Nothing is held, and the answer of an earlier request is repeated.
        #expect(try await shop.available("cap") == 20)
        #expect(try await buy(guest, from: "203.0.113.0", key: "first").body == first.body)
        // Another server of the shop counts the same.
        try await shop.another(setup: .live) { other in
            let again = try await buy(other.caller(#require(guest.session)), "tok_ok", from: "198.51.100.2")
            try again.problem(.tooManyAttempts)
        }
        shop.clock.advance(by: 15 * 60 + 1)
        // The access token is as old as the first payment.
        let next = try await shop.refresh(guest.refreshToken).good()
        try await buy(shop.caller(next), "tok_ok", from: "198.51.100.1").good()
    }

    @Test func `A card gets ten declined payments, also with many buyers`() async throws {
        for number in 0..<10 { try await buy(shop.guest(), from: "203.0.113.\(number)").problem(.paymentDeclined) }
        try await buy(shop.guest(), from: "203.0.113.77").problem(.tooManyAttempts)
        try await buy(shop.guest(), "tok_ok", from: "203.0.113.77").good()
    }

    @Test(arguments: ["203.0.113.7", "2001:db8:7::1"])
    func `Thirty declined payments stop a network, also one of IPv6, and no other`(client: String) async throws {
        let limit = AttemptLimit(1, "payment card", "tok_insufficient_funds", by: shop.environment.digests)
        for number in 0..<30 {
            let card = number < 10 ? "tok_declined" : "tok_insufficient_funds"
            _ = try await buy(shop.guest(), card, from: client)
            // The limit of a card is not what is tried here.
            _ = try await shop.database { [key = limit.key] in
                try $0.run("DELETE FROM sign_in_failures WHERE key = ?", [.blob(key)])
            }
        }
        try await buy(shop.guest(), "tok_ok", from: client).problem(.tooManyAttempts)
        try await buy(shop.guest(), "tok_ok", from: "198.51.100.1").good()
    }

    @Test func `Buyers behind one address can pay after three payments there were declined`() async throws {
        for _ in 0..<3 { try await buy(shop.guest(), from: "203.0.113.7").problem(.paymentDeclined) }
        for _ in 0..<6 { try await buy(shop.guest(), "tok_ok", from: "203.0.113.7").good() }
    }

    @Test func `Payments that wait for the provider count for each of their networks until they end`() async {
        let waiting = WaitingPayments()
        await waiting.counting("20010db800070001") {
            await waiting.counting("20010db800070002") {
                #expect(waiting.count("20010db80007") == 2 && waiting.count("20010db800070001") == 1)
            }
            await waiting.counting(nil) {}
            #expect(waiting.count("20010db80007") == 1)
        }
        #expect(waiting.count("20010db80007") == 0)
    }

    @Test func `At most four times the limit of payments of a network wait, and fewer after a decline`() async throws {
        let waiting = WaitingPayments()
        @Sendable func payment() -> DeclinedPayments {
            DeclinedPayments(
                of: Principal(sessionId: "ses_1", kind: .guest, ownerId: "ses_1"), by: .card(token: "tok_ok"),
                from: PaymentOrigin(network: "203.0.113.7", declines: 2), waiting: waiting, shop.environment)
        }
        /// The refusal of the last of as many payments that wait at once; nil if it may be made.
        @Sendable func answer(_ count: Int) async throws -> DomainError? {
            guard count > 0 else {
                do {
                    try await shop.store.read { try payment().check(in: $0) }
                } catch let error as DomainError {
                    return error
                }
                return nil
            }
            return try await waiting.counting("203.0.113.7") { try await answer(count - 1) }
        }
        #expect(try await answer(8) == nil)
        #expect(try await answer(9) == .tooManyRequests(retryAfterSeconds: 5))
        try await waiting.counting("203.0.113.7") {
            try await shop.store.write { try payment().count(orderId: "ord_1", in: $0) }
        }
        #expect(try await answer(1) == nil)
        #expect(try await answer(2) == .tooManyRequests(retryAfterSeconds: 5))
    }

    @Test(.behindProxy { $0.declinedPayments = 0 })
    func `Without the limit, every bad card is declined`() async throws {
        let guest = try await shop.guest()
        for _ in 0..<12 { try await guest.buyNow(card: "tok_declined").problem(.paymentDeclined) }
    }
}
