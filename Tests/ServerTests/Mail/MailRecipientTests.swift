import ServerTesting
import Testing

@testable import PouchDomain
@testable import PouchMail

@Suite("Who gets which mail", .inMailShop, .timeLimit(.minutes(5)))
struct MailRecipientTests {
    private let shop = TestShop.current

    @Test(arguments: [
        "ann,b@example.com", "a..b@example.com", ".a@example.com", "a;b@example.com", "a@-x.example", "a@exam_ple.com",
        "a@[127.0.0.1]", "<a@b.cc", "a@" + String(repeating: "x", count: 64) + ".example",
    ])
    func `No endpoint accepts an address that the sender of mails refuses`(email: String) async throws {
        #expect(MailAddress(address: email) == nil)
        try await shop.anyone.call(Contract.signUp, .sample(email)).problem(.validationFailed)
        let reset = PasswordResetRequest(email: email)
        try await shop.anyone.call(Contract.requestPasswordReset, reset).problem(.validationFailed)
        let guest = try await shop.guest()
        try await guest.buyNow(email: email).problem(.validationFailed)
        try await guest.fillCart()
        try await guest.checkout(email: email).problem(.validationFailed)
        let change = EmailChangeRequest(email: email, password: .password)
        try await shop.customer().call(Contract.changeEmail, change).problem(.validationFailed)
        try await shop.admin().invite(email, as: .manager).problem(.validationFailed)
        await #expect(throws: DomainError.self) { try await shop.create(email, .admin) }
    }

    @Test func `An account that has had such an address since an earlier release can sign in`() async throws {
        _ = try await shop.customer()
        _ = try await shop.rows("UPDATE accounts SET email = 'ann,b@example.com' RETURNING id")
        _ = try await shop.signIn("ann,b@example.com")
    }

    @Test func `Mails to an unconfirmed address carry nothing that was typed`() async throws {
        let name = "you won, see https://evil.example"
        let account = SignUpRequest(name: name, email: "victim@example.com", password: .password)
        try await shop.anyone.call(Contract.signUp, account).good()
        _ = try await shop.resetToken(of: "victim@example.com")
        for network in ["198.51.100.1", "203.0.113.1"] {
            _ = try await shop.services.accounts.signIn(
                email: "victim@example.com", password: .password, network: network, userAgent: name, guest: nil)
        }
        try await shop.admin().invite("victim@example.com", as: .manager).good()
        try await eventually { try shop.writtenMails().count >= 4 }
        for mail in try shop.writtenMails().values {
            #expect(!mail.replacing("=\r\n", with: "").contains("evil.example"), "\(mail)")
        }
        let kinds = Set(try await shop.queuedKinds())
        #expect(kinds.isSuperset(of: ["emailVerification", "passwordReset", "newSignIn", "staffInvitation"]))
    }

    @Test func `Once the address is confirmed, its mails name the owner`() async throws {
        _ = try await shop.customer()
        #expect(try await shop.mails(.emailVerification).map(\.content.name) == [nil])
        try await shop.verifyEmail(shop.token(.emailVerification)).good()
        _ = try await shop.resetToken()
        #expect(try await shop.mails(.passwordReset).map(\.content.name) == ["Ada"])
    }

    @Test func `A guest's mail has the postal address once the order is paid, and never greets by name`() async throws {
        _ = try await shop.guest().buyNow(card: "tok_lost").good()
        try await eventually { try await shop.mails(.orderReceived).count == 1 }
        let received = try #require(try await shop.mails(.orderReceived).first).content
        #expect(received.name == nil && received.order?.shipping == nil)
        shop.clock.advance(by: 20)
        try await eventually { try await shop.mails(.orderPaid).count == 1 }
        let paid = try #require(try await shop.mails(.orderPaid).first).content
        #expect(paid.name == nil && paid.order?.shipping?.address.line1 == Address.sample.line1)
    }

    @Test func `Sign-ups of one network send as many mails as its other links, and still make accounts`() async throws {
        func signUp(_ email: String, network: String) async throws {
            _ = try await shop.services.accounts.signUp(
                name: "Ada", email: email, mobileNumber: nil, password: .password, network: network)
        }
        for number in 0..<32 { try await signUp("a\(number)@example.com", network: "192.0.2.1") }
        #expect(try await shop.mails(.emailVerification).count == 30)
        try await signUp("other@example.com", network: "192.0.2.2")
        #expect(try await shop.mails(.emailVerification).count == 31)
    }
}
