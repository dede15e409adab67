import HummingbirdTesting
import ServerTesting
import Testing

@testable import PouchHTTP

@Suite("Clients behind proxies", .timeLimit(.minutes(5)))
struct ForwardedClientTests {
    private let shop = TestShop.current

    private func signIn(_ password: String = .password, for client: String) async throws -> Int {
        let request = SignInRequest(email: "ada@example.com", password: password)
        return try await shop.anyone.call(Contract.signIn, request, headers: ["X-Forwarded-For": client]).status
    }

    @Test(.behindProxy([]))
    func `Behind a trusted proxy each client has its own failed sign-ins`() async throws {
        _ = try await shop.customer()
        for _ in 0..<10 { #expect(try await signIn("wrong password", for: "203.0.113.7") == 401) }
        #expect(try await signIn(for: "203.0.113.7") == 429)
        #expect(try await signIn(for: "203.0.113.8") == 201)
        // An address that the client made up stands before the one that the proxy appends.
        #expect(try await signIn(for: "203.0.113.9, 203.0.113.7") == 429)
    }

    @Test(.inShop([], setup: .live)) func `Without trusted proxies X-Forwarded-For is ignored`() async throws {
        _ = try await shop.customer()
        for client in 0..<10 { #expect(try await signIn("wrong password", for: "203.0.113.\(client)") == 401) }
        #expect(try await signIn(for: "203.0.113.99") == 429)
    }
}

@Suite("Limits of one network", .timeLimit(.minutes(5)))
struct NetworkLimitTests {
    private static let (near, far) = (["X-Forwarded-For": "203.0.113.7"], ["X-Forwarded-For": "203.0.113.8"])

    private let shop = TestShop.current

    @Test(.behindProxy { $0.requests = .init(perSecond: 2, burst: 5) })
    func `Requests beyond the rate are refused until the network may send again`() async throws {
        for _ in 0..<5 { try await shop.anyone.call(Contract.seasons, headers: Self.near).good() }
        let refused = try await shop.anyone.call(Contract.seasons, headers: Self.near)
        try refused.problem(.tooManyRequests)
        #expect(refused.header(HeaderName.retryAfter) == "1")
        #expect(refused.header(HeaderName.shouldRetry) == "true")
        try await shop.anyone.call(Contract.seasons, headers: Self.far).good()
        try await shop.anyone.call(Contract.healthReady, headers: Self.near).good()
        // A path that only begins like a health check is counted.
        try await shop.anyone.send("GET", "/health/other", headers: Self.near).problem(.tooManyRequests)
        shop.clock.advance(by: 1)
        for _ in 0..<2 { try await shop.anyone.call(Contract.seasons, headers: Self.near).good() }
        try await shop.anyone.call(Contract.seasons, headers: Self.near).problem(.tooManyRequests)
        // A clock that is set back does not refuse the network for longer.
        shop.clock.advance(by: -86_400)
        try await shop.anyone.call(Contract.seasons, headers: Self.near).problem(.tooManyRequests)
        shop.clock.advance(by: 1)
        try await shop.anyone.call(Contract.seasons, headers: Self.near).good()
    }

    @Test(.behindProxy { $0.newSessions = .init(perSecond: 1, burst: 4) })
    func `Sign-ups, sign-ins and guests share a limit, and existing sessions are not affected`() async throws {
        try await shop.anyone.call(Contract.signUp, .sample(), headers: Self.near).good()
        let guest = try await shop.anyone.call(Contract.startGuestSession, headers: Self.near).good()
        for _ in 0..<2 { try await shop.anyone.call(Contract.startGuestSession, headers: Self.near).good() }
        try await shop.anyone.call(Contract.startGuestSession, headers: Self.near).problem(.tooManyRequests)
        try await shop.anyone.call(Contract.signUp, .sample("bob@example.com"), headers: Self.near)
            .problem(.tooManyRequests)
        try await shop.anyone.call(Contract.startGuestSession, headers: Self.far).good()
        try await shop.caller(guest).call(Contract.cart, headers: Self.near).good()
        let signIn = SignInRequest(email: "ada@example.com", password: .password)
        try await shop.anyone.call(Contract.signIn, signIn, headers: Self.near).problem(.tooManyRequests)
        shop.clock.advance(by: 1)
        try await shop.anyone.call(Contract.signIn, signIn, headers: Self.near).good()
        try await shop.anyone.call(Contract.startGuestSession, headers: Self.near).problem(.tooManyRequests)
    }

    @Test(.behindProxy { $0.newSessions = .init(perSecond: 1, burst: 4) })
    func `Buyers' new idempotency keys count for the limit of new sessions; repeated keys do not`() async throws {
        let (guest, admin) = (try await shop.guest(), try await shop.admin())
        func add(_ key: String, _ headers: [String: String] = Self.near) async throws -> Answered<Cart> {
            try await guest.add("cap", headers: headers.merging([HeaderName.idempotencyKey: key]) { $1 })
        }
        for number in 0..<4 { try await add("k\(number)").good() }
        try await add("k4").problem(.tooManyRequests)
        #expect(try await add("k0").header(HeaderName.idempotentReplayed) == "true")
        #expect(try await guest.cart().lines.map(\.quantity) == [4])
        try await add("k4", Self.far).good()
        for number in 0..<5 {
            let key = Self.near.merging([HeaderName.idempotencyKey: "d\(number)"]) { $1 }
            try await admin.addDiscount(DiscountTerms(code: "OFF-\(number)", kind: .freeShipping), headers: key).good()
        }
        shop.clock.advance(by: 1)
        try await add("k5").good()
    }

    @Test(.behindProxy())
    func `After thirty wrong discount codes a network can buy, but only without a code`() async throws {
        try await shop.admin().addDiscount(.ten).good()
        let guest = try await shop.guest()
        let lines = [LineRequest.cap]
        // Another guest of the same network, since new guests cost nothing.
        let other = try await shop.guest()
        func buy(_ code: String?, key: String) async throws -> Answered<Order> {
            try await other.buyNow(
                lines, discount: code, total: code == "TEN" ? 1390 : 1490, email: "a@example.com", key: key,
                headers: Self.near)
        }
        let bought = try await buy("TEN", key: "bought")
        try bought.good()
        for number in 0..<14 {
            try await guest.discount("GUESS\(number)", headers: Self.near).problem(.discountInvalid)
        }
        try await buy("GUESS14", key: "wrong").problem(.discountInvalid)
        for number in 15..<30 {
            let preview = PreviewRequest(lines: lines, discount: "GUESS\(number)")
            try await other.call(Contract.previewOrder, preview, headers: Self.near).problem(.discountInvalid)
        }
        // The right code, too, since the answer would tell.
        let refused = try await guest.discount("TEN", headers: Self.near)
        try refused.problem(.tooManyAttempts)
        #expect(refused.header(HeaderName.retryAfter) == "30")
        let preview = PreviewRequest(lines: lines, discount: "TEN")
        try await other.call(Contract.previewOrder, preview, headers: Self.near).problem(.tooManyAttempts)
        try await buy("TEN", key: "more").problem(.tooManyAttempts)
        #expect(try await buy("TEN", key: "bought").body == bought.body)
        try await buy(nil, key: "without").good()
        try await other.call(Contract.previewOrder, preview, headers: Self.far).good()
        shop.clock.advance(by: 30)
        try await other.call(Contract.previewOrder, preview, headers: Self.near).good()
    }
}
