import HTTPTypes
import ServerTesting
import Testing

@Suite("A forgotten password", .inShop([]))
struct PasswordResetTests {
    private static let fresh = "battery staple"

    private let shop = TestShop.current
    private let customer: Caller

    init() async throws { customer = try await shop.customer() }

    private func ask(_ email: String) async throws -> Answered<NoContent> {
        try await shop.anyone.call(Contract.requestPasswordReset, PasswordResetRequest(email: email))
    }

    @Test func `A mail's token sets a new password once, verifies the address and ends all sessions`() async throws {
        let other = try await shop.signIn()
        try await ask(" Ada@Example.com").good()
        try await shop.services.accounts.answerPasswordResets()
        let mails = try await shop.mails(.passwordReset)
        #expect(mails.map(\.recipient) == ["ada@example.com"])
        // The address is not confirmed yet.
        #expect(mails.map(\.content.name) == [nil])
        #expect(try await shop.mails(.passwordChanged).isEmpty)
        let token = try await shop.token(.passwordReset)
        try await shop.resetPassword(token).good()
        try await shop.resetPassword(token, to: "another one").problem(.linkInvalid)
        // One mail for the one reset, without a secret.
        let content = MailContent(name: "Ada", passwordChange: .init(at: shop.clock.now, isReset: true))
        let mail = TestShop.Mail(kind: .passwordChanged, recipient: "ada@example.com", content: content)
        #expect(try await shop.mails(.passwordChanged) == [mail])
        for session in [customer, other] {
            try await session.profile().problem(.unauthenticated)
            try await shop.refresh(session.refreshToken).problem(.unauthenticated)
        }
        try await shop.anyone.signIn().problem(.invalidCredentials)
        let profile = try await shop.signIn(password: Self.fresh).profile().good()
        #expect(profile.emailVerified == true)
        #expect(try await shop.eventTypes(of: profile.id) == ["customer.created", "customer.updated"])
    }

    @Test func `An account that the machine's owner created can get a new password`() async throws {
        try await shop.create("joan@example.com", .admin)
        try await shop.resetPassword(shop.resetToken(of: "joan@example.com")).good()
        _ = try await shop.signIn("joan@example.com", password: Self.fresh)
    }

    @Test func `An account with an address that sign-up refuses can get a new password`() async throws {
        _ = try await shop.rows("UPDATE accounts SET email = 'ada@intranet' RETURNING id")
        try await shop.anyone.call(Contract.signUp, .sample("bob@intranet")).problem(.validationFailed)
        _ = try await shop.signIn("ada@intranet")
        try await ask(" Ada@intranet").good()
        try await shop.resetPassword(shop.resetToken(of: "ada@intranet")).good()
        _ = try await shop.signIn("ada@intranet", password: Self.fresh)
        let long = "ada@" + String(repeating: "x.", count: 200) + "example"
        #expect(try await ask(long).invalidFields() == ["email"])
    }

    @Test(.timeLimit(.minutes(5))) func `The server's background work answers a request with a mail`() async throws {
        try await ask("ada@example.com").good()
        try await eventually { try await !shop.mails(.passwordReset).isEmpty }
    }

    /// The server looks for the account later, so the time of the answer cannot differ either.
    @Test func `An unknown address gets the same answer by the same statements, and no mail`() async throws {
        let known = try await ask("ada@example.com")
        let unknown = try await ask("bob@example.com")
        for answer in [known, unknown] { try answer.good() }
        #expect(known.headers.map(\.name) == unknown.headers.map(\.name) && known.body == unknown.body)
        try await shop.services.accounts.answerPasswordResets()
        #expect(try await shop.mails(.passwordReset).map(\.recipient) == ["ada@example.com"])
        // Nothing of the unknown address stays.
        #expect(try await shop.rows("SELECT id FROM account_links WHERE email = 'bob@example.com'").isEmpty)
    }

    @Test func `A token is valid for 30 minutes`() async throws {
        let late = try await shop.resetToken()
        shop.clock.advance(by: 30 * 60 - 1)
        let inTime = try await shop.resetToken()
        shop.clock.advance(by: 2)
        try await shop.resetPassword(late).problem(.linkInvalid)
        shop.clock.advance(by: 30 * 60 - 4)
        try await shop.resetPassword(inTime, to: "third password").good()
    }

    @Test func `Earlier tokens stay valid until one is used, so that no stranger can void the owner's`() async throws {
        let (first, second) = (try await shop.resetToken(), try await shop.resetToken())
        #expect(first != second)
        try await shop.resetPassword(first).good()
        try await shop.resetPassword(second, to: "another one").problem(.linkInvalid)
    }

    @Test func `A changed password and a deleted account void the tokens`() async throws {
        let token = try await shop.resetToken()
        try await customer.changePassword(to: Self.fresh).good()
        try await shop.resetPassword(token, to: "another one").problem(.linkInvalid)
        let next = try await shop.resetToken()
        try await customer.deleteAccount(password: Self.fresh).good()
        try await shop.resetPassword(next, to: "another one").problem(.linkInvalid)
    }

