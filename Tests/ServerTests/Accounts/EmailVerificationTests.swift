import Foundation
import PouchContract
import PouchDomain
import PouchEntities
import PouchHTTP
import PouchServer
import PouchWire
import Testing

@Suite("Verifying an e-mail address")
struct EmailVerificationTests {
    private func verify(_ shop: TestShop, _ token: String) async throws -> Answered<NoContent> {
        try await shop.anyone.call(Contract.verifyEmail, VerificationRequest(token: token))
    }

    @Test func `A new account gets a mail, whose token verifies the address`() async throws {
        try await TestShop.open([]) { shop in
            let customer = try await shop.customer()
            #expect(customer.session?.profile?.emailVerified == false)
            #expect(try await shop.mails(.emailVerification).map(\.recipient) == ["ada@example.com"])
            let token = try await shop.token(.emailVerification)
            try await verify(shop, token).good()
            #expect(try await customer.call(Contract.profile).good().emailVerified == true)
            try await verify(shop, token).problem(.linkInvalid)
        }
    }

    @Test func `The mail is sent again on request, a few times, and not for a verified address`() async throws {
        try await TestShop.open([]) { shop in
            let customer = try await shop.customer()
            // With the mail to the new account, three to one address from one network.
            for _ in 0..<2 { try await customer.call(Contract.requestVerification).good() }
            try await customer.call(Contract.requestVerification).problem(.tooManyRequests)
            #expect(try await shop.mails(.emailVerification).count == 3)
            try await verify(shop, shop.token(.emailVerification)).good()
            try await customer.call(Contract.requestVerification).problem(.alreadyVerified)
        }
    }

    @Test func `A token expires after two days`() async throws {
        try await TestShop.open([]) { shop in
            let customer = try await shop.customer()
            let token = try await shop.token(.emailVerification)
            shop.clock.advance(by: 2 * 24 * 3_600 + 1)
            try await verify(shop, token).problem(.linkInvalid)
            #expect(try await shop.signIn().call(Contract.profile).good().emailVerified == false)
            _ = customer
        }
    }

    @Test func `Accounts that the machine's owner creates are verified`() async throws {
        try await TestShop.open([]) { shop in
            let profile = try await shop.services.accounts.create(
                name: "Ada", email: "ada@example.com", password: .password, role: .customer)
            #expect(profile.emailVerified == true)
            #expect(try await shop.mails(.emailVerification).isEmpty)
        }
    }

    @Test func `Signing up and deleting again and again does not fill a stranger's mailbox`() async throws {
        try await TestShop.open([]) { shop in
            for _ in 0..<11 {
                let customer = try await shop.customer()
                try await customer.call(Contract.deleteAccount, DeleteAccountRequest(password: .password)).good()
                shop.clock.advance(by: 1)
            }
            _ = try await shop.customer()
            // The mails of deleted accounts are gone; this account has got none.
            #expect(try await shop.mails(.emailVerification).isEmpty)
        }
    }

    @Test func `Only the actions that the shop has chosen need a verified address`() async throws {
        for uses: Set<VerifiedEmailUse> in [[], [.checkout], [.rides]] {
            try await TestShop.open(configure: {
                $0.shop = ShopSettings(
                    currency: .eur, country: "DE", shipping: ShopSettings.standard().shipping, verifiedEmail: uses)
            }) { shop in
                let customer = try await shop.customer()
                try await customer.add("cap").good()
                try await customer.ship().good()
                if uses.contains(.checkout) {
                    try await customer.checkout(key: "k").problem(.emailUnverified)
                    try await customer.buyNow("cap").problem(.emailUnverified)
                    // A guest has no account.
                    _ = try await shop.guest().buyNow("cap").good()
                }
                if uses.contains(.rides) {
                    try await customer.requestRide().problem(.emailUnverified)
                }
                try await verify(shop, shop.token(.emailVerification)).good()
                try await customer.checkout(key: "k").good()
                try await customer.requestRide().good()
            }
        }
    }

    @Test func `An unverified customer buys and rides where the shop asks for nothing`() async throws {
        try await TestShop.open { shop in
            let customer = try await shop.customer()
            _ = try await customer.order()
            try await customer.requestRide().good()
        }
    }
}

@Suite("Changing an e-mail address")
struct EmailChangeTests {
    private static let new = "ada@example.org"

    private func change(
        _ customer: Caller, to email: String = new, _ password: String = .password
    ) async throws -> Answered<NoContent> {
        try await customer.call(Contract.changeEmail, EmailChangeRequest(email: email, password: password))
    }

    private func verify(_ shop: TestShop, _ token: String) async throws -> Answered<NoContent> {
        try await shop.anyone.call(Contract.verifyEmail, VerificationRequest(token: token))
    }

