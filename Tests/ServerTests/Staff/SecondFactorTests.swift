import ServerTesting
import Testing

@testable import PouchDomain
@testable import PouchServer

@Suite("Second factors", .inShop(), .timeLimit(.minutes(5)))
struct SecondFactorTests {
    private let shop = TestShop.current
    private let owner: Caller

    init() async throws { owner = try await shop.staff(.owner) }

    private func signIn(_ code: String?) async throws -> Answered<UserSession> {
        try await shop.signIn("owner@example.com", code: code)
    }

    @Test func `A second factor is enabled with a code of its secret, which apps read from the URI`() async throws {
        try await owner.enableSecondFactor("000000").problem(.notFound)
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
        try await signIn(nil).good()
        try await owner.enableSecondFactor(try shop.code(first)).problem(.secondFactorInvalid)
        let codes = try await owner.enableSecondFactor(try shop.code(second)).good().codes
        #expect(codes.count == 10 && Set(codes).count == 10 && codes.allSatisfy { $0.count == 19 })
        let whole = SecondFactor(isEnabled: true, recoveryCodesLeft: 10, isRequired: false)
        #expect(try await owner.call(Contract.secondFactor).good() == whole)
        try await owner.call(Contract.beginSecondFactor).problem(.secondFactorEnabled)
        try await owner.enableSecondFactor(try shop.code(second, later: 1)).problem(.secondFactorEnabled)
    }

    @Test func `The sign-in needs a code, and each code works once`() async throws {
        let (secret, _) = try await shop.enrol(owner)
        for none in [nil, ""] { try await signIn(none).problem(.secondFactorRequired) }
        try await signIn("000000").problem(.secondFactorInvalid)
        // Used for the enrolment.
        try await signIn(try shop.code(secret)).problem(.secondFactorInvalid)
        let next = try shop.code(secret, later: 1)
        try await signIn(next).good()
        try await signIn(next).problem(.secondFactorInvalid)
        shop.clock.advance(by: 30)
        try await signIn(next).problem(.secondFactorInvalid)
        try await signIn(try shop.code(secret, later: -1)).problem(.secondFactorInvalid)
        try await signIn(try shop.code(secret, later: 1)).good()
    }

    @Test func `A wrong password is refused in the same way whether or not there is a second factor`() async throws {
        let code = try shop.code(try await shop.enrol(owner).secret, later: 1)
        for code in [nil, code] {
            let request = SignInRequest(email: "owner@example.com", password: "wrong password", code: code)
            try await shop.anyone.call(Contract.signIn, request).problem(.invalidCredentials)
        }
        // The code was not used up.
        try await signIn(code).good()
    }

    @Test func `Of many sign-ins with one code at once, one succeeds`() async throws {
        let (secret, recovery) = try await shop.enrol(owner)
        for code in [try shop.code(secret, later: 1), recovery[3]] {
            let statuses = try await parallel(6) { _ in try await signIn(code).status }
            #expect(statuses.filter { $0 == 201 }.count == 1, "\(statuses)")
            // Six attempts from one network are counted.
            shop.clock.advance(by: SecondFactors.window)
        }
    }

    @Test func `A recovery code works once, in capitals and without its dashes too`() async throws {
        let (_, recovery) = try await shop.enrol(owner)
        try await signIn(recovery[0]).good()
        try await signIn(recovery[0]).problem(.secondFactorInvalid)
        let session = try await signIn(recovery[1].uppercased().replacing("-", with: " ")).good()
        #expect(try await shop.caller(session).call(Contract.secondFactor).good().recoveryCodesLeft == 8)
    }

    @Test func `Ten wrong codes close the account for an hour, for the right code too`() async throws {
        let (secret, _) = try await shop.enrol(owner)
        for _ in 0..<5 { try await signIn("000000").problem(.secondFactorInvalid) }
        // The attempts of the sign-in itself are forgotten before.
        shop.clock.advance(by: 16 * 60)
        for _ in 0..<5 { try await signIn("000000").problem(.secondFactorInvalid) }
        try await signIn(try shop.code(secret)).problem(.tooManyAttempts)
        shop.clock.advance(by: 16 * 60)
        try await signIn(try shop.code(secret)).problem(.tooManyAttempts)
        shop.clock.advance(by: SecondFactors.window)
        try await signIn(try shop.code(secret)).good()
    }

