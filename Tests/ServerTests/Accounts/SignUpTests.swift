import ServerTesting
import Testing

@Suite("Signing up", .inShop([]))
struct SignUpTests {
    private let shop = TestShop.current

    private func signUp(
        name: String = "Ada", email: String = "a@b.de", mobileNumber: String? = nil, password: String = .password
    ) async throws -> Answered<UserSession> {
        let request = SignUpRequest(name: name, email: email, mobileNumber: mobileNumber, password: password)
        return try await shop.anyone.call(Contract.signUp, request)
    }

    @Test func `Signing up creates the account with the sent profile, and signs in`() async throws {
        let answer = try await shop.anyone.signUp("Ada@Example.com")
        let session = try answer.good()
        #expect(answer.header("Cache-Control") == "no-store")
        #expect(session.kind == .customer)
        #expect(session.id.hasPrefix("ses_") && session.profile?.id.hasPrefix("acc_") == true)
        #expect(session.profile?.name == "Ada" && session.profile?.email == "ada@example.com")
        #expect(session.profile?.mobileNumber == "+49 30 1234567")
        #expect(try await shop.caller(session).profile().good() == session.profile)
    }

    @Test(arguments: ["", "  ", String(repeating: "n", count: 201)])
    func `A name that is blank or too long is refused`(name: String) async throws {
        #expect(try await signUp(name: name).invalidFields() == ["name"])
    }

    @Test(arguments: ["1234567", String(repeating: "p", count: 129)])
    func `A password that is too short or too long is refused`(password: String) async throws {
        #expect(try await signUp(password: password).invalidFields() == ["password"])
    }

    @Test(arguments: ["call me", ""])
    func `A mobile number without digits is refused`(mobileNumber: String) async throws {
        #expect(try await signUp(mobileNumber: mobileNumber).invalidFields() == ["mobileNumber"])
    }

    @Test func `Every invalid field is reported`() async throws {
        let fields = try await signUp(name: "", email: "", mobileNumber: "x", password: "").invalidFields()
        #expect(fields.sorted() == ["email", "mobileNumber", "name", "password"])
    }

    @Test(
        .oneShop,
        arguments: [
            "", "ada", "ada@", "@example.com", "ada@example", "ada@@example.com", "a b@example.com", "ada@.com",
            "ada@com.", "ada@a..b", "ada@example.com\u{0}", String(repeating: "a", count: 250) + "@b.de",
        ])
    func `An invalid e-mail address is refused`(email: String) async throws {
        #expect(try await signUp(email: email).invalidFields() == ["email"])
    }

    @Test(.inShop([], configure: { $0.instrument = { RecordingDatabase($0) } }))
    func `The limits of a sign-up's mail are read once, so that another sign-up cannot refuse it`() async throws {
        let transactions = try await RecordingDatabase.transactions {
            _ = try await shop.services.accounts.signUp(
                name: "Ada", email: "ada@example.com", mobileNumber: nil, password: .password, network: "192.0.2.1")
        }
        let readings = transactions.joined().filter { $0.sql.contains("FROM sign_in_failures") }
        #expect(readings.count == 1, "\(readings.map(\.sql))")
    }

    @Test(arguments: ["ada@example.com", "ADA@EXAMPLE.COM", " ada@example.com "])
    func `A taken e-mail address is refused in any letter case and with spaces around it`(email: String) async throws {
        _ = try await shop.customer()
        try await shop.anyone.signUp(email).problem(.emailTaken)
    }

    @Test func `Of concurrent sign-ups with one e-mail address, one succeeds`() async throws {
        let statuses = try await parallel(12) { _ in try await shop.anyone.signUp().status }
        #expect(statuses.sorted() == [201] + Array(repeating: 409, count: 11))
    }

    @Test func `Passwords of 8 to 128 characters in any script are accepted`() async throws {
        let passwords = ["8 chars!", String(repeating: "épée ", count: 25) + "abc", "пароль🦘🦘"]
        for (index, password) in passwords.enumerated() {
            try await signUp(email: "ada\(index)@example.com", password: password).good()
            _ = try await shop.signIn("ada\(index)@example.com", password: password)
        }
    }

    @Test(
        .oneShop,
        arguments: [
            "password", "Password1", "p@ssw0rd", "12345678", "87654321", "abcdefgh", "qwertyuiop", "aaaaaaaa",
            "abababab", "letmein123", "iloveyou", "sunshine!", "admin1234", "qwerty2026", "1q2w3e4r", "adminpassword",
            "Passwort123", "qwertyuiop1", "asdfghjkl1", "1234qwer", "zaq12wsx", "123password", "password12345",
            "qwerty123456",
        ])
    func `Passwords that guessers try first are refused`(password: String) async throws {
        #expect(try await signUp(password: password).invalidFields() == ["password"])
    }

    @Test(arguments: ["correct horse", "passionfruit", "sunflowers in may", "12.3456.78", "monkeybusiness", "abcdefgj"])
    func `Passwords that only resemble common ones are accepted`(password: String) async throws {
        try await signUp(password: password).good()
    }

    @Test func `The password is stored only as a hash`() async throws {
        _ = try await shop.customer()
        let hash = try #require(try await shop.rows("SELECT password_hash FROM accounts").first?.text(0))
        #expect(hash.hasPrefix("$scrypt$") && !hash.contains(String.password))
    }

    /// Each hash takes part of a second, of which 80 would fill every place.
    @Test(
        .timeLimit(.minutes(5)),
        .inShop([], configure: { $0.passwordCost = .init(log2N: 14, blockSize: 8, parallelism: 3) }))
    func `Sign-ups with a taken e-mail address hash no password, so others can still sign in`() async throws {
        _ = try await shop.customer()
        async let signIn = shop.signIn()
        let answers = try await parallel(80) { _ in try await shop.anyone.signUp() }
        for answer in answers { try answer.problem(.emailTaken) }
        _ = try await signIn
    }
}
