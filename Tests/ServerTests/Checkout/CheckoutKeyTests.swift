import ServerTesting
import Testing

@Suite("Idempotency keys of purchases", .inShop())
struct CheckoutKeyTests {
    private let shop = TestShop.current
    private let guest: Caller

    init() async throws { guest = try await shop.guest() }

    @Test func `A repeated request gets the first response, byte for byte`() async throws {
        try await guest.fillCart()
        let first = try await guest.checkout(total: 1490, key: "k")
        try first.good()
        shop.clock.advance(by: 60)
        let again = try await guest.checkout(total: 1490, key: "k")
        #expect(again.body == first.body && again.status == 201 && again.etag == first.etag)
        #expect(first.replayed == nil && again.replayed == "true")
        #expect(again.header(HeaderName.requestId) != first.header(HeaderName.requestId))
        #expect(try await shop.available("cap") == 9)
        #expect(try await guest.orders().count == 1)
    }

    @Test func `Another body or path with a used key is refused`() async throws {
        let order = try await guest.buyNow(key: "k").good()
        try await guest.buyNow(email: "other@example.com", key: "k").problem(.idempotencyKeyReused)
        try await guest.buyNow("cap", 2, total: 2490, key: "k").problem(.idempotencyKeyReused)
        try await guest.checkout(total: 1490, key: "k").problem(.idempotencyKeyReused)
        try await guest.cancel(order.id, key: "k").problem(.idempotencyKeyReused)
        #expect(try await shop.available("cap") == 9)
    }

    @Test func `Keys of different buyers are independent`() async throws {
        let one = try await guest.buyNow(key: "k").good()
        #expect(try await shop.guest().buyNow(key: "k").good().id != one.id)
        #expect(try await shop.available("cap") == 8)
    }

    @Test func `A key is valid for 24 hours`() async throws {
        let first = try await shop.customer().buyNow(key: "k").good()
        shop.clock.advance(by: Idempotency.lifetime - 1)
        #expect(try await shop.signIn().buyNow(key: "k").good().id == first.id)
        shop.clock.advance(by: 1)
        #expect(try await shop.signIn().buyNow(key: "k").good().id != first.id)
    }

    @Test func `Only an expired response makes room for another request, not one that replaced it`() async throws {
        let customer = try await shop.customer()
        let (owner, start) = (try customer.accountId, shop.clock.now)
        try await customer.buyNow(key: "k").good()
        for (age, isLeft) in [(-1.0, true), (0, false)] {
            let isFound = try await shop.store.write { repositories in
                try repositories.idempotency.delete(
                    ownerId: owner, key: "k", createdBefore: start.addingTimeInterval(age))
                return try repositories.idempotency.record(ownerId: owner, key: "k") != nil
            }
            #expect(isFound == isLeft)
        }
    }

    @Test func `A guest's purchase is replayed after signing in, not made twice`() async throws {
        _ = try await shop.customer()
        let first = try await guest.buyNow(key: "k")
        try first.good()
        let customer = try await guest.signedIn()
        let again = try await customer.buyNow(key: "k")
        #expect(again.body == first.body && again.replayed == "true")
        #expect(try await customer.orders().count == 1)
        #expect(try await shop.available("cap") == 9)
        #expect(try await shop.charges() == 1)
    }

    @Test func `After signing in a key used by both replays the customer's own purchase`() async throws {
        let own = try await shop.customer().buyNow(key: "k").good()
        let others = try await guest.buyNow("scarf-s", total: 2990, key: "k").good()
        let customer = try await guest.signedIn()
        #expect(try await customer.buyNow(key: "k").good().id == own.id)
        try await customer.buyNow("scarf-s", total: 2990, key: "k").problem(.idempotencyKeyReused)
        #expect(try await Set(customer.orders().map(\.id)) == [own.id, others.id])
    }

    @Test func `A running request keeps its key in use even after the key's lifetime`() async throws {
        try await shop.customer().buyNow(key: "k").good()
        try await shop.database {
            try $0.script("UPDATE idempotency SET status = NULL, media_type = NULL, body = NULL, etag = NULL")
        }
        shop.clock.advance(by: Idempotency.lifetime + 1)
        _ = try await shop.store.write { [now = shop.clock.now] in try $0.idempotency.purge(before: now, limit: 100) }
        let later = try await shop.signIn()
        let refused = try await later.buyNow(key: "k")
        try refused.problem(.idempotencyKeyInUse)
        #expect(refused.header(HeaderName.retryAfter) == "1")
        #expect(try await later.orders().count == 1)
    }

    @Test func `A key is replayed by every server of the shop`() async throws {
        let first = try await guest.buyNow(key: "k")
        try await shop.another { other in
            let again = try await other.caller(try #require(guest.session)).buyNow(key: "k")
            #expect(again.body == first.body && again.replayed == "true")
        }
    }

    @Test func `A key can be used again after every response except 2xx and 402`() async throws {
        try await guest.buyNow(email: nil, key: "k").problem(.emailRequired)
        try await guest.buyNow(total: 1, key: "k").problem(.priceChanged)
        try await guest.buyNow("gloves", total: 1990, key: "k").problem(.outOfStock)
        try await guest.buyNow(card: "tok_error", key: "k").problem(.paymentProviderError)
        try await guest.buyNow(key: "k").good()
    }

    @Test(.inShop(runsJobs: false))
    func `Each purge deletes at most its limit of old responses, and recent ones stay`() async throws {
        let customer = try await shop.customer()
        for number in 0..<5 { try await customer.buyNow(key: "k\(number)").good() }
        shop.clock.advance(by: 60)
        let now = shop.clock.now
        let last = try await shop.signIn().buyNow(key: "last").good()
        var left: [Int] = []
        while try await shop.store.write({ try $0.idempotency.purge(before: now, limit: 2) }) {
            left.append(try await shop.rows("SELECT key FROM idempotency").count)
        }
        #expect(left == [4, 2])
        #expect(try await shop.signIn().buyNow(key: "last").good().id == last.id)
    }
}
