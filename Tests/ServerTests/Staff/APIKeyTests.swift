import Foundation
import PouchContract
import PouchDomain
import PouchEntities
import PouchJSON
import PouchStorage
import PouchWire
import Testing

@Suite("API keys", .timeLimit(.minutes(5)))
struct APIKeyTests {
    @Test func `A key is shown once, listed without its secret, and revoked at once`() async throws {
        try await TestShop.open([]) { shop in
            let owner = try await shop.admin()
            let made = try await owner.newKey([.readOrders, .readCatalog], name: " till ").good()
            #expect(made.token.hasPrefix("sk_") && made.key.name == "till")
            let maker = try owner.accountId
            #expect(made.key.scopes == [.readCatalog, .readOrders] && made.key.createdBy == maker)
            try await shop.anyone.call(Contract.allOrders, headers: shop.bearer(made)).good()
            let list = try await owner.call(Contract.apiKeys)
            #expect(try list.good().items.map(\.id) == [made.key.id])
            #expect(!list.text.contains(made.token) && !list.text.contains(made.token.suffix(20)))
            #expect(!"\(made) \(String(reflecting: made))".contains(made.token))

            try await owner.call(Contract.revokeAPIKey, path: ["id": made.key.id]).good()
            try await shop.anyone.call(Contract.allOrders, headers: shop.bearer(made)).problem(.apiKeyInvalid)
            #expect(try await owner.call(Contract.apiKeys).good().items == [])
            try await owner.call(Contract.revokeAPIKey, path: ["id": made.key.id]).problem(.notFound)
        }
    }

    @Test func `A key cancels orders, which gives the money back, with the scope of refunds alone`() async throws {
        try await TestShop.open { shop in
            let owner = try await shop.admin()
            let order = try await shop.guest().order()
            for (scopes, isEnough) in [([Permission.writeOrders], false), ([.writeOrders, .refundOrders], true)] {
                let key = try await owner.newKey(scopes).good()
                let answer = try await shop.anyone.call(
                    Contract.cancelManagedOrder, path: ["id": order.id], headers: shop.bearer(key))
                if isEnough { try answer.good() } else { try answer.problem(.forbidden) }
            }
        }
    }