    @Test func `The new address counts once its token is confirmed, and the old one gets a mail`() async throws {
        try await TestShop.open([]) { shop in
            let customer = try await shop.customer()
            try await change(customer, to: " Ada@Example.org ").good()
            #expect(try await customer.call(Contract.profile).good().email == "ada@example.com")
            _ = try await shop.signIn()
            #expect(try await shop.mails(.emailChanged).isEmpty)

            try await verify(shop, shop.token(.emailVerification, to: Self.new)).good()
            let profile = try await customer.call(Contract.profile).good()
            #expect(profile.email == Self.new && profile.emailVerified == true)
            #expect(try await shop.mails(.emailChanged).map(\.recipient) == ["ada@example.com"])
            _ = try await shop.signIn(Self.new)
            try await shop.anyone.call(Contract.signIn, SignInRequest(email: "ada@example.com", password: .password))
                .problem(.invalidCredentials)
            #expect(try await shop.eventTypes(of: profile.id) == ["customer.created", "customer.updated"])
            // Another customer may use the old address now.
            _ = try await shop.customer()
        }
    }

    @Test func `A change needs the password, and another address that no account has`() async throws {
        try await TestShop.open([]) { shop in
            let customer = try await shop.customer()
            _ = try await shop.customer("bob@example.com")
            try await change(customer, "wrong words").problem(.invalidCredentials)
            try await change(customer, to: "bob@example.com").problem(.emailTaken)
            try await change(customer, to: "ADA@example.com").problem(.validationFailed)
            try await change(customer, to: "ada").problem(.validationFailed)
            #expect(try await shop.mails(.emailVerification, to: Self.new).isEmpty)
            for _ in 0..<10 { try await change(customer, "wrong words").problem(.invalidCredentials) }
            try await change(customer).problem(.tooManyAttempts)
        }
    }

    @Test func `One account cannot make the shop write to many addresses`() async throws {
        try await TestShop.open([]) { shop in
            let customer = try await shop.customer()
            for index in 0..<5 { try await change(customer, to: "a\(index)@example.org").good() }
            try await change(customer, to: "more@example.org").problem(.tooManyRequests)
        }
    }

    @Test func `The token of an earlier change is invalid after a later one`() async throws {
        try await TestShop.open([]) { shop in
            let customer = try await shop.customer()
            try await change(customer).good()
            let earlier = try await shop.token(.emailVerification, to: Self.new)
            try await change(customer, to: "ada@example.net").good()
            try await verify(shop, earlier).problem(.linkInvalid)
            try await verify(shop, shop.token(.emailVerification, to: "ada@example.net")).good()
            #expect(try await customer.call(Contract.profile).good().email == "ada@example.net")
        }
    }

    @Test func `A change to an address that another account has in the meantime is refused`() async throws {
        try await TestShop.open([]) { shop in
            let customer = try await shop.customer()
            try await change(customer).good()
            let token = try await shop.token(.emailVerification, to: Self.new)
            let other = try await shop.customer(Self.new)
            try await verify(shop, token).problem(.emailTaken)
            #expect(try await customer.call(Contract.profile).good().email == "ada@example.com")
            #expect(try await other.call(Contract.profile).good().email == Self.new)
        }
    }

    @Test func `Tokens that went to the old address are refused after the change`() async throws {
        try await TestShop.open([]) { shop in
            let customer = try await shop.customer()
            let first = try await shop.token(.emailVerification)
            let reset = try await shop.resetToken()
            try await change(customer).good()
            try await verify(shop, shop.token(.emailVerification, to: Self.new)).good()
            try await verify(shop, first).problem(.linkInvalid)
            try await shop.anyone.call(
                Contract.resetPassword, NewPasswordRequest(token: reset, newPassword: "battery staple")
            ).problem(.linkInvalid)
        }
    }

    @Test func `A new password stops a change of the address that was asked for with the old password`() async throws {
        try await TestShop.open([]) { shop in
            let customer = try await shop.customer()
            try await change(customer).good()
            let token = try await shop.token(.emailVerification, to: Self.new)
            try await shop.anyone.call(
                Contract.resetPassword,
                NewPasswordRequest(token: try await shop.resetToken(), newPassword: "battery staple")
            ).good()
            try await verify(shop, token).problem(.linkInvalid)

            let again = try await shop.signIn(password: "battery staple")
            try await change(again, to: Self.new, "battery staple").good()
            let other = try await shop.token(.emailVerification, to: Self.new)
            let change = PasswordChangeRequest(currentPassword: "battery staple", newPassword: .password)
            try await again.call(Contract.changePassword, change).good()
            try await verify(shop, other).problem(.linkInvalid)
        }
    }
}
