import ServerTesting
import Testing

@Suite("Verifying and changing an e-mail address", .inShop([]))
struct EmailVerificationTests {
    private static let new = "ada@example.org"

    private let shop = TestShop.current
    private let customer: Caller

    init() async throws { customer = try await shop.customer() }

    @Test func `A new account gets a mail, whose token verifies the address`() async throws {
        #expect(customer.session?.profile?.emailVerified == false)
        #expect(try await shop.mails(.emailVerification).map(\.recipient) == ["ada@example.com"])
        let token = try await shop.token(.emailVerification)
        try await shop.verifyEmail(token).good()
        #expect(try await customer.profile().good().emailVerified == true)
        try await shop.verifyEmail(token).problem(.linkInvalid)
    }

    @Test func `The mail is sent again on request, a few times, and not for a verified address`() async throws {
        // With the mail to the new account, three to one address from one network.
        for _ in 0..<2 { try await customer.call(Contract.requestVerification).good() }
        try await customer.call(Contract.requestVerification).problem(.tooManyRequests)
        #expect(try await shop.mails(.emailVerification).count == 3)
        try await shop.verifyEmail(shop.token(.emailVerification)).good()
        try await customer.call(Contract.requestVerification).problem(.alreadyVerified)
    }

    @Test func `A token expires after two days`() async throws {
        let token = try await shop.token(.emailVerification)
        shop.clock.advance(by: 2 * 24 * 3_600 + 1)
        try await shop.verifyEmail(token).problem(.linkInvalid)
        #expect(try await shop.signIn().profile().good().emailVerified == false)
    }

    @Test func `Accounts that the machine's owner creates are verified`() async throws {
        #expect(try await shop.create("joan@example.com").emailVerified == true)
        #expect(try await shop.mails(.emailVerification, to: "joan@example.com").isEmpty)
    }

    @Test func `Signing up and deleting again and again does not fill a stranger's mailbox`() async throws {
        try await customer.deleteAccount().good()
        for _ in 0..<10 {
            shop.clock.advance(by: 1)
            try await shop.customer().deleteAccount().good()
        }
        _ = try await shop.customer()
        // The mails of deleted accounts are gone; this account has got none.
        #expect(try await shop.mails(.emailVerification).isEmpty)
    }

    // MARK: Changes of the address

    private func change(to email: String = new, _ password: String = .password) async throws -> Answered<NoContent> {
        try await customer.call(Contract.changeEmail, EmailChangeRequest(email: email, password: password))
    }

    /// Asks for a change to the address, and returns the token of the mail to it.
    private func tokenOfChange(to email: String = new) async throws -> String {
        try await change(to: email).good()
        return try await shop.token(.emailVerification, to: email)
    }

    private func email() async throws -> String { try await customer.profile().good().email }

    @Test func `The new address counts once its token is confirmed, and the old one gets a mail`() async throws {
        try await change(to: " Ada@Example.org ").good()
        #expect(try await email() == "ada@example.com")
        _ = try await shop.signIn()
        #expect(try await shop.mails(.emailChanged).isEmpty)
        try await shop.verifyEmail(shop.token(.emailVerification, to: Self.new)).good()
        let profile = try await customer.profile().good()
        #expect(profile.email == Self.new && profile.emailVerified == true)
        #expect(try await shop.mails(.emailChanged).map(\.recipient) == ["ada@example.com"])
        _ = try await shop.signIn(Self.new)
        try await shop.anyone.signIn().problem(.invalidCredentials)
        #expect(try await shop.eventTypes(of: profile.id) == ["customer.created", "customer.updated"])
        // Another customer may use the old address now.
        _ = try await shop.customer()
    }

    @Test func `A change of the address needs the password and an address that no account has`() async throws {
        _ = try await shop.customer("bob@example.com")
        try await change("wrong words").problem(.invalidCredentials)
        try await change(to: "bob@example.com").problem(.emailTaken)
        try await change(to: "ADA@example.com").problem(.validationFailed)
        try await change(to: "ada").problem(.validationFailed)
        #expect(try await shop.mails(.emailVerification, to: Self.new).isEmpty)
        for _ in 0..<10 { try await change("wrong words").problem(.invalidCredentials) }
        try await change().problem(.tooManyAttempts)
    }

    @Test func `One account cannot make the shop write to many addresses`() async throws {
        for index in 0..<5 { try await change(to: "a\(index)@example.org").good() }
        try await change(to: "more@example.org").problem(.tooManyRequests)
    }

    @Test func `The token of an earlier change is invalid after a later one`() async throws {
        let earlier = try await tokenOfChange()
        let later = try await tokenOfChange(to: "ada@example.net")
        try await shop.verifyEmail(earlier).problem(.linkInvalid)
        try await shop.verifyEmail(later).good()
        #expect(try await email() == "ada@example.net")
    }

    @Test func `A change to an address that another account has in the meantime is refused`() async throws {
        let token = try await tokenOfChange()
        let other = try await shop.customer(Self.new)
        try await shop.verifyEmail(token).problem(.emailTaken)
        #expect(try await email() == "ada@example.com")
        #expect(try await other.profile().good().email == Self.new)
    }

    @Test func `Tokens that went to the old address are refused after the change`() async throws {
        let first = try await shop.token(.emailVerification)
        let reset = try await shop.resetToken()
        try await shop.verifyEmail(tokenOfChange()).good()
        try await shop.verifyEmail(first).problem(.linkInvalid)
        try await shop.resetPassword(reset).problem(.linkInvalid)
    }

    @Test func `A new password stops a change of the address that was asked for with the old password`() async throws {
        let token = try await tokenOfChange()
        try await shop.resetPassword(shop.resetToken(), to: "battery staple").good()
        try await shop.verifyEmail(token).problem(.linkInvalid)
        let again = try await shop.signIn(password: "battery staple")
        let request = EmailChangeRequest(email: Self.new, password: "battery staple")
        try await again.call(Contract.changeEmail, request).good()
        let other = try await shop.token(.emailVerification, to: Self.new)
        try await again.changePassword(from: "battery staple", to: .password).good()
        try await shop.verifyEmail(other).problem(.linkInvalid)
    }

    @Test(arguments: [[], [.checkout], [.rides]] as [Set<VerifiedEmailUse>])
    func `Only the actions that the shop has chosen need a verified address`(uses: Set<VerifiedEmailUse>) async throws {
        let settings = ShopSettings(
            currency: .eur, country: "DE", shipping: ShopSettings.standard().shipping, verifiedEmail: uses)
        try await TestShop.open(configure: { $0.shop = settings }) { shop in
            let customer = try await shop.customer()
            try await customer.fillCart()
            if uses.contains(.checkout) {
                try await customer.checkout(key: "k").problem(.emailUnverified)
                try await customer.buyNow("cap").problem(.emailUnverified)
                // A guest has no account.
                try await shop.guest().buyNow("cap").good()
            } else {
                try await customer.checkout().good()
            }
            if uses.contains(.rides) {
                try await customer.requestRide().problem(.emailUnverified)
            } else {
                try await customer.requestRide().good()
            }
            try await shop.verifyEmail(shop.token(.emailVerification)).good()
            if uses.contains(.checkout) { try await customer.checkout(key: "k").good() }
            if uses.contains(.rides) { try await customer.requestRide().good() }
        }
    }
}
