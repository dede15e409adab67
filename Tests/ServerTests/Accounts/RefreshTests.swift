import Foundation
import PouchContract
import PouchEntities
import PouchStorage
import PouchWire
import Testing

@Suite("Exchanging refresh tokens")
struct RefreshTests {
    private func refresh(_ shop: TestShop, _ token: String) async throws -> Answered<UserSession> {
        try await shop.anyone.call(Contract.refreshSession, RefreshRequest(refreshToken: token))
    }

    private func token(_ caller: Caller) throws -> String {
        try #require(caller.session?.remoteSession.refreshToken)
    }

    @Test func `A token gives its successor, in the same session, and both its tokens work`() async throws {
        try await TestShop.open([]) { shop in
            let customer = try await shop.customer()
            shop.clock.advance(by: 3600)
            try await customer.call(Contract.profile).problem(.tokenExpired)
            let next = try await refresh(shop, try token(customer)).good()
            #expect(next.id == customer.session?.id && next.profile == customer.session?.profile)
            #expect(next.kind == .customer)
            #expect(try next.remoteSession.refreshToken != token(customer))
            #expect(next.remoteSession.refreshTokenExpiresAt == shop.clock.now.addingTimeInterval(30 * 24 * 3600))
            try await shop.caller(next).call(Contract.profile).good()
            try await refresh(shop, next.remoteSession.refreshToken).good()
        }
    }

    @Test func `A guest's session is renewed too, and keeps its cart`() async throws {
        try await TestShop.open { shop in
            let guest = try await shop.guest()
            try await guest.add("cap").good()
            let next = shop.caller(try await refresh(shop, try token(guest)).good())
            #expect(next.session?.kind == .guest)
            #expect(try await next.cart().lines.map(\.sku) == ["cap"])
        }
    }

    @Test func `The same token within 60 s gives the same successor, while that is unused`() async throws {
        try await TestShop.open([]) { shop in
            let first = try token(try await shop.customer())
            let next = try await refresh(shop, first).good().remoteSession
            shop.clock.advance(by: 60)
            let again = try await refresh(shop, first).good().remoteSession
            #expect(again.refreshToken == next.refreshToken)
            #expect(again.refreshTokenExpiresAt == next.refreshTokenExpiresAt)
            try await refresh(shop, again.refreshToken).good()
        }
    }

    @Test func `A token used again after 60 s ends the session`() async throws {
        try await TestShop.open([]) { shop in
            let customer = try await shop.customer()
            let next = try await refresh(shop, try token(customer)).good()
            shop.clock.advance(by: 61)
            try await refresh(shop, try token(customer)).problem(.tokenReused)
            try await shop.caller(next).call(Contract.profile).problem(.unauthenticated)
            try await refresh(shop, next.remoteSession.refreshToken).problem(.unauthenticated)
        }
    }

    @Test func `A token used again after its successor was used ends the session at once`() async throws {
        try await TestShop.open([]) { shop in
            let customer = try await shop.customer()
            let next = try await refresh(shop, try token(customer)).good()
            let third = try await refresh(shop, next.remoteSession.refreshToken).good()
            try await refresh(shop, try token(customer)).problem(.tokenReused)
            for session in [next, third] {
                try await shop.caller(session).call(Contract.cart).problem(.unauthenticated)
                try await refresh(shop, session.remoteSession.refreshToken).problem(.unauthenticated)
            }
            _ = try await shop.signIn()
        }
    }

    @Test(.timeLimit(.minutes(1)))
    func `Many exchanges of one token at once all get the same successor`() async throws {
        try await TestShop.open([]) { shop in
            let first = try token(try await shop.customer())
            try await shop.another { other in
                let tokens = try await parallel(24) { index in
                    try await refresh(index.isMultiple(of: 2) ? shop : other, first).good().remoteSession.refreshToken
                }
                #expect(Set(tokens).count == 1)
                try await refresh(shop, tokens[0]).good()
            }
        }
    }

    @Test func `A token is good for thirty days`() async throws {
        try await TestShop.open([]) { shop in
            let (one, other) = (try token(try await shop.guest()), try token(try await shop.guest()))
            shop.clock.advance(by: 30 * 24 * 3600 - 1)
            try await refresh(shop, one).good()
            shop.clock.advance(by: 1)
            try await refresh(shop, other).problem(.tokenExpired)
        }
    }

    @Test(arguments: [("", 0), ("x", 1), ("x", 10_000), ("\u{0}", 1), ("' OR 1=1", 1)])
    func `What is no token is refused`(part: String, count: Int) async throws {
        try await TestShop.open([]) { shop in
            try await refresh(shop, String(repeating: part, count: count)).problem(.unauthenticated)
        }
    }

    @Test func `An access token is no refresh token, nor the other way round`() async throws {
        try await TestShop.open([]) { shop in
            let tokens = try #require(try await shop.customer().session?.remoteSession)
            try await refresh(shop, tokens.accessToken).problem(.unauthenticated)
            try await shop.anyone.send(
                "GET", "/v1/account", headers: ["Authorization": "Bearer " + tokens.refreshToken]
            ).problem(.unauthenticated)
        }
    }

    @Test func `No token stands in the database as it is`() async throws {
        try await TestShop.open([]) { shop in
            let tokens = try #require(try await shop.customer().session?.remoteSession)
            let stored = try await shop.rows("SELECT hash FROM refresh_tokens").map { try $0.data(0) }
            #expect(stored.count == 1)
            #expect(stored.first != Data(tokens.refreshToken.utf8))
            #expect(stored.first != Data(base64URL: tokens.refreshToken))
        }
    }
}
