import PouchContract
import PouchDomain
import PouchEntities
import PouchHTTP
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

    @Test(.timeLimit(.minutes(1)))
    func `Of thirty wrong passwords at once ten are looked at`() async throws {
        try await TestShop.open([]) { shop in
            _ = try await shop.customer()
            let answers = try await parallel(30) { _ in try await attempt(shop, password: "wrong password") }
            let looked = answers.filter { $0.status == 401 }
            #expect(looked.count == 10)
            for answer in answers {
                try answer.problem(answer.status == 401 ? .invalidCredentials : .tooManyAttempts)
            }
            #expect(try await signIn(shop, from: "192.0.2.1") == .success)
        }
    }

    @Test func `A right password leaves no attempt behind, neither for the network nor for the account`() async throws {
        try await TestShop.open([]) { shop in
            _ = try await shop.customer()
            // More often than the account in all may fail; each at a time of its own.
            for _ in 0..<101 {
                try await attempt(shop).good()
                shop.clock.advance(by: 1)
            }
            #expect(try await shop.rows("SELECT 1 FROM sign_in_failures").isEmpty)
        }
    }

    @Test func `A right password for one's own account leaves no attempt behind either`() async throws {
        try await TestShop.open([]) { shop in
            let customer = try await shop.customer()
            for _ in 0..<20 {
                let change = PasswordChangeRequest(currentPassword: .password, newPassword: .password)
                try await customer.call(Contract.changePassword, change).good()
                shop.clock.advance(by: 1)
            }
            #expect(try await shop.rows("SELECT 1 FROM sign_in_failures").isEmpty)
        }
    }

    @Test(arguments: [
        ("2001:db8::1", "2001:db8::ffff:1", true), ("2001:db8::1", "2001:DB8:0:0:8000::", true),
        ("2001:db8::1", "2001:db8:0:1::1", false),
        ("::ffff:192.0.2.1", "::ffff:192.0.2.2", false), ("192.0.2.1", "192.0.2.2", false),
        ("::ffff:192.0.2.1", "::ffff:c000:201", true),
    ])
    func `Addresses are counted together that one customer of a network has`(
        one: String, other: String, isShared: Bool
    ) async throws {
        try await TestShop.open([]) { shop in
            _ = try await shop.customer()
            for index in 0..<10 {
                let address = isShared && index.isMultiple(of: 2) ? other : one
                #expect(try await signIn(shop, "wrong password", from: address) == .invalid)
            }
            #expect(try await signIn(shop, from: one) == .throttled)
            #expect(try await signIn(shop, from: other) == (isShared ? .throttled : .success))
        }
    }

    @Test func `From many networks an account is tried a hundred times`() async throws {
        try await TestShop.open([]) { shop in
            _ = try await shop.customer()
            for network in 0..<100 {
                #expect(try await signIn(shop, "wrong password", from: "192.0.2.\(network)") == .invalid)
            }
            #expect(try await signIn(shop, from: "198.51.100.1") == .throttled)
        }
    }

    private enum Outcome {
        case success, invalid, throttled
    }

    /// Signs in from an address.
    private func signIn(
        _ shop: TestShop, _ password: String = .password, from address: String
    ) async throws -> Outcome {
        do {
            _ = try await shop.services.accounts.signIn(
                email: "ada@example.com", password: password, address: address, guest: nil)
            return .success
        } catch DomainError.invalidCredentials {
            return .invalid
        } catch DomainError.tooManyAttempts {
            return .throttled
        }
    }
}
