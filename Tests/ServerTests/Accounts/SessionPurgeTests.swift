import Foundation
import PouchContract
import PouchDomain
import PouchEntities
import PouchServer
import PouchStorage
import PouchWire
import Testing

@Suite("Forgetting sessions that have had their time")
struct SessionPurgeTests {
    private static let day: TimeInterval = 24 * 3600

    /// A shop whose own purging stays out of the way.
    private func open(_ body: @escaping @Sendable (TestShop) async throws -> Void) async throws {
        try await TestShop.open(configure: { $0.settlementInterval = .seconds(3600) }, body)
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

    @Test func `A guest's goes with its cart a day after the last refresh token, and a living guest's stays`()
        async throws
    {
        try await open { shop in
            let (gone, living) = (try await shop.guest(), try await shop.guest())
            for guest in [gone, living] { try await guest.add("cap").good() }
            let order = try await gone.buyNow().good()
            let ids = (try #require(gone.session?.id), try #require(living.session?.id))
            for owner in [ids.0, ids.1] {
                _ = try await shop.store.write {
                    try $0.discounts.claim(id: "dis_1", ownerId: owner, limit: nil)
                }
            }
            shop.clock.advance(by: 20 * Self.day)
            let token = try #require(living.session?.remoteSession.refreshToken)
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

    @Test func `A customer's goes, and the account keeps its cart`() async throws {
        try await open { shop in
            let customer = try await shop.customer()
            try await customer.add("cap").good()
            shop.clock.advance(by: 31 * Self.day + 1)
            try await purge(shop)
            #expect(try await sessions(shop) == [])
            #expect(try await shop.signIn().cart().lines.map(\.sku) == ["cap"])
        }
    }

    @Test func `Each transaction forgets so many at most, and tells whether there may be more`() async throws {
        try await open { shop in
            for _ in 0..<5 { try await shop.guest().add("cap").good() }
            shop.clock.advance(by: 31 * Self.day + 1)
            let living = try await shop.guest()
            try await living.add("cap").good()
            var left: [Int] = []
            let before = shop.clock.now - Self.day
            while try await shop.store.write({ try $0.sessions.purge(before: before, limit: 2) }) {
                let (sessions, carts) = (try await sessions(shop), try await owners(shop, "carts"))
                #expect(sessions == carts)
                left.append(sessions.count)
            }
            #expect(left == [4, 2])
            #expect(try await sessions(shop) == [try #require(living.session?.id)])
            #expect(try await owners(shop, "cart_lines") == sessions(shop))
        }
    }

    @Test func `Failed sign-ins are forgotten so many at a time`() async throws {
        try await open { shop in
            let (now, old) = (shop.clock.now, shop.clock.now - Self.day - 1)
            _ = try await shop.store.write { repositories in
                for number in 0..<5 {
                    try repositories.sessions.addFailure(key: Data([UInt8(number)]), at: old)
                }
                try repositories.sessions.addFailure(key: Data([0]), at: now)
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

    @Test func `A server does it by itself`() async throws {
        try await TestShop.open { shop in
            try await shop.guest().add("cap").good()
            shop.clock.advance(by: 31 * Self.day + 1)
            try await eventually { try await sessions(shop).isEmpty }
            #expect(try await owners(shop, "cart_lines") == [])
        }
    }
}
