import Foundation
import HTTPTypes
import PouchContract
import PouchDomain
import PouchEntities
import PouchHTTP
import PouchServer
import PouchStorage
import PouchWire
import Testing

@Suite("Signing in")
struct SignInTests {
    @Test(arguments: ["ada@example.com", "Ada@EXAMPLE.com", "  ada@example.com"])
    func `Signing in ignores letter case and surrounding spaces in the e-mail address`(email: String) async throws {
        try await TestShop.open([]) { shop in
            let first = try await shop.customer()
            let second = try await shop.signIn(email)
            #expect(second.session?.profile == first.session?.profile)
            #expect(second.session?.id != first.session?.id)
            try await first.call(Contract.profile).good()
        }
    }

    @Test func `An unknown account and a wrong password get the same response`() async throws {
        try await TestShop.open([]) { shop in
            _ = try await shop.customer()
            let unknown = try await shop.anyone.call(
                Contract.signIn, SignInRequest(email: "bob@example.com", password: .password))
            let wrong = try await shop.anyone.call(
                Contract.signIn, SignInRequest(email: "ada@example.com", password: "wrong password"))
            let (one, other) = (try unknown.problem(.invalidCredentials), try wrong.problem(.invalidCredentials))
            #expect(one.problem.detail == other.problem.detail && one.problem.errors == other.problem.errors)
            #expect(unknown.headers.map(\.name) == wrong.headers.map(\.name))
        }
    }

    @Test(arguments: ["", "not an address", "ada@example.com\u{0}", "'; DROP TABLE accounts; --"])
    func `Signing in with an invalid e-mail address is refused as invalid credentials`(email: String) async throws {
        try await TestShop.open([]) { shop in
            try await shop.anyone.call(Contract.signIn, SignInRequest(email: email, password: .password))
                .problem(.invalidCredentials)
        }
    }

    @Test func `A password with a missing, extra or changed character is refused`() async throws {
        try await TestShop.open([]) { shop in
            _ = try await shop.customer()
            for password in ["", "Correct horse", "correct horse ", "correct hors"] {
                try await shop.anyone.call(
                    Contract.signIn, SignInRequest(email: "ada@example.com", password: password)
                ).problem(.invalidCredentials)
            }
        }
    }

