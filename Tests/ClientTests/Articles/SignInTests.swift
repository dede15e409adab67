import Foundation
import PouchClient
import Testing

/// The article “Sign in”.
@Suite(.timeLimit(.minutes(1)))
struct SignInTests {
    private let shop = StubShop()
    private let pouch: Pouch

    init() throws {
        let server = try #require(URL(string: "http://127.0.0.1"))
        pouch = Pouch(server: server, transport: shop)
    }

    @Test func `who signs in is greeted by name`() async {
        #expect(await signIn(email: "ada@example.org", password: "12345678", to: pouch) == "Hello, Ada.")
    }

    @Test func `a wrong password is told`() async {
        shop.change { $0.refusals["/v1/sessions"] = .problem(.invalidCredentials) }
        let told = await signIn(email: "ada@example.org", password: "87654321", to: pouch)
        #expect(told == "The e-mail address or the password is wrong.")
    }

    @Test func `whoever follows sees who is there, and that nobody is any more`() async throws {
        _ = await signIn(email: "ada@example.org", password: "12345678", to: pouch)
        let (shown, continuation) = AsyncStream.makeStream(of: String?.self)
        let following = Task { try await followAccount(of: pouch) { continuation.yield($0?.profile?.name) } }
        defer { following.cancel() }
        var names = shown.makeAsyncIterator()
        #expect(await names.next() == "Ada")
        #expect(await signOut(of: pouch) == "Goodbye.")
        #expect(await names.next() == .some(nil))
    }

    @Test func `one can sign out without the shop`() async {
        _ = await signIn(email: "ada@example.org", password: "12345678", to: pouch)
        shop.line = .down
        #expect(await signOut(of: pouch) == "You are signed out here. The server cannot be reached.")
        #expect(pouch.account.session == nil)
    }
}
