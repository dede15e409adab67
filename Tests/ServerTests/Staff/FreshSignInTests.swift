import ServerTesting
import Testing

@Suite("Fresh sign-ins", .inShop(), .timeLimit(.minutes(5)))
struct FreshSignInTests {
    private static let endpoints = Contract.all.filter { $0.features.contains(.freshSignIn) }.map(\.endpoint)

    /// The reasons: each of these endpoints gives something away permanently.
    private static let reasons: [String: [any AnyExchange]] = [
        "money": [Contract.refundOrder, Contract.cancelManagedOrder],
        "a role": [Contract.inviteStaff, Contract.changeStaffRole, Contract.removeStaff],
        "a way in that outlasts the session": [Contract.createAPIKey],
        "all orders from now on, perhaps to another address": [Contract.addWebhook, Contract.updateWebhook],
        "the secret that proves the sender": [Contract.rotateWebhookSecret],
        "the protection of the account": [
            Contract.beginSecondFactor, Contract.enableSecondFactor, Contract.removeSecondFactor,
        ],
    ]

    /// Changes by the staff that can be taken back, or that must not wait.
    private static let harmless: [String: [any AnyExchange]] = [
        "must be quick": [Contract.revokeAPIKey], "gives nothing away": [Contract.deleteWebhook],
        "goes where it went": [Contract.redeliverWebhook],
        "no money": [Contract.fulfilOrder, Contract.deliverOrder, Contract.updateOrder, Contract.addOrderNote],
        "orders with it can be cancelled": [Contract.addDiscount, Contract.updateDiscount, Contract.schedulePrice],
        "can be changed, imported or added again": [
            Contract.importCatalog, Contract.updateVariant, Contract.deleteDiscount, Contract.deleteScheduledPrice,
            Contract.addProduct, Contract.updateProduct, Contract.addPicture, Contract.setCategory,
            Contract.deleteCategory, Contract.setSeason, Contract.deleteSeason, Contract.setTheme,
            Contract.deleteTheme, Contract.setPromotions,
        ],
        "the lists have the same; audited": [Contract.exportOrders, Contract.exportCustomers],
    ]

    private let shop = TestShop.current
    private let owner: Caller

    init() async throws { owner = try await shop.admin() }

    @Test func `Only endpoints that permanently give away money, data or access need a fresh sign-in`() {
        let reasons = Set(Self.reasons.values.joined().map(\.endpoint))
        let harmless = Set(Self.harmless.values.joined().map(\.endpoint))
        #expect(Set(Self.endpoints) == reasons)
        let changes = Endpoint.all.filter { $0.access.isForStaff && $0.method != .get }
        #expect(Set(changes).subtracting(reasons).subtracting(harmless).map(\.name) == [])
        #expect(reasons.isDisjoint(with: harmless))
    }

    @Test func `An old session of any member cannot cancel a paid order or change a webhook's address`() async throws {
        let (support, guest) = (try await shop.staff(.support), try await shop.guest())
        let order = try await guest.order()
        let hook = try await owner.addWebhook("https://example.com/a").good().webhook
        shop.clock.advance(by: 11 * 60)
        for member in [owner, support] {
            try await member.call(Contract.cancelManagedOrder, path: ["id": order.number]).problem(.freshSignInRequired)
        }
        try await owner.change(hook.id, WebhookPatch(url: "https://evil.example/")).problem(.freshSignInRequired)
        #expect(try await guest.order(id: order.id).status == .paid)
        #expect(try await owner.webhook(hook.id).url == "https://example.com/a")
        try await support.confirm().good()
        let cancelled = try await support.call(Contract.cancelManagedOrder, path: ["id": order.number]).good()
        #expect(cancelled.status == .cancelled)
    }

    @Test(arguments: endpoints)
    func `Ten minutes after the sign-in any request is refused, even a malformed one`(endpoint: Endpoint) async throws {
        shop.clock.advance(by: Principal.Requirements.freshness)
        #expect(try await owner.request(endpoint).status != 403)
        shop.clock.advance(by: 1)
        try await owner.request(endpoint).problem(.freshSignInRequired)
    }

    @Test func `A confirmed password lets the same refund pass, under the same key`() async throws {
        let guest = try await shop.guest()
        let order = try await guest.order()
        shop.clock.advance(by: 11 * 60)
        try await owner.refund(order.id, amount: 100, key: "k").problem(.freshSignInRequired)
        #expect(try await guest.order(id: order.id).payment.refunded.amount == 0)
        try await owner.confirm("wrong password").problem(.invalidCredentials)
        try await owner.refund(order.id, amount: 100, key: "k").problem(.freshSignInRequired)
        try await owner.confirm().good()
        try await owner.refund(order.id, amount: 100, key: "k").good()
        #expect(try await guest.order(id: order.id).payment.refunded.amount == 100)
    }

    @Test func `Only the confirmed session is fresh, for ten minutes; refreshed tokens are not`() async throws {
        let other = try await shop.signIn("grace@example.com")
        shop.clock.advance(by: 11 * 60)
        try await owner.confirm().good()
        try await owner.invite("a@example.com", as: .support).good()
        try await other.invite("a@example.com", as: .support).problem(.freshSignInRequired)
        let refreshed = try await shop.refresh(other.refreshToken).good()
        try await shop.caller(refreshed).invite("a@example.com", as: .support).problem(.freshSignInRequired)
        #expect(refreshed.role == .owner)
    }

    @Test func `With a second factor the password alone does not confirm`() async throws {
        let (secret, recovery) = try await shop.enrol(owner)
        shop.clock.advance(by: 11 * 60)
        try await owner.confirm().problem(.secondFactorRequired)
        try await owner.confirm(code: "000000").problem(.secondFactorInvalid)
        try await owner.newKey([.readOrders]).problem(.freshSignInRequired)
        let code = try shop.code(secret)
        try await owner.confirm(code: code).good()
        try await owner.newKey([.readOrders]).good()
        try await owner.confirm(code: code).problem(.secondFactorInvalid)
        try await owner.confirm(code: recovery[0]).good()
    }

    @Test func `Wrong passwords are counted as at the sign-in`() async throws {
        let customer = try await shop.customer()
        for _ in 0..<10 { try await customer.confirm("wrong password").problem(.invalidCredentials) }
        try await customer.confirm().problem(.tooManyAttempts)
        try await shop.signIn("ada@example.com", code: nil).problem(.tooManyAttempts)
    }
}