    @Test func `A token with any changed character, and a token of another kind, is refused`() async throws {
        _ = try await shop.customer("bob@example.com")
        let token = try await shop.resetToken()
        let bobs = try await shop.resetToken(of: "bob@example.com")
        let parts = (token.split(separator: "."), bobs.split(separator: "."))
        var wrong = [
            "", ".", "..", "nonsense", String(token.dropLast()), token + "A", " " + token, token + "\n",
            String(repeating: "x", count: 100_000),
            // Another account's record with this one's code, and a later expiry.
            "\(parts.1[0]).\(parts.0[1]).\(parts.0[2])", "\(parts.0[0]).\((Int64(parts.0[1]) ?? 0) + 1).\(parts.0[2])",
            try await shop.token(.emailVerification, to: "ada@example.com"),
        ]
        // The last character has bits that no byte needs.
        for index in token.indices.dropLast() where token[index] != "." {
            wrong.append(token.replacingCharacters(in: index...index, with: token[index] == "b" ? "c" : "b"))
        }
        for token in wrong { try await shop.resetPassword(token).problem(.linkInvalid) }
        try await shop.resetPassword(token).good()
        try await shop.verifyEmail(bobs).problem(.linkInvalid)
        // Bob's account is as it was.
        _ = try await shop.signIn("bob@example.com")
    }

    @Test func `The database has neither the token nor anything from which it can be made`() async throws {
        let token = try await shop.resetToken()
        let code = try #require(token.split(separator: ".").last)
        for table in ["account_links", "mails", "events", "sign_in_failures"] {
            for row in try await shop.rows("SELECT * FROM \(table)") { #expect(!"\(row)".contains(code)) }
        }
        // The record in the database does not have the code, without which the token is refused.
        let id = try #require(token.split(separator: ".").first)
        try await shop.resetPassword(String(id)).problem(.linkInvalid)
        #expect(try await !shop.resetPassword(token + "x").text.contains(code))
    }

    @Test func `An invalid new password does not use up the token and is not hashed`() async throws {
        let token = try await shop.resetToken()
        for password in ["short", "password", String(repeating: "x", count: 129)] {
            #expect(try await shop.resetPassword(token, to: password).invalidFields() == ["newPassword"])
        }
        try await shop.resetPassword(token).good()
    }

    @Test(arguments: ["", "ada", "ada@example.com\u{0}", "a b@example.com"])
    func `A text that is not an e-mail address is refused`(email: String) async throws {
        #expect(try await ask(email).invalidFields() == ["email"])
    }

    @Test func `An owner who locked the account with wrong passwords can sign in after a reset`() async throws {
        let networks = ["192.0.2.1", "192.0.2.2"]
        for attempt in 0..<20 {
            #expect(try await shop.signIn("wrong words", network: networks[attempt % 2]) == .invalid)
        }
        let accounts = shop.services.accounts
        try await accounts.resetPassword(token: shop.resetToken(), to: Self.fresh, network: networks[0])
        for network in networks { #expect(try await shop.signIn(Self.fresh, network: network) == .success) }
    }

    // MARK: The limits of requests

    private func ask(_ email: String, from network: String) async throws -> Int? {
        try await shop.requestReset(of: email, network: network)
    }

    @Test(arguments: ["ada@example.com", "unknown@example.com"])
    func `Any address, with an account or not, gets three requests an hour from a network`(email: String) async throws {
        for _ in 0..<3 { #expect(try await ask(email, from: "192.0.2.1") == nil) }
        shop.clock.advance(by: 600)
        #expect(try await ask(email, from: "192.0.2.1") == 3_000)
        #expect(try await ask(email, from: "192.0.2.2") == nil)
        shop.clock.advance(by: 3_001)
        #expect(try await ask(email, from: "192.0.2.1") == nil)
    }

    @Test func `An address gets ten requests an hour from all networks, a network 30 for all addresses`() async throws {
        for network in 0..<10 { #expect(try await ask("ada@example.com", from: "192.0.2.\(network)") == nil) }
        #expect(try await ask("ada@example.com", from: "198.51.100.1") != nil)
        for index in 0..<30 { #expect(try await ask("a\(index)@example.com", from: "203.0.113.1") == nil) }
        #expect(try await ask("more@example.com", from: "203.0.113.1") != nil)
        #expect(try await ask("more@example.com", from: "203.0.113.2") == nil)
    }

    @Test func `The refusal says when to try again, and a refused request is not counted`() async throws {
        for _ in 0..<3 { try await ask("ada@example.com").good() }
        for _ in 0..<3 {
            let refused = try await ask("ada@example.com")
            try refused.problem(.tooManyRequests)
            #expect(refused.header(HeaderName.retryAfter) == "3600")
        }
        shop.clock.advance(by: 3_601)
        try await ask("ada@example.com").good()
    }
}
