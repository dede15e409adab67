import PouchContract
import PouchEntities
import PouchWire
import Testing

@Suite("Too many failed sign-ins")
struct SignInThrottleTests {
    private func fail(_ shop: TestShop, _ count: Int, email: String = "ada@example.com") async throws {
        for _ in 0..<count {
            try await shop.anyone.call(Contract.signIn, SignInRequest(email: email, password: "wrong password"))
                .problem(.invalidCredentials)
        }
    }

    private func attempt(
        _ shop: TestShop, email: String = "ada@example.com", password: String = .password
    ) async throws -> Answered<UserSession> {
        try await shop.anyone.call(Contract.signIn, SignInRequest(email: email, password: password))
    }

    @Test func `After ten failures even the right password has to wait, until the window is over`() async throws {
        try await TestShop.open([]) { shop in
            _ = try await shop.customer()
            try await fail(shop, 10)
            shop.clock.advance(by: 60)
            let refused = try await attempt(shop)
            try refused.problem(.tooManyAttempts)
            #expect(refused.header(HeaderName.retryAfter) == "\(15 * 60 - 60)")
            shop.clock.advance(by: 15 * 60 - 60 - 1)
            try await attempt(shop).problem(.tooManyAttempts)
            shop.clock.advance(by: 2)
            try await attempt(shop).good()
        }
    }

    @Test func `Nine failures are forgiven, and forgotten with the right password`() async throws {
        try await TestShop.open([]) { shop in
            _ = try await shop.customer()
            try await fail(shop, 9)
            try await attempt(shop).good()
            try await fail(shop, 9)
            try await attempt(shop).good()
        }
    }

    @Test func `An account that is not there is throttled as one that is, so that nothing is told`() async throws {
        try await TestShop.open([]) { shop in
            try await fail(shop, 10, email: "nobody@example.com")
            try await attempt(shop, email: "nobody@example.com").problem(.tooManyAttempts)
        }
    }

    @Test func `Other letter case is the same account, and another account goes on`() async throws {
        try await TestShop.open([]) { shop in
            _ = try await shop.customer()
            _ = try await shop.customer("bob@example.com")
            try await fail(shop, 5)
            try await fail(shop, 5, email: "ADA@example.com")
            try await attempt(shop).problem(.tooManyAttempts)
            try await attempt(shop, email: "bob@example.com").good()
        }
    }

    @Test func `Failures are counted by all servers of a shop together`() async throws {
        try await TestShop.open([]) { shop in
            _ = try await shop.customer()
            try await fail(shop, 5)
            try await shop.another { other in
                try await fail(other, 5)
                try await attempt(other).problem(.tooManyAttempts)
            }
            try await attempt(shop).problem(.tooManyAttempts)
        }
    }

    @Test func `Guessing the password of one's own session counts too`() async throws {
        try await TestShop.open([]) { shop in
            let customer = try await shop.customer()
            for _ in 0..<10 {
                try await customer.call(Contract.deleteAccount, DeleteAccountRequest(password: "wrong password"))
                    .problem(.invalidCredentials)
            }
            try await customer.call(Contract.deleteAccount, DeleteAccountRequest(password: .password))
                .problem(.tooManyAttempts)
            try await customer.call(Contract.profile).good()
        }
    }
}