    @Test func `A guest session has no profile`() async throws {
        try await TestShop.open([]) { shop in
            let session = try #require(try await shop.guest().session)
            #expect(session.kind == .guest && session.profile == nil)
        }
    }
}

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

    @Test func `After ten failures even the right password is refused until the window has passed`() async throws {
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

    @Test func `The right password after nine failures signs in and resets the count`() async throws {
        try await TestShop.open([]) { shop in
            _ = try await shop.customer()
            try await fail(shop, 9)
            try await attempt(shop).good()
            try await fail(shop, 9)
            try await attempt(shop).good()
        }
    }

    @Test func `An unknown account is throttled like an existing one`() async throws {
        try await TestShop.open([]) { shop in
            try await fail(shop, 10, email: "unknown@example.com")
            try await attempt(shop, email: "unknown@example.com").problem(.tooManyAttempts)
        }
    }

    @Test func `Failures count for an e-mail address in any letter case, and not for other accounts`() async throws {
        try await TestShop.open([]) { shop in
            _ = try await shop.customer()
            _ = try await shop.customer("bob@example.com")
            try await fail(shop, 5)
            try await fail(shop, 5, email: "ADA@example.com")
            try await attempt(shop).problem(.tooManyAttempts)
            try await attempt(shop, email: "bob@example.com").good()
        }
    }

    @Test func `Failures are counted across all servers of a shop`() async throws {
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

    @Test func `Wrong passwords for deleting the account count as failures too`() async throws {
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

    @Test(.timeLimit(.minutes(5)))
    func `Of 30 concurrent wrong passwords ten are checked and the rest are throttled`() async throws {
        try await TestShop.open([]) { shop in
            _ = try await shop.customer()
            let answers = try await parallel(30) { _ in try await attempt(shop, password: "wrong password") }
            let checked = answers.filter { $0.status == 401 }
            #expect(checked.count == 10)
            for answer in answers {
                try answer.problem(answer.status == 401 ? .invalidCredentials : .tooManyAttempts)
            }
            #expect(try await signIn(shop, from: "192.0.2.1") == .success)
        }
    }

    @Test func `A stranger behind the same address does not lock out who has signed in from there`() async throws {
        try await TestShop.open([]) { shop in
            _ = try await shop.customer()
            #expect(try await signIn(shop, from: "192.0.2.1") == .success)
            for account in 0..<30 {
                let email = "account-\(account)@example.com"
                #expect(try await signIn(shop, "wrong password", email: email, from: "192.0.2.1") == .invalid)
            }
            // Nor does one with many addresses.
            for network in 0..<100 {
                #expect(try await signIn(shop, "wrong password", from: "198.51.100.\(network)") == .invalid)
            }
            #expect(try await signIn(shop, from: "192.0.2.1") == .success)
            #expect(try await signIn(shop, from: "192.0.2.2") == .throttled)
            for _ in 0..<10 { #expect(try await signIn(shop, "wrong password", from: "192.0.2.1") == .invalid) }
            #expect(try await signIn(shop, from: "192.0.2.1") == .throttled)
        }
    }

    @Test func `Successful sign-ins leave no failure for the network or the account`() async throws {
        try await TestShop.open([]) { shop in
            _ = try await shop.customer()
            // More often than the account may fail from all networks together, each at a different time.
            for _ in 0..<101 {
                try await attempt(shop).good()
                shop.clock.advance(by: 1)
            }
            // The latest success.
            #expect(try await shop.rows("SELECT 1 FROM sign_in_failures WHERE attempt LIKE 'att_%'").count == 1)
        }
    }

    @Test func `Password changes with the right password leave no failure`() async throws {
        try await TestShop.open([]) { shop in
            let customer = try await shop.customer()
            for _ in 0..<20 {
                let change = PasswordChangeRequest(currentPassword: .password, newPassword: .password)
                try await customer.call(Contract.changePassword, change).good()
                shop.clock.advance(by: 1)
            }
            // The latest success.
            #expect(try await shop.rows("SELECT 1 FROM sign_in_failures WHERE attempt LIKE 'att_%'").count == 1)
        }
    }

    @Test(arguments: [
        ("2001:db8::1", "2001:db8::ffff:1", true), ("2001:db8::1", "2001:DB8:0:0:8000::", true),
        ("2001:db8::1", "2001:db8:0:1::1", false),
        ("::ffff:192.0.2.1", "::ffff:192.0.2.2", false), ("192.0.2.1", "192.0.2.2", false),
        ("::ffff:192.0.2.1", "::ffff:c000:201", true),
    ])
    func `Failures are counted per IPv4 address and per IPv6 /64 network`(
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

    @Test func `An account is throttled after 100 failures from different networks`() async throws {
        try await TestShop.open([]) { shop in
            _ = try await shop.customer()
            for network in 0..<100 {
                #expect(try await signIn(shop, "wrong password", from: "192.0.2.\(network)") == .invalid)
            }
            #expect(try await signIn(shop, from: "198.51.100.1") == .throttled)
        }
    }

    @Test func `One password tried on many accounts is refused after 30 failures of the network`() async throws {
        try await TestShop.open([]) { shop in
            _ = try await shop.customer()
            for account in 0..<30 {
                let email = "account-\(account)@example.com"
                #expect(try await signIn(shop, "wrong password", email: email, from: "192.0.2.1") == .invalid)
            }
            #expect(
                try await signIn(shop, "wrong password", email: "more@example.com", from: "192.0.2.1") == .throttled)
            #expect(try await signIn(shop, from: "192.0.2.2") == .success)
            shop.clock.advance(by: 15 * 60 + 1)
            #expect(try await signIn(shop, from: "192.0.2.1") == .success)
        }
    }

    @Test func `A sign-in that succeeds does not remove failures from the same millisecond`() async throws {
        try await TestShop.open([]) { shop in
            _ = try await shop.customer()
            // The clock stands still.
            for network in 0..<99 {
                #expect(try await signIn(shop, "wrong password", from: "192.0.2.\(network)") == .invalid)
            }
            #expect(try await signIn(shop, from: "198.51.100.1") == .success)
            #expect(try await signIn(shop, "wrong password", from: "198.51.100.2") == .invalid)
            #expect(try await signIn(shop, from: "198.51.100.3") == .throttled)
        }
    }

    private enum Outcome {
        case success, invalid, throttled
    }

    /// Signs in from a network address.
    private func signIn(
        _ shop: TestShop, _ password: String = .password, email: String = "ada@example.com", from address: String
    ) async throws -> Outcome {
        do {
            _ = try await shop.services.accounts.signIn(
                email: email, password: password, network: try #require(NetworkAddress(address)).network, guest: nil)
            return .success
        } catch DomainError.invalidCredentials {
            return .invalid
        } catch DomainError.tooManyAttempts {
            return .throttled
        }
    }
}
