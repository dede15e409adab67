import Foundation
import PouchContract
import PouchDomain
import PouchEntities
import PouchHTTP
import PouchStorage
import PouchWire
import Testing

@Suite("Concurrent uses of the tokens of mails", .timeLimit(.minutes(5)))
struct PasswordResetRaceTests {
    @Test func `Of twenty concurrent confirmations of one token one sets its password`() async throws {
        try await TestShop.open([]) { shop in
            _ = try await shop.customer()
            let token = try await shop.resetToken()
            let answers = try await parallel(20) { number in
                let body = NewPasswordRequest(token: token, newPassword: "new password \(number)")
                return try await patiently { try await shop.anyone.call(Contract.resetPassword, body) }
            }
            let winners = answers.indices.filter { answers[$0].status == 204 }
            #expect(winners.count == 1)
            for answer in answers where answer.status != 204 { try answer.problem(.linkInvalid) }
            _ = try await shop.signIn(password: "new password \(try #require(winners.first))")
        }
    }

    @Test func `Of two tokens that are confirmed at the same time one sets its password`() async throws {
        try await TestShop.open([]) { shop in
            _ = try await shop.customer()
            let tokens = [try await shop.resetToken(), try await shop.resetToken()]
            let answers = try await parallel(2) { number in
                let body = NewPasswordRequest(token: tokens[number], newPassword: "new password \(number)")
                return try await patiently { try await shop.anyone.call(Contract.resetPassword, body) }
            }
            #expect(answers.count { $0.status == 204 } == 1)
        }
    }

    /// A sign-in with the old password has either no session at the end, or none that works.
    @Test func `After a confirmation no session of a concurrent sign-in with the old password is left`() async throws {
        try await TestShop.open([]) { shop in
            _ = try await shop.customer()
            var old = String.password
            for round in 0..<5 {
                let token = try await shop.resetToken()
                let new = "new password \(round)"
                let sessions = try await withThrowingTaskGroup(of: UserSession?.self) { [old] group in
                    for _ in 0..<4 {
                        group.addTask {
                            try? await shop.services.accounts.signIn(
                                email: "ada@example.com", password: old, network: "", guest: nil)
                        }
                    }
                    group.addTask {
                        let body = NewPasswordRequest(token: token, newPassword: new)
                        try await patiently { try await shop.anyone.call(Contract.resetPassword, body) }.good()
                        return nil
                    }
                    return try await group.reduce(into: [UserSession]()) { found, session in
                        if let session { found.append(session) }
                    }
                }
                for session in sessions {
                    try await shop.caller(session).call(Contract.profile).problem(.unauthenticated)
                }
                _ = try await shop.signIn(password: new)
                old = new
                shop.clock.advance(by: 3_601)
            }
        }
    }

    @Test func `Several servers answer a request by one mail`() async throws {
        try await TestShop.open([]) { shop in
            _ = try await shop.customer()
            try await shop.another { other in
                try await shop.services.accounts.requestPasswordReset(email: "ada@example.com", network: "")
                _ = try await parallel(8) { number in
                    try await (number.isMultiple(of: 2) ? shop : other).services.accounts.answerPasswordResets()
                }
                #expect(try await shop.mails(.passwordReset).count == 1)
            }
        }
    }

    @Test func `Of two accounts that change to one address at the same time one gets it`() async throws {
        try await TestShop.open([]) { shop in
            let callers = [try await shop.customer(), try await shop.customer("bob@example.com")]
            let tokens = try await callers.asyncMap { caller in
                let change = EmailChangeRequest(email: "new@example.com", password: .password)
                // The mails of one moment have no order.
                shop.clock.advance(by: 1)
                try await caller.call(Contract.changeEmail, change).good()
                return try await shop.token(.emailVerification, to: "new@example.com")
            }
            let answers = try await parallel(2) { number in
                let body = VerificationRequest(token: tokens[number])
                return try await patiently { try await shop.anyone.call(Contract.verifyEmail, body) }
            }
            #expect(answers.map(\.status).sorted() == [204, 409])
            #expect(try await shop.rows("SELECT 1 FROM accounts WHERE email = 'new@example.com'").count == 1)
        }
    }
}

extension [Caller] {
    /// One after the other.
    fileprivate func asyncMap<Value>(_ transform: (Caller) async throws -> Value) async throws -> [Value] {
        var values: [Value] = []
        for caller in self { values.append(try await transform(caller)) }
        return values
    }
}
