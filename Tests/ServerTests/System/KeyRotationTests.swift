import Foundation
import PouchContract
import PouchDomain
import PouchEntities
import PouchJSON
import PouchServer
import PouchStorage
import PouchWire
import Synchronization
import Testing

/// The tests do not move the clock: a key is valid as soon as it is in the database.
@Suite("Signing key rotation", .timeLimit(.minutes(5)), .inShop(runsJobs: false))
struct KeyRotationTests {
    private static let keyId = "0123456789abcdef"

    /// The server that runs before the new key exists.
    private let older = TestShop.current

    private func addKey(to shop: TestShop) async throws {
        let key = SigningKey(id: Self.keyId, secret: Data(repeating: 7, count: 32), createdAt: shop.clock.now + 1)
        try await shop.store.write { try $0.keys.insert(key) }
    }

    /// Runs a server of the shop that signs with the new key.
    private func open(_ body: @Sendable (_ newer: TestShop) async throws -> Void) async throws {
        try await addKey(to: older)
        try await older.another(body)
    }

    /// The id of the key that signed the session's access token.
    private func keyId(_ session: UserSession?) throws -> String? {
        struct Header: Decodable { let kid: String }
        let text = try #require(session?.remoteSession.accessToken.split(separator: ".").first)
        return try Data(base64URL: text).map { try JSONDecoder().decode(Header.self, from: $0).kid }
    }

    @Test func `The older server accepts fifty concurrent requests with a token of the new key`() async throws {
        try await open { newer in
            let guest = try await newer.guest()
            #expect(try keyId(guest.session) == Self.keyId)
            let there = older.caller(try #require(guest.session))
            let statuses = try await parallel(50) { _ in try await there.call(Contract.cart).status }
            #expect(statuses == Array(repeating: 200, count: 50))
        }
    }

    @Test func `A key that is added while another is looked up is found`() async throws {
        let there = older.environment
        let store = HeldReadStore(older.store)
        let keyRing = try await KeyRing(
            DomainEnvironment(
                store: store, time: there.time, random: there.random, digests: there.digests, shop: there.shop))
        async let unknown = keyRing.key(id: "ffffffffffffffff")
        for await _ in store.held {}
        try await addKey(to: older)
        // Each task runs up to the wait for the read that started before the key was added.
        let asking = (0..<20).map { _ in Task.immediate { try await keyRing.key(id: Self.keyId)?.id } }
        store.release()
        for task in asking { #expect(try await task.value == Self.keyId) }
        #expect(try await unknown == nil)
    }

    @Test func `A running server refuses the tokens of a key that was removed, and apps get new ones`() async throws {
        try await TestShop.open { shop in
            let customer = try await shop.customer()
            let old = try #require(try keyId(customer.session))
            try await addKey(to: shop)
            try await customer.profile().good()
            #expect(try await shop.store.write { try $0.keys.remove(id: old) })
            try await eventually { try await customer.profile().status == 401 }
            let refreshed = try await shop.refresh(customer.refreshToken).good()
            #expect(try keyId(refreshed) == Self.keyId)
            try await shop.caller(refreshed).profile().good()
        }
    }

    @Test func `The newer server accepts a token of the old key`() async throws {
        try await open { newer in
            let guest = try await older.guest()
            #expect(try keyId(guest.session) != Self.keyId)
            try await newer.caller(try #require(guest.session)).call(Contract.cart).good()
            let next = try await newer.refresh(guest.refreshToken).good()
            #expect(try keyId(next) == Self.keyId)
            try await older.caller(next).call(Contract.cart).good()
        }
    }

    @Test func `Both servers give a refresh token the same successor`() async throws {
        try await open { newer in
            let guest = try await newer.guest()
            let successor = try await newer.refresh(guest.refreshToken).good()
            let again = try await older.refresh(guest.refreshToken).good()
            #expect(again.remoteSession.refreshToken == successor.remoteSession.refreshToken)
            // The older server signs with the new key once it has seen it.
            #expect(try keyId(again) == Self.keyId)
            for shop in [older, newer] { try await shop.caller(again).call(Contract.cart).good() }
        }
    }

    @Test func `Fifty concurrent exchanges at both servers give one successor`() async throws {
        try await open { newer in
            let guest = try await older.guest()
            let tokens = try await parallel(50) { index in
                let shop = index.isMultiple(of: 2) ? older : newer
                return try await shop.refresh(guest.refreshToken).good().remoteSession.refreshToken
            }
            #expect(Set(tokens).count == 1)
        }
    }

    @Test func `A token with an unknown key does not block tokens of the new key`() async throws {
        try await open { newer in
            let guest = try await newer.guest()
            let parts = try guest.accessToken.split(separator: ".")
            let header = String(decoding: try #require(Data(base64URL: parts[0])), as: UTF8.self)
            let text = header.replacing(Self.keyId, with: "ffffffffffffffff")
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

/// A store that holds back the result of its first read until `release()`.
final class HeldReadStore: Store {
    typealias Transaction = ShopDatabase.Transaction

    /// Ends once the first read has its result.
    let held: AsyncStream<Never>
    private let hold: AsyncStream<Never>.Continuation
    private let released: AsyncStream<Never>
    private let goOn: AsyncStream<Never>.Continuation
    private let isFirst = Mutex(true)
    private let store: ShopDatabase

    init(_ store: ShopDatabase) {
        self.store = store
        (held, hold) = AsyncStream.makeStream()
        (released, goOn) = AsyncStream.makeStream()
    }

    func release() { goOn.finish() }

    func read<Value: Sendable>(_ body: @escaping Body<Value>) async throws -> Value {
        let value = try await store.read(body)
        let isHeld = isFirst.withLock { isFirst in
            defer { isFirst = false }
            return isFirst
        }
        if isHeld {
            hold.finish()
            for await _ in released {}
        }
        return value
    }

    func write<Value: Sendable>(_ isolation: Isolation, _ body: @escaping Body<Value>) async throws -> Value {
        try await store.write(isolation, body)
    }
}
