import ServerTesting
import Testing

@testable import PouchDomain
@testable import PouchMail

@Suite("Who gets which mail", .timeLimit(.minutes(5)))
struct MailRecipientTests {
    @Test(arguments: [
        "ann,b@example.com", "a..b@example.com", ".a@example.com", "a;b@example.com", "a@-x.example", "a@exam_ple.com",
        "a@[127.0.0.1]", "<a@b.cc", "a@" + String(repeating: "x", count: 64) + ".example",
    ])
    func `No way in takes an address that the sender of mails refuses`(email: String) async throws {
        #expect(MailAddress(address: email) == nil)
        try await TestShop.open { shop in
            try await shop.anyone.call(Contract.signUp, .sample(email)).problem(.validationFailed)
            try await shop.anyone.call(Contract.requestPasswordReset, PasswordResetRequest(email: email))
                .problem(.validationFailed)
            let guest = try await shop.guest()
            try await guest.buyNow(email: email).problem(.validationFailed)
            try await guest.add("cap").good()
            try await guest.ship().good()
            try await guest.checkout(email: email).problem(.validationFailed)
            let customer = try await shop.customer()
            try await customer.call(Contract.changeEmail, EmailChangeRequest(email: email, password: .password))
                .problem(.validationFailed)
            try await shop.admin().invite(email, as: .manager).problem(.validationFailed)
            await #expect(throws: DomainError.self) {
                _ = try await shop.services.accounts.create(
                    name: "Ann", email: email, password: .password, role: .admin)
            }
        }
    }

    @Test func `An account that has such an address from before signs in as ever`() async throws {
        try await TestShop.open([]) { shop in
            _ = try await shop.customer()
            _ = try await shop.rows("UPDATE accounts SET email = 'ann,b@example.com' RETURNING id")
            _ = try await shop.signIn("ann,b@example.com")
        }
    }

    @Test func `A mail to an unusable address is given up, and counted for the staff`() async throws {
        try await TestShop.openWithMail { shop in
            try await shop.queue(to: "ann,b@example.com")
            let since = shop.clock.now - 1
            try await eventually { try await shop.store.read { try $0.mails.failed(since: since, limit: 9) } == 1 }
            let unsent = try await shop.store.read { try $0.mails.unsent(since: since, after: nil, limit: 9) }
            #expect(unsent.map(\.recipient) == ["ann,b@example.com"])
            #expect(unsent.first?.failure == "invalid recipient address")
        }
    }

    // MARK: Words of strangers

    @Test func `Mails to an unconfirmed address carry nothing that was typed`() async throws {
        try await TestShop.openWithMail { shop in
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
    }

    @Test func `Once the address is confirmed, its mails name the owner`() async throws {
        try await TestShop.open([]) { shop in
            _ = try await shop.customer()
            #expect(try await shop.mails(.emailVerification).map(\.content.name) == [nil])
            let token = try await shop.token(.emailVerification)
            try await shop.anyone.call(Contract.verifyEmail, VerificationRequest(token: token)).good()
            _ = try await shop.resetToken()
            #expect(try await shop.mails(.passwordReset).map(\.content.name) == ["Ada"])
        }
    }

    @Test func `A guest's mail has the postal address once the order is paid, and never a greeting by name`()
        async throws
    {
        try await TestShop.openWithMail { shop in
            let guest = try await shop.guest()
            _ = try await guest.buyNow(card: "tok_lost").good()
            try await eventually { try await shop.mails(.orderReceived).count == 1 }
            let received = try #require(try await shop.mails(.orderReceived).first).content
            #expect(received.name == nil && received.order?.shipping == nil)
            shop.clock.advance(by: 20)
            try await eventually { try await shop.mails(.orderPaid).count == 1 }
            let paid = try #require(try await shop.mails(.orderPaid).first).content
            #expect(paid.name == nil && paid.order?.shipping?.address.line1 == Address.sample.line1)
        }
    }

    @Test func `Sign-ups of one network send as many mails as its other links, and make accounts further`() async throws
    {
        try await TestShop.open([]) { shop in
            for number in 0..<32 {
                _ = try await shop.services.accounts.signUp(
                    name: "Ada", email: "a\(number)@example.com", mobileNumber: nil, password: .password,
                    network: "192.0.2.1")
            }
            #expect(try await shop.mails(.emailVerification).count == 30)
            _ = try await shop.services.accounts.signUp(
                name: "Ada", email: "other@example.com", mobileNumber: nil, password: .password, network: "192.0.2.2")
            #expect(try await shop.mails(.emailVerification).count == 31)
        }
    }

    // MARK: Files

    @Test func `Mails in a folder are readable by their owner alone, also where others can read the folder`()
        async throws
    {
        try await TemporaryFolder.use { folder in
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path)
            let address = try #require(MailAddress(address: "ada@example.com"))
            let message = MailMessage(
                id: "mai_1", from: address, to: address, subject: "Hello", date: Date(), text: "Hi\n", html: "<p>Hi")
            let path = folder.appending(path: "mai_1.eml").path
            for _ in 0..<2 {
                try await MailFolder(folder).deliver(message)
                let attributes = try FileManager.default.attributesOfItem(atPath: path)
                #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
                #expect(FileManager.default.contents(atPath: path) == message.bytes())
            }
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["mai_1.eml"])
        }
    }
}
