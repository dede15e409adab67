import ServerTesting
import Testing

@Suite("API keys", .inShop(), .timeLimit(.minutes(5)))
struct APIKeyTests {
    private let shop = TestShop.current
    private let owner: Caller

    init() async throws { owner = try await shop.admin() }

    @Test func `A key is shown once, listed without its secret, and revoked at once`() async throws {
        let made = try await owner.newKey([.readOrders, .readCatalog], name: " till ").good()
        #expect(made.token.hasPrefix("sk_") && made.key.name == "till")
        #expect(try made.key.scopes == [.readCatalog, .readOrders] && made.key.createdBy == owner.accountId)
        try await shop.orders(by: made).good()
        let list = try await owner.call(Contract.apiKeys)
        #expect(try list.good().items.map(\.id) == [made.key.id])
        #expect(!list.text.contains(made.token) && !list.text.contains(made.token.suffix(20)))
        #expect(!"\(made) \(String(reflecting: made))".contains(made.token))
        try await owner.revoke(made).good()
        try await shop.orders(by: made).problem(.apiKeyInvalid)
        #expect(try await owner.call(Contract.apiKeys).good().items == [])
        try await owner.revoke(made).problem(.notFound)
    }

    @Test func `A key cancels orders, which gives the money back, with the scope of refunds alone`() async throws {
        let order = try await shop.guest().order()
        func cancel(_ scopes: [Permission]) async throws -> Answered<Order> {
            let key = try await owner.newKey(scopes).good()
            return try await shop.anyone.call(
                Contract.cancelManagedOrder, path: ["id": order.id], headers: shop.bearer(key))
        }
        try await cancel([.writeOrders]).problem(.forbidden)
        try await cancel([.writeOrders, .refundOrders]).good()
    }

    @Test func `Only the hash is stored`() async throws {
        let made = try await owner.newKey([.readOrders]).good()
        let secret = try #require(made.token.split(separator: "_", maxSplits: 2).last)
        let row = try #require(
            try await shop.rows("SELECT hash, id || name || scopes || created_by FROM api_keys").first)
        let bytes = try #require(Data(base64URL: secret))
        let hash = try row.data(0)
        #expect(bytes.count == 32 && hash.count == 32 && hash != bytes)
        #expect(hash != shop.environment.digests.sha256(Data(secret.utf8)))
        #expect(try !row.text(1).contains(secret))
    }

    @Test func `A key with a changed character or another key's secret is refused`() async throws {
        func parts() async throws -> (token: String, id: String, secret: String) {
            let token = try await owner.newKey([.readOrders]).good().token
            let parts = token.split(separator: "_", maxSplits: 2).map(String.init)
            return (token, parts[1], parts[2])
        }
        let (token, id, secret) = try await parts()
        let other = try await parts().secret
        for token in [
            "sk_", "sk__", "sk_\(id)", "sk_\(id)_", "sk_\(id)_\(other)", "sk_\(id)_\(secret.dropLast())",
            "sk_\(id)_\(secret)x", "sk_x_\(secret)", "sk_" + String(repeating: "x", count: 1_000), "SK_\(id)_\(secret)",
        ] {
            let answer = try await shop.anyone.send(
                "GET", "/v1/admin/orders", headers: ["Authorization": "Bearer " + token])
            #expect(answer.status == 401, "\(token)")
            #expect(!answer.text.contains(secret))
        }
        let proxied = try await shop.anyone.send(
            "GET", "/v1/admin/orders", headers: [HeaderName.accessToken: token, "Authorization": "Basic x"])
        #expect(proxied.status == 200)
    }

    @Test func `A key ends at its expiry, which must be in the future`() async throws {
        let expiry = shop.clock.now.addingTimeInterval(60)
        let key = try await owner.newKey([.readOrders], expiresAt: expiry).good()
        shop.clock.advance(by: 59)
        try await shop.orders(by: key).good()
        shop.clock.advance(by: 1)
        try await shop.orders(by: key).problem(.apiKeyInvalid)
        let past = try await owner.newKey([.readOrders], expiresAt: expiry).problem(.validationFailed).problem
        #expect(past.errors?.map(\.field) == ["expiresAt"])
        #expect(past.errors?.map(\.detail) == ["The end must be in the future."])
        try await owner.newKey([]).problem(.validationFailed)
        try await owner.newKey([.unrecognised]).problem(.validationFailed)
        try await owner.newKey([.readOrders], name: "").problem(.validationFailed)
    }

    @Test func `The last use is noted at most once a minute`() async throws {
        let key = try await owner.newKey([.readOrders]).good()
        func lastUse() async throws -> Date? { try await owner.call(Contract.apiKeys).good().items.first?.lastUsedAt }
        #expect(try await lastUse() == nil)
        let first = shop.clock.now
        for (seconds, noted) in [(0, 0), (59, 0), (1, 60)] as [(TimeInterval, TimeInterval)] {
            shop.clock.advance(by: seconds)
            try await shop.orders(by: key).good()
            #expect(try await lastUse() == first.addingTimeInterval(noted))
        }
    }

    @Test func `A key refunds by its scope, without a password, and its idempotency keys are its own`() async throws {
        let guest = try await shop.guest()
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
        #expect(try again.good().id == first.id && again.replayed == "true")
        #expect(try await guest.order(id: order.id).payment.refunded.amount == 200)
        let owners = try await shop.rows("SELECT owner_id FROM idempotency WHERE key = 'k' ORDER BY owner_id")
        let expected = [try owner.accountId, key.key.id].sorted()
        #expect(try owners.map { try $0.text(0) } == expected)
    }

    @Test func `A revoked key cannot finish an upload that it began`() async throws {
        let key = try await owner.newKey([.writeCatalog]).good()
        var principal = try await APIKeys(shop.environment).principal(of: key.token)
        principal.requirements = Principal.Requirements(permission: .writeCatalog)
        try await shop.store.read { [principal] in try principal.checkSession(in: $0) }
        try await owner.revoke(key).good()
        await #expect(throws: DomainError.apiKeyInvalid) {
            try await shop.store.write { [principal] in try principal.checkSession(in: $0) }
        }
        principal.requirements = nil
        await #expect(throws: DomainError.apiKeyInvalid) {
            try await shop.store.read { [principal] in try principal.checkSession(.readCommitted, in: $0) }
        }
    }

    @Test func `A shop has at most a hundred keys`() async throws {
        let first = try await owner.newKey([.readOrders]).good()
        for _ in 1..<ModelLimits.apiKeys { try await owner.newKey([.readOrders]).good() }
        try await owner.newKey([.readOrders]).problem(.limitReached)
        try await owner.revoke(first).good()
        try await owner.newKey([.readOrders]).good()
    }
}
