import HTTPTypes
import ServerTesting
import Testing

@Suite("Signing in, and too many failures", .inShop([]))
struct SignInTests {
    private let shop = TestShop.current
    private let customer: Caller

    init() async throws { customer = try await shop.customer() }

    @Test(arguments: ["ada@example.com", "Ada@EXAMPLE.com", "  ada@example.com"])
    func `Signing in ignores letter case and surrounding spaces in the e-mail address`(email: String) async throws {
        let second = try await shop.signIn(email)
        #expect(second.session?.profile == customer.session?.profile)
        #expect(second.session?.id != customer.session?.id)
        try await customer.profile().good()
    }

    @Test func `An unknown account and a wrong password get the same response`() async throws {
        let unknown = try await shop.anyone.signIn("bob@example.com")
        let wrong = try await shop.anyone.signIn(password: "wrong password")
        let (one, other) = (try unknown.problem(.invalidCredentials), try wrong.problem(.invalidCredentials))
        #expect(one.problem.detail == other.problem.detail && one.problem.errors == other.problem.errors)
        #expect(unknown.headers.map(\.name) == wrong.headers.map(\.name))
    }

    @Test(arguments: ["", "not an address", "ada@example.com\u{0}", "'; DROP TABLE accounts; --"])
    func `Signing in with an invalid e-mail address is refused as invalid credentials`(email: String) async throws {
        try await shop.anyone.signIn(email).problem(.invalidCredentials)
    }

    @Test func `A password with a missing, extra or changed character is refused`() async throws {
        for password in ["", "Correct horse", "correct horse ", "correct hors"] {
            try await shop.anyone.signIn(password: password).problem(.invalidCredentials)
        }
    }

    @Test func `A guest session has no profile`() async throws {
        let session = try #require(try await shop.guest().session)
        #expect(session.kind == .guest && session.profile == nil)
    }

    // MARK: The failures of an account

    private func fail(_ count: Int, email: String = "ada@example.com", at server: TestShop? = nil) async throws {
        for _ in 0..<count {
            try await (server ?? shop).anyone.signIn(email, password: "wrong password").problem(.invalidCredentials)
        }
    }

