import Foundation
import PouchContract
import PouchEntities
import PouchStorage
import PouchWire
import Testing

@Suite("Signing up")
struct SignUpTests {
    @Test func `An account has the profile that was sent, and is signed in`() async throws {
        try await TestShop.open([]) { shop in
            let answer = try await shop.anyone.call(Contract.signUp, .sample("Ada@Example.com"))
            let session = try answer.good()
            #expect(answer.header("Cache-Control") == "no-store")
            #expect(session.kind == .customer)
            #expect(session.id.hasPrefix("ses_") && session.profile?.id.hasPrefix("acc_") == true)
            #expect(session.profile?.name == "Ada" && session.profile?.email == "ada@example.com")
            #expect(session.profile?.mobileNumber == "+49 30 1234567")
            #expect(try await shop.caller(session).call(Contract.profile).good() == session.profile)
        }
    }

    @Test(arguments: [
        (SignUpRequest(name: "", email: "a@b.de", password: .password), ["name"]),
        (SignUpRequest(name: "  ", email: "a@b.de", password: .password), ["name"]),
        (SignUpRequest(name: String(repeating: "n", count: 201), email: "a@b.de", password: .password), ["name"]),
        (SignUpRequest(name: "Ada", email: "a@b.de", password: "1234567"), ["password"]),
        (SignUpRequest(name: "Ada", email: "a@b.de", password: String(repeating: "p", count: 129)), ["password"]),
        (SignUpRequest(name: "Ada", email: "a@b.de", mobileNumber: "call me", password: .password), ["mobileNumber"]),
        (SignUpRequest(name: "Ada", email: "a@b.de", mobileNumber: "", password: .password), ["mobileNumber"]),
        (
            SignUpRequest(name: "", email: "", mobileNumber: "x", password: ""),
            ["email", "mobileNumber", "name", "password"]
        ),
    ])
    func `Each field that is wrong is named`(request: SignUpRequest, fields: [String]) async throws {
        try await TestShop.open([]) { shop in
            let problem = try await shop.anyone.call(Contract.signUp, request).problem(.validationFailed).problem
            #expect(problem.errors?.map(\.field).sorted() == fields)
        }
    }

    @Test(arguments: [
        "", "ada", "ada@", "@example.com", "ada@example", "ada@@example.com", "a b@example.com", "ada@.com", "ada@com.",
        "ada@a..b", "ada@example.com\u{0}", String(repeating: "a", count: 250) + "@b.de",
    ])
    func `An e-mail address has to be one`(email: String) async throws {
        try await TestShop.open([]) { shop in
            let problem = try await shop.anyone.call(Contract.signUp, .sample(email)).problem(.validationFailed).problem
            #expect(problem.errors?.map(\.field) == ["email"])
        }
    }

    @Test(arguments: ["ada@example.com", "ADA@EXAMPLE.COM", " ada@example.com "])
    func `An address has one account, however it is written`(email: String) async throws {
        try await TestShop.open([]) { shop in
            _ = try await shop.customer()
            try await shop.anyone.call(Contract.signUp, .sample(email)).problem(.emailTaken)
        }
    }

    @Test func `Of many who sign up with one address at once, one gets it`() async throws {
        try await TestShop.open([]) { shop in
            let statuses = try await parallel(12) { _ in
                try await shop.anyone.call(Contract.signUp, .sample()).status
            }
            #expect(statuses.sorted() == [201] + Array(repeating: 409, count: 11))
        }
    }

    @Test func `Passwords of 8 and of 128 characters are taken, of whatever script`() async throws {
        try await TestShop.open([]) { shop in
            for (index, password) in ["12345678", String(repeating: "é", count: 128), "пароль🦘🦘"].enumerated() {
                let email = "ada\(index)@example.com"
                try await shop.anyone.call(
                    Contract.signUp, SignUpRequest(name: "Ada", email: email, password: password)
                ).good()
                _ = try await shop.signIn(email, password: password)
            }
        }
    }

    @Test func `The password is stored as a hash alone`() async throws {
        try await TestShop.open([]) { shop in
            _ = try await shop.customer()
            let hash = try #require(try await shop.rows("SELECT password_hash FROM accounts").first?.text(0))
            #expect(hash.hasPrefix("$scrypt$") && !hash.contains(String.password))
        }
    }
}
