import ServerTesting
import Testing

@Suite("Concurrent uses of the tokens of mails", .timeLimit(.minutes(5)), .inShop([]))
struct PasswordResetRaceTests {
    private let shop = TestShop.current
    private let customer: Caller

    init() async throws { customer = try await shop.customer() }

    @Test func `Of twenty concurrent confirmations of one token one sets its password`() async throws {
        let token = try await shop.resetToken()
        let answers = try await parallel(20) { number in
            try await patiently { try await shop.resetPassword(token, to: "new password \(number)") }
        }
        let winners = answers.indices.filter { answers[$0].status == 204 }
        #expect(winners.count == 1)
        for answer in answers where answer.status != 204 { try answer.problem(.linkInvalid) }
        _ = try await shop.signIn(password: "new password \(try #require(winners.first))")
    }

    @Test func `Of two tokens that are confirmed at the same time one sets its password`() async throws {
        let tokens = [try await shop.resetToken(), try await shop.resetToken()]
        let answers = try await parallel(2) { number in
            try await patiently { try await shop.resetPassword(tokens[number], to: "new password \(number)") }
        }
        #expect(answers.count { $0.status == 204 } == 1)
    }

    /// A sign-in with the old password has either no session at the end, or none that works.
    @Test func `After a confirmation no session of a concurrent sign-in with the old password is left`() async throws {
        var old = String.password
        for round in 0..<5 {
            let token = try await shop.resetToken()
            let new = "new password \(round)"
            // One confirmation and four sign-ins.
            let sessions = try await parallel(5) { [old] number in
                guard number < 4 else {
                    try await patiently { try await shop.resetPassword(token, to: new) }.good()
                    return nil as UserSession?
                }
                return try? await shop.services.accounts.signIn(
                    email: "ada@example.com", password: old, network: "", guest: nil)
            }
            for session in sessions.compactMap(\.self) {
                try await shop.caller(session).profile().problem(.unauthenticated)
            }
            _ = try await shop.signIn(password: new)
            old = new
            shop.clock.advance(by: 3_601)
        }
    }

    @Test func `Several servers send one mail for a request`() async throws {
        try await shop.another { other in
            try await shop.services.accounts.requestPasswordReset(email: "ada@example.com", network: "")
            _ = try await parallel(8) { number in
                try await (number.isMultiple(of: 2) ? shop : other).services.accounts.answerPasswordResets()
            }
            #expect(try await shop.mails(.passwordReset).count == 1)
        }
    }

    @Test func `Of two accounts that change to one address at the same time one gets it`() async throws {
        var tokens: [String] = []
        for caller in [customer, try await shop.customer("bob@example.com")] {
            let change = EmailChangeRequest(email: "new@example.com", password: .password)
            try await caller.call(Contract.changeEmail, change).good()
            tokens.append(try await shop.token(.emailVerification, to: "new@example.com"))
        }
        let answers = try await parallel(2) { [tokens] number in
            try await patiently { try await shop.verifyEmail(tokens[number]) }
        }
        #expect(answers.map(\.status).sorted() == [204, 409])
        #expect(try await shop.rows("SELECT 1 FROM accounts WHERE email = 'new@example.com'").count == 1)
    }
}
