import Foundation
import PouchContract
import PouchDomain
import PouchEntities
import PouchWire
import Testing

/// No test here moves the clock: a key counts from the moment at which it is in the database.
@Suite("A new signing key", .timeLimit(.minutes(1)))
struct KeyRotationTests {
    private static let keyId = "0123456789abcdef"

    /// Two servers: one that was opened before the new key was there, and one that signs with it.
    private func open(_ body: @escaping @Sendable (_ older: TestShop, _ newer: TestShop) async throws -> Void)
        async throws
    {
        try await TestShop.open { older in
            try await older.environment.store.write { [now = older.clock.now] repositories in
                try repositories.keys.insert(
                    SigningKey(id: Self.keyId, secret: Data(repeating: 7, count: 32), createdAt: now + 1))
            }
            try await older.another { newer in try await body(older, newer) }
        }
    }

    /// The id of the key that signed the session's access token.
    private func keyId(_ session: UserSession?) throws -> String? {
        struct Header: Decodable { let kid: String }
        let text = try #require(session?.remoteSession.accessToken.split(separator: ".").first)
        return try Data(base64URL: String(text)).map { try JSONDecoder().decode(Header.self, from: $0).kid }
    }

    private func refresh(_ shop: TestShop, _ session: UserSession?) async throws -> UserSession {
        let token = try #require(session?.remoteSession.refreshToken)
        return try await shop.anyone.call(Contract.refreshSession, RefreshRequest(refreshToken: token)).good()
    }

    @Test func `Fifty requests at once with a token of the new key are all let in by the older server`() async throws {
        try await open { older, newer in
            let guest = try await newer.guest()
            #expect(try keyId(guest.session) == Self.keyId)
            let there = older.caller(try #require(guest.session))
            let statuses = try await parallel(50) { _ in try await there.call(Contract.cart).status }
            #expect(statuses == Array(repeating: 200, count: 50))
        }
    }

    @Test func `A key that comes while the database is asked for another is found all the same`() async throws {
        try await TestShop.open([]) { shop in
            let there = shop.environment
            let store = HeldReadStore(there.store)
            let keyRing = try await KeyRing(
                DomainEnvironment(
                    store: store, time: there.time, random: there.random, digests: there.digests, shop: there.shop))
            async let unknown = keyRing.key(id: "ffffffffffffffff")
            for await _ in store.held {}
            let key = SigningKey(id: Self.keyId, secret: Data(repeating: 7, count: 32), createdAt: there.time.now)
            try await there.store.write { try $0.keys.insert(key) }
            // Each runs at once, up to where it waits for the read that was before the key.
            let asking = (0..<20).map { _ in Task.immediate { try await keyRing.key(id: Self.keyId)?.id } }
            store.release()
            for task in asking { #expect(try await task.value == Self.keyId) }
            #expect(try await unknown == nil)
        }
    }

    @Test func `A token of the old key is let in by the newer server`() async throws {
        try await open { older, newer in
            let guest = try await older.guest()
            #expect(try keyId(guest.session) != Self.keyId)
            try await newer.caller(try #require(guest.session)).call(Contract.cart).good()
            let next = try await refresh(newer, guest.session)
            #expect(try keyId(next) == Self.keyId)
            try await older.caller(next).call(Contract.cart).good()
        }
    }

    @Test func `A refresh token that the newer server exchanged gives the same successor at the older`() async throws {
        try await open { older, newer in
            let guest = try await newer.guest()
            let successor = try await refresh(newer, guest.session)
            let again = try await refresh(older, guest.session)
            #expect(again.remoteSession.refreshToken == successor.remoteSession.refreshToken)
            // Learned by refreshing, the key signs at once.
            #expect(try keyId(again) == Self.keyId)
            for shop in [older, newer] { try await shop.caller(again).call(Contract.cart).good() }
        }
    }

    @Test func `Fifty exchanges at once at both servers give one successor`() async throws {
        try await open { older, newer in
            let guest = try await older.guest()
            let tokens = try await parallel(50) { index in
                try await refresh(index.isMultiple(of: 2) ? older : newer, guest.session).remoteSession.refreshToken
            }
            #expect(Set(tokens).count == 1)
        }
    }

    @Test func `A token that names a key that nobody has does not hinder the new one`() async throws {
        try await open { older, newer in
            let guest = try await newer.guest()
            let token = try #require(guest.session?.remoteSession.accessToken)
            let parts = token.split(separator: ".").map(String.init)
            let header = try #require(Data(base64URL: parts[0])).map(\.self)
            let text = String(decoding: header, as: UTF8.self).replacing(Self.keyId, with: "ffffffffffffffff")
            let unknown = "Bearer \(Data(text.utf8).base64URL).\(parts[1]).\(parts[2])"
            let there = older.caller(try #require(guest.session))
            let statuses = try await parallel(40) { index in
                index.isMultiple(of: 2)
                    ? try await older.anyone.send("GET", "/v1/cart", headers: ["Authorization": unknown]).status
                    : try await there.call(Contract.cart).status
            }
            #expect(statuses == (0..<40).map { $0.isMultiple(of: 2) ? 401 : 200 })
        }
    }
}
