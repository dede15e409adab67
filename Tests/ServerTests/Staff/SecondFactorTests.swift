import Foundation
import PouchContract
import PouchEntities
import PouchHTTP
import PouchJSON
import PouchServer
import PouchStorage
import PouchWire
import Testing

@testable import PouchDomain

@Suite("Second factors", .timeLimit(.minutes(5)))
struct SecondFactorTests {
    private static let email = "owner@example.com"

    /// Opens a shop with an owner who has a second factor. The current code is used up.
    private func open(
        _ body: @escaping @Sendable (TestShop, Caller, SecondFactorSecret, _ recovery: [String]) async throws -> Void
    ) async throws {
        try await TestShop.open([]) { shop in
            let owner = try await shop.staff(.owner, Self.email)
            let (secret, recovery) = try await shop.enrol(owner)
            try await body(shop, owner, secret, recovery)
        }
    }

    @Test func `A second factor is enabled with a code of its secret, which apps read from the URI`() async throws {
        try await TestShop.open([]) { shop in
            let owner = try await shop.staff(.owner, Self.email)
            try await owner.call(Contract.enableSecondFactor, CodeRequest(code: "000000")).problem(.notFound)
            let first = try await owner.call(Contract.beginSecondFactor).good()
            let second = try await owner.call(Contract.beginSecondFactor).good()
            #expect(first.secret != second.secret && second.secret.count == 32)
            let uri = try #require(URLComponents(string: second.uri))
            #expect(uri.scheme == "otpauth" && uri.host == "totp" && uri.path == "/Pouch:owner@example.com")
            #expect(uri.queryItems?.first { $0.name == "secret" }?.value == second.secret)
            #expect(uri.queryItems?.first { $0.name == "issuer" }?.value == "Pouch")

            // Until then nothing changes.
            let none = SecondFactor(isEnabled: false, recoveryCodesLeft: 0, isRequired: false)
            #expect(try await owner.call(Contract.secondFactor).good() == none)
            try await shop.signIn(Self.email, code: nil).good()
            try await owner.call(Contract.enableSecondFactor, CodeRequest(code: try shop.code(first)))
                .problem(.secondFactorInvalid)
            let codes = try await owner.call(Contract.enableSecondFactor, CodeRequest(code: try shop.code(second)))
                .good().codes
            #expect(codes.count == 10 && Set(codes).count == 10 && codes.allSatisfy { $0.count == 19 })
            let whole = SecondFactor(isEnabled: true, recoveryCodesLeft: 10, isRequired: false)
            #expect(try await owner.call(Contract.secondFactor).good() == whole)
            try await owner.call(Contract.beginSecondFactor).problem(.secondFactorEnabled)
            try await owner.call(Contract.enableSecondFactor, CodeRequest(code: try shop.code(second, later: 1)))
                .problem(.secondFactorEnabled)
        }
    }

    @Test func `The sign-in needs a code, and each code works once`() async throws {
        try await open { shop, _, secret, _ in
            try await shop.signIn(Self.email, code: nil).problem(.secondFactorRequired)
            try await shop.signIn(Self.email, code: "").problem(.secondFactorRequired)
            try await shop.signIn(Self.email, code: "000000").problem(.secondFactorInvalid)
            // Used for the enrolment.
            try await shop.signIn(Self.email, code: try shop.code(secret)).problem(.secondFactorInvalid)
            let next = try shop.code(secret, later: 1)
            try await shop.signIn(Self.email, code: next).good()
            try await shop.signIn(Self.email, code: next).problem(.secondFactorInvalid)
            shop.clock.advance(by: 30)
            try await shop.signIn(Self.email, code: next).problem(.secondFactorInvalid)
            try await shop.signIn(Self.email, code: try shop.code(secret, later: -1)).problem(.secondFactorInvalid)
            try await shop.signIn(Self.email, code: try shop.code(secret, later: 1)).good()
        }
    }

