import ServerTesting
import Testing

@testable import PouchDomain

@Suite("Sessions and refresh tokens", .inShop())
struct SessionTests {
    private let shop = TestShop.current
    private let customer: Caller

    init() async throws { customer = try await shop.customer() }

    @Test func `Signing out ends only that session, at once`() async throws {
        let other = try await shop.signIn()
        try await customer.signOut()
        try await customer.profile().problem(.unauthenticated)
        try await shop.refresh(customer.refreshToken).problem(.unauthenticated)
        try await other.profile().good()
    }

    @Test func `Two servers of a shop accept each other's tokens and honour each other's sign-outs`() async throws {
        try await customer.add("cap").good()
        try await shop.another { other in
            let there = other.caller(try #require(customer.session))
            #expect(try await there.cart().lines.map(\.sku) == ["cap"])
            try await there.signOut()
            try await customer.call(Contract.cart).problem(.unauthenticated)
            let guest = try await other.guest()
            let here = shop.caller(try #require(guest.session))
            try await here.call(Contract.cart).good()
            try await here.signOut()
            try await guest.call(Contract.cart).problem(.unauthenticated)
        }
    }

    @Test func `Changing the password ends all other sessions and invalidates the old password`() async throws {
        let other = try await shop.signIn()
        try await customer.changePassword(to: "another password").good()
        let mails = try await shop.mails(.passwordChanged)
        #expect(mails.map(\.recipient) == ["ada@example.com"])
        #expect(mails.map(\.content.passwordChange) == [MailContent.PasswordChange(at: shop.clock.now, isReset: false)])
        try await other.profile().problem(.unauthenticated)
        try await customer.profile().good()
        try await shop.anyone.signIn().problem(.invalidCredentials)
        _ = try await shop.signIn(password: "another password")
    }

    @Test func `A password change needs the current password and a valid new one`() async throws {
        let other = try await shop.signIn()
        let refusal = try await customer.changePassword(from: "wrong", to: "another password")
        #expect(try refusal.problem(.invalidCredentials).problem.detail == "The current password is wrong.")
        #expect(try await customer.changePassword(to: "short").invalidFields() == ["newPassword"])
        #expect(try await shop.mails(.passwordChanged).isEmpty)
        try await other.profile().good()
        _ = try await shop.signIn()
    }

    @Test func `A running server purges expired sessions by itself`() async throws {
        try await shop.guest().add("cap").good()
        shop.clock.advance(by: 31 * 24 * 3600 + 1)
        try await eventually { try await shop.rows("SELECT id FROM sessions").isEmpty }
        #expect(try await shop.rows("SELECT owner_id FROM cart_lines").isEmpty)
    }

    // MARK: Refresh tokens

    @Test func `A refresh token is exchanged for new tokens of the same session, and both work`() async throws {
        shop.clock.advance(by: 3600)
        try await customer.profile().problem(.tokenExpired)
        let next = try await shop.refresh(customer.refreshToken).good()
        #expect(next.id == customer.session?.id && next.profile == customer.session?.profile)
        #expect(next.kind == .customer)
        #expect(try next.remoteSession.refreshToken != customer.refreshToken)
        #expect(next.remoteSession.refreshTokenExpiresAt == shop.clock.now.addingTimeInterval(30 * 24 * 3600))
        try await shop.caller(next).profile().good()
        try await shop.refresh(next.remoteSession.refreshToken).good()
    }

    @Test func `The same refresh token gives the same successor within 60 s while that is unused`() async throws {
        let next = try await shop.refresh(customer.refreshToken).good().remoteSession
        shop.clock.advance(by: 60)
        let again = try await shop.refresh(customer.refreshToken).good().remoteSession
        #expect(again.refreshToken == next.refreshToken)
        #expect(again.refreshTokenExpiresAt == next.refreshTokenExpiresAt)
        try await shop.refresh(again.refreshToken).good()
    }

    @Test func `A refresh token used again after 60 s ends the session`() async throws {
        let next = try await shop.refresh(customer.refreshToken).good()
        shop.clock.advance(by: 61)
        try await shop.refresh(customer.refreshToken).problem(.tokenReused)
        try await shop.caller(next).profile().problem(.unauthenticated)
        try await shop.refresh(next.remoteSession.refreshToken).problem(.unauthenticated)
    }

    @Test func `A refresh token used again after its successor was used ends the session at once`() async throws {
        let next = try await shop.refresh(customer.refreshToken).good()
        let third = try await shop.refresh(next.remoteSession.refreshToken).good()
        try await shop.refresh(customer.refreshToken).problem(.tokenReused)
        for session in [next, third] {
            try await shop.caller(session).call(Contract.cart).problem(.unauthenticated)
            try await shop.refresh(session.remoteSession.refreshToken).problem(.unauthenticated)
        }
        _ = try await shop.signIn()
    }

    @Test func `A refresh token is valid for 30 days`() async throws {
        let (one, other) = (try await shop.guest(), try await shop.guest())
        shop.clock.advance(by: 30 * 24 * 3600 - 1)
        try await shop.refresh(one.refreshToken).good()
        shop.clock.advance(by: 1)
        try await shop.refresh(other.refreshToken).problem(.tokenExpired)
    }

    @Test(arguments: ["", "x", String(repeating: "x", count: 10_000), "\u{0}", "' OR 1=1"])
    func `An invalid refresh token is refused`(token: String) async throws {
        try await shop.refresh(token).problem(.unauthenticated)
    }

    @Test func `Access tokens and refresh tokens are not accepted for each other`() async throws {
        let tokens = try #require(customer.session?.remoteSession)
        try await shop.refresh(tokens.accessToken).problem(.unauthenticated)
        let bearer = ["Authorization": "Bearer " + tokens.refreshToken]
        try await shop.anyone.send("GET", "/v1/account", headers: bearer).problem(.unauthenticated)
    }

    @Test func `The database has only hashes of refresh tokens`() async throws {
        let token = try customer.refreshToken
        let stored = try await shop.rows("SELECT hash FROM refresh_tokens").map { try $0.data(0) }
        #expect(stored.count == 1)
        #expect(stored.first != Data(token.utf8) && stored.first != Data(base64URL: token))
    }
}

/// The shop does not purge by itself.
@Suite("Purging expired sessions", .inShop(runsJobs: false))
struct SessionPurgeTests {
    private static let day: TimeInterval = 24 * 3600

    private let shop = TestShop.current

    private func purge() async throws {
        try await shop.store.write { [before = shop.clock.now - SignInAttempt.memory] in
            while try $0.sessions.purge(before: before, limit: 1_000) {}
        }
    }

    private func owners(_ table: String, _ column: String = "owner_id") async throws -> Set<String> {
        try await Set(shop.rows("SELECT \(column) FROM \(table)").map { try $0.text(0) })
    }

    private func sessions() async throws -> Set<String> { try await owners("sessions", "id") }

    @Test func `An expired guest session is purged with its cart a day later; a refreshed one keeps it`() async throws {
        let (expired, active) = (try await shop.guest(), try await shop.guest())
        for guest in [expired, active] { try await guest.add("cap").good() }
        let order = try await expired.buyNow().good()
        let ids = (try #require(expired.session?.id), try #require(active.session?.id))
        for owner in [ids.0, ids.1] {
            _ = try await shop.store.write { try $0.discounts.claim(id: "dis_1", ownerId: owner, limit: nil) }
        }
        shop.clock.advance(by: 20 * Self.day)
        let next = try await shop.refresh(active.refreshToken).good()
        shop.clock.advance(by: 11 * Self.day)
        try await purge()
        #expect(try await sessions() == [ids.0, ids.1])
        for table in ["carts", "discount_uses"] { #expect(try await owners(table) == [ids.0, ids.1]) }
        shop.clock.advance(by: 1)
        try await purge()
        #expect(try await sessions() == [ids.1])
        for table in ["carts", "discount_uses", "cart_lines"] { #expect(try await owners(table) == [ids.1]) }
        #expect(try await shop.rows("SELECT id FROM orders").map { try $0.text(0) } == [order.id])
        let renewed = try await shop.refresh(next.remoteSession.refreshToken).good()
        #expect(renewed.kind == .guest)
        #expect(try await shop.caller(renewed).cart().lines.map(\.sku) == ["cap"])
    }

    @Test func `A customer's expired session is purged, and the account keeps its cart`() async throws {
        try await shop.customer().add("cap").good()
        shop.clock.advance(by: 31 * Self.day + 1)
        try await purge()
        #expect(try await sessions() == [])
        #expect(try await shop.signIn().cart().lines.map(\.sku) == ["cap"])
    }

    @Test func `Each purge deletes at most its limit of sessions, and says whether there may be more`() async throws {
        for _ in 0..<5 { try await shop.guest().add("cap").good() }
        shop.clock.advance(by: 31 * Self.day + 1)
        let active = try await shop.guest()
        try await active.add("cap").good()
        var left: [Int] = []
        let before = shop.clock.now - SignInAttempt.memory
        while try await shop.store.write({ try $0.sessions.purge(before: before, limit: 2) }) {
            let kept = try await sessions()
            #expect(try await owners("carts") == kept)
            left.append(kept.count)
        }
        #expect(left == [4, 2])
        #expect(try await sessions() == [try #require(active.session?.id)])
        #expect(try await owners("cart_lines") == sessions())
    }

    @Test func `Each purge deletes at most its limit of failed sign-ins`() async throws {
        let (now, before) = (shop.clock.now, shop.clock.now - SignInAttempt.memory)
        _ = try await shop.store.write { repositories in
            for number in 0..<5 {
                try repositories.sessions.addFailure(key: Data([UInt8(number)]), attempt: "", at: before - 1)
            }
            try repositories.sessions.addFailure(key: Data([0]), attempt: "", at: now)
        }
        var left: [Int] = []
        while try await shop.store.write({ try $0.sessions.purge(before: before, limit: 2) }) {
            left.append(try await shop.rows("SELECT key FROM sign_in_failures").count)
        }
        #expect(left == [4, 2])
        #expect(try await shop.rows("SELECT key FROM sign_in_failures").map { try $0.data(0) } == [Data([0])])
    }
}