    @Test func `Recovery codes are stored as hashes, and no answer has the secret again`() async throws {
        let (secret, recovery) = try await shop.enrol(owner)
        let hashes = try await shop.rows("SELECT hash FROM recovery_codes").map { try $0.data(0) }
        #expect(hashes.count == 10 && hashes.allSatisfy { $0.count == 32 })
        for code in recovery {
            let bytes = Data(code.replacing("-", with: "").utf8)
            #expect(!hashes.contains(bytes) && !hashes.contains(shop.environment.digests.sha256(bytes)))
        }
        for text in [
            try await owner.call(Contract.secondFactor).text, try await owner.call(Contract.staff).text,
            try await owner.call(Contract.beginSecondFactor).text,
            try await owner.send("POST", "/v1/account/second-factor").text,
        ] { #expect(!text.contains(secret.secret) && !text.contains(recovery[0])) }
        #expect(!"\(secret) \(RecoveryCodes(codes: recovery))".contains(secret.secret))
        #expect(!String(reflecting: RecoveryCodes(codes: recovery)).contains(recovery[0]))
    }

    @Test func `An idempotency key does not store the secret`() async throws {
        let first = try await owner.call(Contract.beginSecondFactor, headers: .key("k")).good()
        let second = try await owner.call(Contract.beginSecondFactor, headers: .key("k")).good()
        let request = APIKeyRequest(name: "till", scopes: [.readOrders])
        try await owner.call(Contract.createAPIKey, request, headers: .key("k")).good()
        #expect(first.secret != second.secret)
        #expect(try await shop.rows("SELECT key FROM idempotency").isEmpty)
    }

    @Test func `A fresh session removes a second factor; a reset on the server also ends the sessions`() async throws {
        let (secret, _) = try await shop.enrol(owner)
        shop.clock.advance(by: 11 * 60)
        try await owner.call(Contract.removeSecondFactor).problem(.freshSignInRequired)
        try await owner.confirm(code: try shop.code(secret)).good()
        try await owner.call(Contract.removeSecondFactor).good()
        try await owner.call(Contract.removeSecondFactor).problem(.notFound)
        let again = shop.caller(try await signIn(nil).good())
        _ = try await shop.enrol(again)
        try await signIn(nil).problem(.secondFactorRequired)
        let staff = Staff(shop.environment)
        try await shop.store.write { try staff.resetSecondFactor(email: "Owner@example.com", in: $0) }
        try await again.profile().problem(.unauthenticated)
        try await signIn(nil).good()
    }

    @Test func `Customers have no second factor`() async throws {
        let customer = try await shop.customer()
        try await customer.call(Contract.beginSecondFactor).problem(.forbidden)
        try await customer.enableSecondFactor("000000").problem(.forbidden)
        try await shop.signIn("ada@example.com", code: "123456").good()
    }

    @Test func `Codes are still accepted after the signing keys were rotated and retired`() async throws {
        let (secret, recovery) = try await shop.enrol(owner)
        let old = shop.services.keyRing.current.id
        try await shop.store.write { [environment = shop.environment] repositories in
            _ = try repositories.keys.rotate(environment)
            try repositories.keys.retire(id: old)
        }
        try await shop.services.keyRing.refresh()
        try await signIn(try shop.code(secret, later: 1)).good()
        try await signIn(recovery[0]).good()
    }

    @Test(.inShop(configure: { $0.shop = .withSecondFactors }))
    func `A shop can require a second factor, and staff without one can only set it up`() async throws {
        let customer = try await shop.customer()
        try await owner.call(Contract.allOrders).problem(.secondFactorNeeded)
        try await owner.change("cap", price: 1).problem(.secondFactorNeeded)
        try await owner.profile().good()
        #expect(try await owner.call(Contract.secondFactor).good().isRequired == true)
        #expect(try await customer.call(Contract.secondFactor).good().isRequired == false)
        _ = try await customer.order()
        _ = try await shop.enrol(owner)
        try await owner.call(Contract.allOrders).good()
        try await shop.orders(by: try await owner.newKey([.readOrders]).good()).good()
    }

    @Test func `Another password or address, and the deletion, need the second factor too`() async throws {
        _ = try await shop.admin()
        let (_, recovery) = try await shop.enrol(owner)
        let customer = try await shop.customer()
        shop.clock.advance(by: 11 * 60)
        let email = EmailChangeRequest(email: "new@example.com", password: .password)
        try await owner.changePassword(to: "battery staple").problem(.freshSignInRequired)
        try await owner.call(Contract.changeEmail, email).problem(.freshSignInRequired)
        try await owner.deleteAccount().problem(.freshSignInRequired)
        try await owner.confirm(code: recovery[0]).good()
        try await owner.call(Contract.changeEmail, email).good()
        try await owner.changePassword(to: "battery staple").good()
        // A customer has no second factor.
        try await customer.changePassword(to: "battery staple").good()
    }
}

@Suite("One-time passwords")
struct OneTimePasswordTests {
    private let password = OneTimePassword(secret: Data("12345678901234567890".utf8), digests: CryptoDigests())

    @Test(arguments: [
        (59, "94287082"), (1_111_111_109, "07081804"), (1_111_111_111, "14050471"), (1_234_567_890, "89005924"),
        (2_000_000_000, "69279037"), (20_000_000_000, "65353130"),
    ])
    func `The codes are those of RFC 6238, appendix B`(seconds: Int, code: String) {
        let step = OneTimePassword.step(at: Date(timeIntervalSince1970: TimeInterval(seconds)))
        #expect(password.code(step: step, digits: 8) == code && password.code(step: step) == code.suffix(6))
    }

    @Test func `The codes are those of RFC 4226, appendix D`() {
        let codes = "755224 287082 359152 969429 338314 254676 287922 162583 399871 520489"
        #expect((0..<10).map { password.code(step: $0) }.joined(separator: " ") == codes)
    }

    @Test func `The current code and its neighbours are accepted, each after the last that was used`() {
        let now = Date(timeIntervalSince1970: 3_000)
        func step(_ offset: Int64, after last: Int64 = 0) -> Int64? {
            password.step(of: password.code(step: 100 + offset), at: now, after: last)
        }
        #expect([-2, -1, 0, 1, 2].map { step($0) } == [nil, 99, 100, 101, nil])
        #expect([-1, 0, 1].map { step($0, after: 100) } == [nil, nil, 101])
        for code in ["", "12345", "1234567", "abcdef", "\u{0661}23456"] {
            #expect(password.step(of: code, at: now, after: 0) == nil)
        }
    }

    @Test func `HMAC-SHA-1 is that of RFC 2202`() {
        let digests = CryptoDigests()
        for (text, key, code) in [
            ("Hi There", Data(repeating: 0x0b, count: 20), "b617318655057264e28bc0b6fb378c8ef146be00"),
            ("what do ya want for nothing?", Data("Jefe".utf8), "effcdf6ae5eb2fa2d27416d5f184df9c259a7c79"),
        ] { #expect(digests.hmacSHA1(Data(text.utf8), key: key).hex == code) }
    }
}
