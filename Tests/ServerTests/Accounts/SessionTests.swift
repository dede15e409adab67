import Foundation
import PouchContract
import PouchDomain
import PouchEntities
import PouchJSON
import PouchServer
import PouchStorage
import PouchWire
import Testing

@Suite("Ending sessions")
struct SessionTests {
    @Test func `Signing out ends only that session, at once`() async throws {
        try await TestShop.open([]) { shop in
            let one = try await shop.customer()
            let other = try await shop.signIn()
            try await one.call(Contract.signOut).good()
            try await one.call(Contract.profile).problem(.unauthenticated)
            let token = try #require(one.session?.remoteSession.refreshToken)
            try await shop.anyone.call(Contract.refreshSession, RefreshRequest(refreshToken: token))
                .problem(.unauthenticated)
            try await other.call(Contract.profile).good()
        }
    }

    @Test func `Two servers of a shop accept each other's tokens and honour each other's sign-outs`() async throws {
        try await TestShop.open { shop in
            let customer = try await shop.customer()
            try await customer.add("cap").good()
            try await shop.another { other in
                let there = other.caller(try #require(customer.session))
                #expect(try await there.cart().lines.map(\.sku) == ["cap"])
                try await there.call(Contract.signOut).good()
                try await customer.call(Contract.cart).problem(.unauthenticated)

                let guest = try await other.guest()
                let here = shop.caller(try #require(guest.session))
                try await here.call(Contract.cart).good()
                try await here.call(Contract.signOut).good()
                try await guest.call(Contract.cart).problem(.unauthenticated)
            }
        }
    }

    @Test func `Changing the password ends all other sessions and invalidates the old password`() async throws {
        try await TestShop.open([]) { shop in
            let customer = try await shop.customer()
            let other = try await shop.signIn()
            let change = PasswordChangeRequest(currentPassword: .password, newPassword: "another password")
            try await customer.call(Contract.changePassword, change).good()
            let mails = try await shop.mails(.passwordChanged)
            #expect(mails.map(\.recipient) == ["ada@example.com"])
            #expect(
                mails.map(\.content.passwordChange) == [MailContent.PasswordChange(at: shop.clock.now, isReset: false)])
            try await other.call(Contract.profile).problem(.unauthenticated)
            try await customer.call(Contract.profile).good()
            try await shop.anyone.call(Contract.signIn, SignInRequest(email: "ada@example.com", password: .password))
                .problem(.invalidCredentials)
            _ = try await shop.signIn(password: "another password")
        }
    }

    @Test func `A password change needs the current password and a valid new one`() async throws {
        try await TestShop.open([]) { shop in
            let customer = try await shop.customer()
            let other = try await shop.signIn()
            let refusal = try await customer.call(
                Contract.changePassword,
                PasswordChangeRequest(currentPassword: "wrong", newPassword: "another password")
            ).problem(.invalidCredentials).problem
            #expect(refusal.detail == "The current password is wrong.")
            let problem = try await customer.call(
                Contract.changePassword, PasswordChangeRequest(currentPassword: .password, newPassword: "short")
            ).problem(.validationFailed).problem
            #expect(problem.errors?.map(\.field) == ["newPassword"])
            #expect(try await shop.mails(.passwordChanged).isEmpty)
            try await other.call(Contract.profile).good()
            _ = try await shop.signIn()
        }
    }
}

@Suite("Refresh tokens")
struct RefreshTests {
    private func refresh(_ shop: TestShop, _ token: String) async throws -> Answered<UserSession> {
        try await shop.anyone.call(Contract.refreshSession, RefreshRequest(refreshToken: token))
    }

    private func token(_ caller: Caller) throws -> String {
        try #require(caller.session?.remoteSession.refreshToken)
    }

