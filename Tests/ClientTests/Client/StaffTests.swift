import ClientTesting
import Foundation
import PouchClient
import PouchContract
import PouchNetwork
import PouchTesting
import PouchWire
import Testing

/// Staff, fresh sign-ins, second factors and API keys, as a program sees them.
@Suite(.timeLimit(.minutes(5)))
struct StaffTests {
    private static let key = Secret("sk_0123_secret_part")

    private func client(
        over transport: any Transport, sessions: any SessionStore = MemorySessionStore()
    ) throws -> Pouch {
        Pouch(
            server: try #require(URL(string: "http://shop.test")), transport: transport, sessionStore: sessions,
            apiKey: Self.key, network: .once)
    }

    @Test func `a client with an API key sends it where a token is needed, and starts no session`() async throws {
        let transport = RecordingTransport { _ in .json(Page<Order>(items: [])) }
        let pouch = try client(over: transport)
        _ = try await pouch.admin.orders()
        _ = try? await pouch.catalog.seasons()
        let reason = await thrownReason { try await pouch.account.signIn(email: "a@example.com", password: "12345678") }
        #expect(reason == .forbidden)
        let tokens = transport.requests.map { $0.headers["Authorization"] }
        #expect(tokens == ["Bearer sk_0123_secret_part", nil])
    }

    @Test func `a refused key is an error of its own, without a second try and without the key in it`() async throws {
        let transport = RecordingTransport { _ in .problem(.apiKeyInvalid) }
        let pouch = try client(over: transport)
        let error = await #expect(throws: DataError.self) { try await pouch.admin.orders() }
        #expect(error?.reason == .apiKeyInvalid && transport.requests.count == 1)
        let texts = ["\(error.debugDescription)", error?.errorDescription ?? "", String(reflecting: pouch)]
        #expect(texts.allSatisfy { !$0.contains("secret_part") })
    }

    @Test func `a client with an API key leaves the stored session alone, and is not signed in`() async throws {
        let stored = try UserSession.sample().json()
        let sessions = MemorySessionStore(stored)
        let pouch = try client(over: RecordingTransport { _ in .problem(.apiKeyInvalid) }, sessions: sessions)
        #expect(try await pouch.account.restore() == nil)
        _ = try? await pouch.admin.fulfil(id: "ord_1")
        #expect(await sessions.load() == stored)
    }

    @Test func `a client with an API key refuses what needs an account before it sends anything`() async throws {
        let stored = try UserSession.sample().json()
        let (sessions, transport) = (MemorySessionStore(stored), RecordingTransport { _ in .problem(.internalError) })
        let pouch = try client(over: transport, sessions: sessions)
        let refused: [() async throws -> Void] = [
            { try await pouch.cart.refresh() }, { try await pouch.cart.add(sku: "mini", quantity: 1) },
            { _ = try await pouch.orders.orders() }, { _ = try await pouch.account.profile() },
            { try await pouch.account.sessionOrGuest() },
        ]
        for call in refused {
            let error = await #expect(throws: DataError.self) { try await call() }
            #expect(error?.reason == .forbidden && error?.detail == "An API key has no account.")
        }
        #expect(transport.requests.isEmpty)
        #expect(await sessions.load() == stored)
    }

    @Test func `a write of a key has an idempotency key, and a repeat after a lost answer the same`() async throws {
        let transport = RecordingTransport { _ throws(NetworkError) in throw .timedOut }
        let pouch = try client(over: transport)
        let draft = RefundDraft(.rest, reason: "late")
        for _ in 0..<2 { _ = try? await pouch.admin.refund(orderId: "ord_1", draft) }
        let keys = transport.requests.map { $0.headers[HeaderName.idempotencyKey] }
        #expect(keys.count == 2 && keys[0] != nil && keys[0] == keys[1])
    }

    @Test func `a sign-in needs the code of the second factor`() async throws {
        let shop = TestShop()
        shop.change { $0.secondFactors["ada@example.com"] = "287082" }
        let pouch = Pouch(testing: shop)
        func reason(_ email: String, code: String?) async -> DataError.Reason? {
            await thrownReason { try await pouch.account.signIn(email: email, password: "12345678", code: code) }
        }
        #expect(await reason("Ada@example.com", code: nil) == .secondFactorRequired)
        #expect(await reason("ada@example.com", code: "000000") == .secondFactorInvalid)
        #expect(pouch.account.session == nil)
        try await pouch.account.signIn(email: "ada@example.com", password: "12345678", code: "287082")
        #expect(pouch.account.session?.profile?.email == "ada@example.com")
    }

    @Test func `what needs a fresh sign-in is refused until the password is confirmed`() async throws {
        let shop = TestShop()
        shop.change { $0.asksForPasswords = true }
        shop.answer(Contract.refundOrder) { _ in .problem(.refundExceedsCapture) }
        shop.answerItself(Contract.refundOrder)
        let pouch = Pouch(testing: shop, signedInAs: .sample(kind: .admin))
        func reason() async -> DataError.Reason? {
            let draft = RefundDraft(.rest, reason: "late")
            return await thrownReason { try await pouch.admin.refund(orderId: "ord_1", draft) }
        }
        #expect(await reason() == .freshSignInRequired)
        try await pouch.account.confirm(password: "12345678")
        #expect(await reason() != .freshSignInRequired)
    }

    @Test func `a test shop refuses what a role may not do`() async throws {
        let shop = TestShop()
        shop.change { $0.roles[Profile.sample().id] = .support }
        let pouch = Pouch(testing: shop, signedInAs: .sample(kind: .admin))
        let error = await #expect(throws: DataError.self) {
            try await pouch.admin.refund(orderId: "ord_1", RefundDraft(.rest, reason: "late"))
        }
        #expect(error?.reason == .forbidden)
        let reason = "Your role (support) does not have the permission orders:refund. Ask an owner for it."
        #expect(error?.errorDescription == "You do not have permission to do this. \(reason)")
    }
}