    @Test func `A wrong password is refused in the same way whether or not there is a second factor`() async throws {
        try await open { shop, _, secret, _ in
            for code in [nil, try shop.code(secret, later: 1)] {
                try await shop.anyone.call(
                    Contract.signIn, SignInRequest(email: Self.email, password: "wrong password", code: code)
                ).problem(.invalidCredentials)
            }
            // The code was not used up.
            try await shop.signIn(Self.email, code: try shop.code(secret, later: 1)).good()
        }
    }

    @Test func `Of many sign-ins with one code at once, one succeeds`() async throws {
        try await open { shop, _, secret, recovery in
            let code = try shop.code(secret, later: 1)
            for code in [code, recovery[3]] {
                let statuses = try await parallel(6) { _ in try await shop.signIn(Self.email, code: code).status }
                #expect(statuses.filter { $0 == 201 }.count == 1, "\(statuses)")
                // Six attempts from one network are counted.
                shop.clock.advance(by: SecondFactors.window)
            }
        }
    }

    @Test func `A recovery code works once, in capitals and without its dashes too`() async throws {
        try await open { shop, _, _, recovery in
            try await shop.signIn(Self.email, code: recovery[0]).good()
            try await shop.signIn(Self.email, code: recovery[0]).problem(.secondFactorInvalid)
            let typed = recovery[1].uppercased().replacing("-", with: " ")
            let session = try await shop.signIn(Self.email, code: typed).good()
            let state = try await shop.caller(session).call(Contract.secondFactor).good()
            #expect(state.recoveryCodesLeft == 8)
        }
    }

    @Test func `Ten wrong codes close the account for an hour, for the right code too`() async throws {
        try await open { shop, owner, secret, _ in
            for _ in 0..<5 { try await shop.signIn(Self.email, code: "000000").problem(.secondFactorInvalid) }
            // The attempts of the sign-in itself are forgotten before.
            shop.clock.advance(by: 16 * 60)
            for _ in 0..<5 { try await shop.signIn(Self.email, code: "000000").problem(.secondFactorInvalid) }
            try await shop.signIn(Self.email, code: try shop.code(secret)).problem(.tooManyAttempts)
            shop.clock.advance(by: 16 * 60)
            try await shop.signIn(Self.email, code: try shop.code(secret)).problem(.tooManyAttempts)
            shop.clock.advance(by: SecondFactors.window)
            try await shop.signIn(Self.email, code: try shop.code(secret)).good()
        }
    }