    @Test func `A refresh token is exchanged for new tokens of the same session, and both work`() async throws {
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

    @Test func `A refreshed guest session keeps its cart`() async throws {
        try await TestShop.open { shop in
            let guest = try await shop.guest()
            try await guest.add("cap").good()
            let next = shop.caller(try await refresh(shop, try token(guest)).good())
            #expect(next.session?.kind == .guest)
            #expect(try await next.cart().lines.map(\.sku) == ["cap"])
        }
    }

    @Test func `The same refresh token gives the same successor within 60 s while the successor is unused`()
        async throws
    {
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

    @Test func `A refresh token used again after 60 s ends the session`() async throws {
        try await TestShop.open([]) { shop in
            let customer = try await shop.customer()
            let next = try await refresh(shop, try token(customer)).good()
            shop.clock.advance(by: 61)
            try await refresh(shop, try token(customer)).problem(.tokenReused)
            try await shop.caller(next).call(Contract.profile).problem(.unauthenticated)
            try await refresh(shop, next.remoteSession.refreshToken).problem(.unauthenticated)
        }
    }

    @Test func `A refresh token used again after its successor was used ends the session at once`() async throws {
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

    @Test(.timeLimit(.minutes(5)))
    func `Concurrent exchanges of one refresh token all get the same successor`() async throws {
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

    @Test func `A refresh token is valid for 30 days`() async throws {
        try await TestShop.open([]) { shop in
            let (one, other) = (try token(try await shop.guest()), try token(try await shop.guest()))
            shop.clock.advance(by: 30 * 24 * 3600 - 1)
            try await refresh(shop, one).good()
            shop.clock.advance(by: 1)
            try await refresh(shop, other).problem(.tokenExpired)
        }
    }

    @Test(arguments: [("", 0), ("x", 1), ("x", 10_000), ("\u{0}", 1), ("' OR 1=1", 1)])
    func `An invalid refresh token is refused`(part: String, count: Int) async throws {
        try await TestShop.open([]) { shop in
            try await refresh(shop, String(repeating: part, count: count)).problem(.unauthenticated)
        }
    }

    @Test func `Access tokens and refresh tokens are not accepted for each other`() async throws {
        try await TestShop.open([]) { shop in
            let tokens = try #require(try await shop.customer().session?.remoteSession)
            try await refresh(shop, tokens.accessToken).problem(.unauthenticated)
            try await shop.anyone.send(
                "GET", "/v1/account", headers: ["Authorization": "Bearer " + tokens.refreshToken]
            ).problem(.unauthenticated)
        }
    }

    @Test func `The database has only hashes of refresh tokens`() async throws {
        try await TestShop.open([]) { shop in
            let tokens = try #require(try await shop.customer().session?.remoteSession)
            let stored = try await shop.rows("SELECT hash FROM refresh_tokens").map { try $0.data(0) }
            #expect(stored.count == 1)
            #expect(stored.first != Data(tokens.refreshToken.utf8))
            #expect(stored.first != Data(base64URL: tokens.refreshToken))
        }
    }
}

@Suite("Purging expired sessions")
struct SessionPurgeTests {
    private static let day: TimeInterval = 24 * 3600

    /// Opens a shop that does not purge by itself.
    private func open(_ body: @escaping @Sendable (TestShop) async throws -> Void) async throws {
        try await TestShop.open(runsJobs: false, body)
    }

    private func purge(_ shop: TestShop) async throws {
        try await shop.store.write { [before = shop.clock.now - Self.day] in
            while try $0.sessions.purge(before: before, limit: 1_000) {}
        }
    }

    private func owners(_ shop: TestShop, _ table: String) async throws -> Set<String> {
        try await Set(shop.rows("SELECT owner_id FROM \(table)").map { try $0.text(0) })
    }

    private func sessions(_ shop: TestShop) async throws -> Set<String> {
        try await Set(shop.rows("SELECT id FROM sessions").map { try $0.text(0) })
    }

    @Test
    func `A guest session is purged with its cart a day after its last refresh token expired; an active one stays`()
        async throws
    {
        try await open { shop in
            let (expired, active) = (try await shop.guest(), try await shop.guest())
            for guest in [expired, active] { try await guest.add("cap").good() }
            let order = try await expired.buyNow().good()
            let ids = (try #require(expired.session?.id), try #require(active.session?.id))
            for owner in [ids.0, ids.1] {
                _ = try await shop.store.write {
                    try $0.discounts.claim(id: "dis_1", ownerId: owner, limit: nil)
                }
            }
            shop.clock.advance(by: 20 * Self.day)
            let token = try #require(active.session?.remoteSession.refreshToken)
            let next = try await shop.anyone.call(Contract.refreshSession, RefreshRequest(refreshToken: token)).good()

            shop.clock.advance(by: 11 * Self.day)
            try await purge(shop)
            #expect(try await sessions(shop) == [ids.0, ids.1])
            #expect(try await owners(shop, "carts") == [ids.0, ids.1])
            #expect(try await owners(shop, "discount_uses") == [ids.0, ids.1])

            shop.clock.advance(by: 1)
            try await purge(shop)
            #expect(try await sessions(shop) == [ids.1])
            #expect(try await owners(shop, "carts") == [ids.1])
            #expect(try await owners(shop, "discount_uses") == [ids.1])
            #expect(try await owners(shop, "cart_lines") == [ids.1])
            #expect(try await shop.rows("SELECT id FROM orders").map { try $0.text(0) } == [order.id])

            let renewed = try await shop.anyone.call(
                Contract.refreshSession, RefreshRequest(refreshToken: next.remoteSession.refreshToken)
            ).good()
            #expect(try await shop.caller(renewed).cart().lines.map(\.sku) == ["cap"])
        }
    }

    @Test func `A customer's expired session is purged, and the account keeps its cart`() async throws {
        try await open { shop in
            let customer = try await shop.customer()
            try await customer.add("cap").good()
            shop.clock.advance(by: 31 * Self.day + 1)
            try await purge(shop)
            #expect(try await sessions(shop) == [])
            #expect(try await shop.signIn().cart().lines.map(\.sku) == ["cap"])
        }
    }

    @Test func `Each purge deletes at most its limit of sessions, and returns whether there may be more`() async throws
    {
        try await open { shop in
            for _ in 0..<5 { try await shop.guest().add("cap").good() }
            shop.clock.advance(by: 31 * Self.day + 1)
            let active = try await shop.guest()
            try await active.add("cap").good()
            var left: [Int] = []
            let before = shop.clock.now - Self.day
            while try await shop.store.write({ try $0.sessions.purge(before: before, limit: 2) }) {
                let (sessions, carts) = (try await sessions(shop), try await owners(shop, "carts"))
                #expect(sessions == carts)
                left.append(sessions.count)
            }
            #expect(left == [4, 2])
            #expect(try await sessions(shop) == [try #require(active.session?.id)])
            #expect(try await owners(shop, "cart_lines") == sessions(shop))
        }
    }

    @Test func `Each purge deletes at most its limit of failed sign-ins`() async throws {
        try await open { shop in
            let (now, old) = (shop.clock.now, shop.clock.now - Self.day - 1)
            _ = try await shop.store.write { repositories in
                for number in 0..<5 {
                    try repositories.sessions.addFailure(key: Data([UInt8(number)]), attempt: "", at: old)
                }
                try repositories.sessions.addFailure(key: Data([0]), attempt: "", at: now)
            }
            var left: [Int] = []
            let before = now - Self.day
            while try await shop.store.write({ try $0.sessions.purge(before: before, limit: 2) }) {
                left.append(try await shop.rows("SELECT key FROM sign_in_failures").count)
            }
            #expect(left == [4, 2])
            #expect(try await shop.rows("SELECT key FROM sign_in_failures").map { try $0.data(0) } == [Data([0])])
        }
    }

    @Test func `A running server purges expired sessions by itself`() async throws {
        try await TestShop.open { shop in
            try await shop.guest().add("cap").good()
            shop.clock.advance(by: 31 * Self.day + 1)
            try await eventually { try await sessions(shop).isEmpty }
            #expect(try await owners(shop, "cart_lines") == [])
        }
    }
}