    @Test func `Only the hash is stored`() async throws {
        try await TestShop.open([]) { shop in
            let made = try await shop.admin().newKey([.readOrders]).good()
            let secret = try #require(made.token.split(separator: "_", maxSplits: 2).last)
            let row = try #require(
                try await shop.rows("SELECT hash, id || name || scopes || created_by FROM api_keys").first)
            let bytes = try #require(Data(base64URL: secret))
            #expect(bytes.count == 32)
            let hash = try row.data(0)
            #expect(hash.count == 32 && hash != bytes)
            #expect(try !row.text(1).contains(secret))
            #expect(hash != shop.environment.digests.sha256(Data(secret.utf8)))
        }
    }

    @Test func `A key with any change, or with another's secret, is refused`() async throws {
        try await TestShop.open([]) { shop in
            let owner = try await shop.admin()
            let (one, two) = (
                try await owner.newKey([.readOrders]).good(), try await owner.newKey([.readOrders]).good()
            )
            let parts = one.token.split(separator: "_", maxSplits: 2).map(String.init)
            let others = two.token.split(separator: "_", maxSplits: 2).map(String.init)
            for token in [
                "sk_", "sk__", "sk_\(parts[1])", "sk_\(parts[1])_", "sk_\(parts[1])_\(others[2])",
                "sk_\(parts[1])_\(parts[2].dropLast())", "sk_\(parts[1])_\(parts[2])x", "sk_x_\(parts[2])",
                "sk_" + String(repeating: "x", count: 1_000), "SK_\(parts[1])_\(parts[2])",
            ] {
                let answer = try await shop.anyone.send(
                    "GET", "/v1/admin/orders", headers: ["Authorization": "Bearer " + token])
                #expect(answer.status == 401, "\(token)")
                #expect(!answer.text.contains(parts[2]))
            }
            let proxied = try await shop.anyone.send(
                "GET", "/v1/admin/orders", headers: [HeaderName.accessToken: one.token, "Authorization": "Basic x"])
            #expect(proxied.status == 200)
        }
    }

    @Test func `A key ends at its expiry, which must lie ahead`() async throws {
        try await TestShop.open([]) { shop in
            let owner = try await shop.admin()
            let expiry = shop.clock.now.addingTimeInterval(60)
            let key = try await owner.newKey([.readOrders], expiresAt: expiry).good()
            shop.clock.advance(by: 59)
            try await shop.anyone.call(Contract.allOrders, headers: shop.bearer(key)).good()
            shop.clock.advance(by: 1)
            try await shop.anyone.call(Contract.allOrders, headers: shop.bearer(key)).problem(.apiKeyInvalid)
            let past = try await owner.newKey([.readOrders], expiresAt: expiry).problem(.validationFailed).problem
            #expect(past.errors?.map(\.field) == ["expiresAt"])
            #expect(past.errors?.map(\.detail) == ["The end must be in the future."])
            try await owner.newKey([]).problem(.validationFailed)
            try await owner.newKey([.unrecognised]).problem(.validationFailed)
            try await owner.newKey([.readOrders], name: "").problem(.validationFailed)
        }
    }

    @Test func `The last use is noted at most once a minute`() async throws {
        try await TestShop.open([]) { shop in
            let owner = try await shop.admin()
            let key = try await owner.newKey([.readOrders]).good()
            func use() async throws -> Date? {
                try await shop.anyone.call(Contract.allOrders, headers: shop.bearer(key)).good()
                return try await owner.call(Contract.apiKeys).good().items.first?.lastUsedAt
            }
            #expect(try await owner.call(Contract.apiKeys).good().items.first?.lastUsedAt == nil)
            let first = shop.clock.now
            #expect(try await use() == first)
            shop.clock.advance(by: 59)
            #expect(try await use() == first)
            shop.clock.advance(by: 1)
            #expect(try await use() == first.addingTimeInterval(60))
        }
    }

    @Test func `A key refunds by its scope, without a password, and its idempotency keys are its own`() async throws {
        try await TestShop.open { shop in
            let (owner, guest) = (try await shop.admin(), try await shop.guest())
            let order = try await guest.order()
            let key = try await owner.newKey([.refundOrders]).good()
            let program = shop.bearer(key).merging([HeaderName.idempotencyKey: "k"]) { $1 }
            let request = RefundOrderRequest(amount: Money(100, .eur), reason: "late")
            func refund() async throws -> Answered<Refund> {
                try await shop.anyone.call(Contract.refundOrder, request, path: ["id": order.id], headers: program)
            }
            let own = try await owner.refund(order.id, amount: 100, key: "k").good()
            // The password was confirmed too long ago by now, for a person.
            shop.clock.advance(by: 800)
            let first = try await refund().good()
            #expect(first.id != own.id)
            let again = try await refund()
            #expect(try again.good().id == first.id && again.header(HeaderName.idempotentReplayed) == "true")
            #expect(try await guest.order(id: order.id).payment.refunded.amount == 200)
            let owners = try await shop.rows("SELECT owner_id FROM idempotency WHERE key = 'k' ORDER BY owner_id")
            let expected = [try owner.accountId, key.key.id].sorted()
            #expect(try owners.map { try $0.text(0) } == expected)
        }
    }

    @Test func `A revoked key cannot finish an upload that it began`() async throws {
        try await TestShop.open([]) { shop in
            let owner = try await shop.admin()
            let key = try await owner.newKey([.writeCatalog]).good()
            var principal = try await APIKeys(shop.environment).principal(of: key.token)
            principal.demand = Principal.Demand(permission: .writeCatalog)
            try await shop.store.read { [principal] in try principal.checkSession(in: $0) }
            try await owner.call(Contract.revokeAPIKey, path: ["id": key.key.id]).good()
            await #expect(throws: DomainError.apiKeyInvalid) {
                try await shop.store.write { [principal] in try principal.checkSession(in: $0) }
            }
            principal.demand = nil
            await #expect(throws: DomainError.apiKeyInvalid) {
                try await shop.store.read { [principal] in try principal.checkSession(.readCommitted, in: $0) }
            }
        }
    }

    @Test func `A shop has at most a hundred keys`() async throws {
        try await TestShop.open([]) { shop in
            let owner = try await shop.admin()
            let first = try await owner.newKey([.readOrders]).good()
            for _ in 1..<ModelLimits.apiKeys { try await owner.newKey([.readOrders]).good() }
            try await owner.newKey([.readOrders]).problem(.limitReached)
            try await owner.call(Contract.revokeAPIKey, path: ["id": first.key.id]).good()
            try await owner.newKey([.readOrders]).good()
        }
    }
}