    /// Signs in from a network address.
    private func signIn(
        _ password: String = .password, email: String = "ada@example.com", from address: String
    ) async throws -> TestShop.SignIn {
        try await shop.signIn(password, email: email, network: #require(NetworkAddress(address)).network)
    }

    private func failHere(email: String = "ada@example.com", from address: String) async throws {
        #expect(try await signIn("wrong password", email: email, from: address) == .invalid)
    }

    @Test func `After ten failures even the right password is refused until the window has passed`() async throws {
        try await fail(10)
        shop.clock.advance(by: 60)
        let refused = try await shop.anyone.signIn()
        try refused.problem(.tooManyAttempts)
        #expect(refused.header(HeaderName.retryAfter) == "\(15 * 60 - 60)")
        shop.clock.advance(by: 15 * 60 - 60 - 1)
        try await shop.anyone.signIn().problem(.tooManyAttempts)
        shop.clock.advance(by: 2)
        try await shop.anyone.signIn().good()
    }

    @Test func `The right password after nine failures signs in and resets the count`() async throws {
        for _ in 0..<2 {
            try await fail(9)
            try await shop.anyone.signIn().good()
        }
    }

    @Test func `An unknown account is throttled like an existing one`() async throws {
        try await fail(10, email: "unknown@example.com")
        try await shop.anyone.signIn("unknown@example.com").problem(.tooManyAttempts)
    }

    @Test func `Failures count for an e-mail address in any letter case, and not for other accounts`() async throws {
        _ = try await shop.customer("bob@example.com")
        try await fail(5)
        try await fail(5, email: "ADA@example.com")
        try await shop.anyone.signIn().problem(.tooManyAttempts)
        try await shop.anyone.signIn("bob@example.com").good()
    }

    @Test func `Failures are counted across all servers of a shop`() async throws {
        try await fail(5)
        try await shop.another { other in
            try await fail(5, at: other)
            try await other.anyone.signIn().problem(.tooManyAttempts)
        }
        try await shop.anyone.signIn().problem(.tooManyAttempts)
    }

    @Test func `Wrong passwords for deleting the account count as failures too`() async throws {
        for _ in 0..<10 { try await customer.deleteAccount(password: "wrong password").problem(.invalidCredentials) }
        try await customer.deleteAccount().problem(.tooManyAttempts)
        try await customer.profile().good()
    }

    @Test(.timeLimit(.minutes(5)))
    func `Of 30 concurrent wrong passwords ten are checked and the rest are throttled`() async throws {
        let answers = try await parallel(30) { _ in try await shop.anyone.signIn(password: "wrong password") }
        #expect(answers.count { $0.status == 401 } == 10)
        for answer in answers { try answer.problem(answer.status == 401 ? .invalidCredentials : .tooManyAttempts) }
        #expect(try await signIn(from: "192.0.2.1") == .success)
    }

    /// The sign-ins, each at a different time, are more than the account may fail from all networks together.
    @Test(arguments: [(101, false), (20, true)])
    func `Right passwords leave no failure, at sign-ins or changes`(count: Int, ofChanges: Bool) async throws {
        for _ in 0..<count {
            if ofChanges {
                try await customer.changePassword(to: .password).good()
            } else {
                try await shop.anyone.signIn().good()
            }
            shop.clock.advance(by: 1)
        }
        // The latest success.
        #expect(try await shop.rows("SELECT 1 FROM sign_in_failures WHERE attempt LIKE 'att_%'").count == 1)
    }

    // MARK: The failures of a network

    @Test func `A stranger behind the same address does not lock out a user who has signed in there`() async throws {
        #expect(try await signIn(from: "192.0.2.1") == .success)
        for account in 0..<30 { try await failHere(email: "account-\(account)@example.com", from: "192.0.2.1") }
        // Nor does one with many addresses.
        for network in 0..<100 { try await failHere(from: "198.51.100.\(network)") }
        #expect(try await signIn(from: "192.0.2.1") == .success)
        #expect(try await signIn(from: "192.0.2.2") == .throttled)
        for _ in 0..<10 { try await failHere(from: "192.0.2.1") }
        #expect(try await signIn(from: "192.0.2.1") == .throttled)
    }

    @Test(arguments: [
        ("2001:db8::1", "2001:db8::ffff:1", true), ("2001:db8::1", "2001:DB8:0:0:8000::", true),
        ("2001:db8::1", "2001:db8:0:1::1", false),
        ("::ffff:192.0.2.1", "::ffff:192.0.2.2", false), ("192.0.2.1", "192.0.2.2", false),
        ("::ffff:192.0.2.1", "::ffff:c000:201", true),
    ])
    func `Failures count per IPv4 address or IPv6 /64`(one: String, other: String, isShared: Bool) async throws {
        for index in 0..<10 { try await failHere(from: isShared && index.isMultiple(of: 2) ? other : one) }
        #expect(try await signIn(from: one) == .throttled)
        #expect(try await signIn(from: other) == (isShared ? .throttled : .success))
    }

    @Test func `One password tried on many accounts is refused after 30 failures of the network`() async throws {
        for account in 0..<30 { try await failHere(email: "account-\(account)@example.com", from: "192.0.2.1") }
        #expect(try await signIn("wrong password", email: "more@example.com", from: "192.0.2.1") == .throttled)
        #expect(try await signIn(from: "192.0.2.2") == .success)
        shop.clock.advance(by: 15 * 60 + 1)
        #expect(try await signIn(from: "192.0.2.1") == .success)
    }

    @Test func `An account is throttled after 100 failures from different networks`() async throws {
        // The clock stands still: a sign-in that succeeds does not remove failures from the same millisecond.
        for network in 0..<99 { try await failHere(from: "192.0.2.\(network)") }
        #expect(try await signIn(from: "198.51.100.1") == .success)
        try await failHere(from: "198.51.100.2")
        #expect(try await signIn(from: "198.51.100.3") == .throttled)
    }
}
