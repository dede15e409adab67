import HTTPTypes
import PouchContract
import PouchEntities
import PouchWire
import Testing

@Suite("Signing in")
struct SignInTests {
    @Test(arguments: ["ada@example.com", "Ada@EXAMPLE.com", "  ada@example.com"])
    func `An account is found however its address is written`(email: String) async throws {
        try await TestShop.open([]) { shop in
            let first = try await shop.customer()
            let second = try await shop.signIn(email)
            #expect(second.session?.profile == first.session?.profile)
            #expect(second.session?.id != first.session?.id)
            try await first.call(Contract.profile).good()
        }
    }

    @Test func `An unknown account and a wrong password get the same words`() async throws {
        try await TestShop.open([]) { shop in
            _ = try await shop.customer()
            let unknown = try await shop.anyone.call(
                Contract.signIn, SignInRequest(email: "bob@example.com", password: .password))
            let wrong = try await shop.anyone.call(
                Contract.signIn, SignInRequest(email: "ada@example.com", password: "wrong password"))
            let (one, other) = (try unknown.problem(.invalidCredentials), try wrong.problem(.invalidCredentials))
            #expect(one.problem.detail == other.problem.detail && one.problem.errors == other.problem.errors)
            #expect(unknown.headers.map(\.name) == wrong.headers.map(\.name))
        }
    }

    @Test(arguments: ["", "not an address", "ada@example.com\u{0}", "'; DROP TABLE accounts; --"])
    func `What is no address has no account`(email: String) async throws {
        try await TestShop.open([]) { shop in
            try await shop.anyone.call(Contract.signIn, SignInRequest(email: email, password: .password))
                .problem(.invalidCredentials)
        }
    }

    @Test func `A password is compared as a whole`() async throws {
        try await TestShop.open([]) { shop in
            _ = try await shop.customer()
            for password in ["", "Correct horse", "correct horse ", "correct hors"] {
                try await shop.anyone.call(
                    Contract.signIn, SignInRequest(email: "ada@example.com", password: password)
                ).problem(.invalidCredentials)
            }
        }
    }

    @Test func `A guest's session has no profile`() async throws {
        try await TestShop.open([]) { shop in
            let session = try #require(try await shop.guest().session)
            #expect(session.kind == .guest && session.profile == nil)
        }
    }
}