    @Test func `Recovery codes are stored as hashes, and no answer has the secret again`() async throws {
        try await open { shop, owner, secret, recovery in
            let hashes = try await shop.rows("SELECT hash FROM recovery_codes").map { try $0.data(0) }
            #expect(hashes.count == 10 && hashes.allSatisfy { $0.count == 32 })
            for code in recovery {
                let bytes = Data(code.replacing("-", with: "").utf8)
                #expect(!hashes.contains(bytes) && !hashes.contains(shop.environment.digests.sha256(bytes)))
            }
            let texts = [
                try await owner.call(Contract.secondFactor).text, try await owner.call(Contract.staff).text,
                try await owner.call(Contract.beginSecondFactor).text,
                try await owner.send("POST", "/v1/account/second-factor").text,
            ]
            for text in texts { #expect(!text.contains(secret.secret) && !text.contains(recovery[0])) }
            #expect(!"\(secret) \(RecoveryCodes(codes: recovery))".contains(secret.secret))
            #expect(!String(reflecting: RecoveryCodes(codes: recovery)).contains(recovery[0]))
        }
    }

    @Test func `An idempotency key does not store the secret`() async throws {
        try await TestShop.open([]) { shop in
            let owner = try await shop.staff(.owner, Self.email)
            let headers = [HeaderName.idempotencyKey: "k"]
            let first = try await owner.call(Contract.beginSecondFactor, headers: headers).good()
            let second = try await owner.call(Contract.beginSecondFactor, headers: headers).good()
            let request = APIKeyRequest(name: "till", scopes: [.readOrders])
            _ = try await owner.call(Contract.createAPIKey, request, headers: headers).good()
            #expect(first.secret != second.secret)
            #expect(try await shop.rows("SELECT key FROM idempotency").isEmpty)
        }
    }

    @Test func `It is removed by a fresh session, or on the server's machine, which ends the sessions`() async throws {
        try await open { shop, owner, secret, _ in
            shop.clock.advance(by: 11 * 60)
            try await owner.call(Contract.removeSecondFactor).problem(.freshSignInRequired)
            let confirmation = ConfirmationRequest(password: .password, code: try shop.code(secret))
            try await owner.call(Contract.confirmSession, confirmation).good()
            try await owner.call(Contract.removeSecondFactor).good()
            try await owner.call(Contract.removeSecondFactor).problem(.notFound)
            let again = shop.caller(try await shop.signIn(Self.email, code: nil).good())

            _ = try await shop.enrol(again)
            try await shop.signIn(Self.email, code: nil).problem(.secondFactorRequired)
            let staff = Staff(shop.environment)
            try await shop.store.write { try staff.resetSecondFactor(email: "Owner@example.com", in: $0) }
            try await again.call(Contract.profile).problem(.unauthenticated)
            try await shop.signIn(Self.email, code: nil).good()
        }
    }

    @Test func `Customers have no second factor`() async throws {
        try await TestShop.open([]) { shop in
            let customer = try await shop.customer()
            try await customer.call(Contract.beginSecondFactor).problem(.forbidden)
            try await customer.call(Contract.enableSecondFactor, CodeRequest(code: "000000")).problem(.forbidden)
            try await shop.signIn("ada@example.com", code: "123456").good()
        }
    }

    @Test func `Codes are still accepted after the signing keys were rotated and retired`() async throws {
        try await open { shop, _, secret, recovery in
            let old = shop.services.keyRing.current.id
            try await shop.store.write { [environment = shop.environment] repositories in
                _ = try repositories.keys.rotate(environment)
                try repositories.keys.retire(id: old)
            }
            try await shop.services.keyRing.refresh()
            try await shop.signIn(Self.email, code: try shop.code(secret, later: 1)).good()
            try await shop.signIn(Self.email, code: recovery[0]).good()
        }
    }

    @Test func `A shop can require a second factor, and staff without one can only set it up`() async throws {
        let standard = ShopSettings.standard()
        let strict = ShopSettings(
            currency: .eur, country: "DE", shipping: standard.shipping, staffNeedsSecondFactor: true)
        try await TestShop.open(configure: { $0.shop = strict }) { shop in
            let (owner, customer) = (try await shop.staff(.owner, Self.email), try await shop.customer())
            try await owner.call(Contract.allOrders).problem(.secondFactorNeeded)
            try await owner.change("cap", price: 1).problem(.secondFactorNeeded)
            try await owner.call(Contract.profile).good()
            #expect(try await owner.call(Contract.secondFactor).good().isRequired == true)
            #expect(try await customer.call(Contract.secondFactor).good().isRequired == false)
            _ = try await customer.order()
            _ = try await shop.enrol(owner)
            try await owner.call(Contract.allOrders).good()
            let key = shop.bearer(try await owner.newKey([.readOrders]).good())
            try await shop.anyone.call(Contract.allOrders, headers: key).good()
        }
    }

    @Test func `Another password or address, and the deletion, need the second factor besides the password`()
        async throws
    {
        try await TestShop.open([]) { shop in
            _ = try await shop.admin()
            let member = try await shop.staff(.owner, "mallory@example.com")
            let (_, recovery) = try await shop.enrol(member)
            let customer = try await shop.customer()
            shop.clock.advance(by: 11 * 60)
            let password = PasswordChangeRequest(currentPassword: .password, newPassword: "battery staple")
            let email = EmailChangeRequest(email: "new@example.com", password: .password)
            try await member.call(Contract.changePassword, password).problem(.freshSignInRequired)
            try await member.call(Contract.changeEmail, email).problem(.freshSignInRequired)
            try await member.call(Contract.deleteAccount, DeleteAccountRequest(password: .password))
                .problem(.freshSignInRequired)
            try await member.call(
                Contract.confirmSession, ConfirmationRequest(password: .password, code: recovery[0])
            ).good()
            try await member.call(Contract.changeEmail, email).good()
            try await member.call(Contract.changePassword, password).good()
            // A customer has no second factor.
            try await customer.call(Contract.changePassword, password).good()
        }
    }
}
