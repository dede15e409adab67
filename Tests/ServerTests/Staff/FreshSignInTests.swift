import Foundation
import PouchContract
import PouchDomain
import PouchEntities
import PouchWire
import Testing

@Suite("Fresh sign-ins", .timeLimit(.minutes(5)))
struct FreshSignInTests {
    private static let endpoints = Contract.all.filter { $0.features.contains(.freshSignIn) }.map(\.endpoint)

    /// The reasons: each of these endpoints gives something away permanently.
    private static let reasons: [Endpoint: String] = [
        .refundOrder: "money", .cancelManagedOrder: "money: what is left of the charge",
        .inviteStaff: "a role", .changeStaffRole: "a role", .removeStaff: "a role",
        .createAPIKey: "a way in that outlasts the session",
        .addWebhook: "all orders from now on", .updateWebhook: "all orders from now on, to another address",
        .rotateWebhookSecret: "the secret that proves the sender",
        .beginSecondFactor: "the protection of the account", .enableSecondFactor: "the protection of the account",
        .removeSecondFactor: "the protection of the account",
    ]

    /// Changes by the staff that can be taken back, or that must not wait.
    private static let harmless: [Endpoint: String] = [
        .revokeAPIKey: "must be quick", .deleteWebhook: "gives nothing away", .redeliverWebhook: "goes where it went",
        .fulfilOrder: "no money", .deliverOrder: "no money", .updateOrder: "no money", .addOrderNote: "no money",
        .importCatalog: "can be imported again", .updateVariant: "can be changed again",
        .addDiscount: "orders with it can be cancelled", .updateDiscount: "orders with it can be cancelled",
        .deleteDiscount: "can be added again", .schedulePrice: "orders with it can be cancelled",
        .deleteScheduledPrice: "can be added again", .addProduct: "can be changed again",
        .updateProduct: "can be changed again", .addPicture: "can be changed again",
        .setCategory: "can be changed again", .deleteCategory: "can be added again",
        .setSeason: "can be changed again", .deleteSeason: "can be added again", .setTheme: "can be changed again",
        .deleteTheme: "can be added again", .setPromotions: "can be changed again",
        .exportOrders: "the lists have the same; audited", .exportCustomers: "the lists have the same; audited",
    ]

    @Test func `Endpoints that give money, data or access away permanently need a fresh sign-in, and no others`() {
        #expect(Set(Self.endpoints) == Set(Self.reasons.keys))
        let changes = Endpoint.all.filter { $0.access.isForStaff && $0.method != .get }
        let decided = Set(Self.reasons.keys).union(Self.harmless.keys)
        #expect(Set(changes).subtracting(decided).map(\.name) == [])
        #expect(Set(Self.reasons.keys).isDisjoint(with: Self.harmless.keys))
    }

    @Test func `A paid order is not cancelled, and no webhook moved, by an old session of any member`() async throws {
        try await TestShop.open { shop in
            let (owner, support, guest) = (
                try await shop.admin(), try await shop.staff(.support), try await shop.guest()
            )
            let order = try await guest.order()
            let hook = try await owner.addWebhook("https://example.com/a").good().webhook
            shop.clock.advance(by: 11 * 60)
            for member in [owner, support] {
                try await member.call(Contract.cancelManagedOrder, path: ["id": order.number])
                    .problem(.freshSignInRequired)
            }
            try await owner.call(
                Contract.updateWebhook, WebhookPatch(url: "https://evil.example/"), path: ["id": hook.id]
            ).problem(.freshSignInRequired)
            #expect(try await guest.order(id: order.id).status == .paid)
            #expect(try await owner.webhook(hook.id).url == "https://example.com/a")
            try await support.call(Contract.confirmSession, ConfirmationRequest(password: .password)).good()
            let cancelled = try await support.call(Contract.cancelManagedOrder, path: ["id": order.number]).good()
            #expect(cancelled.status == .cancelled)
        }
    }

    @Test(arguments: endpoints)
    func `Ten minutes after the sign-in the request is refused, however malformed it is`(endpoint: Endpoint)
        async throws
    {
        try await TestShop.open([]) { shop in
            let owner = try await shop.admin()
            func answer() async throws -> Answered<Void> {
                try await owner.send(endpoint.method.rawValue, endpoint.template.path(["id": "x"]), "{}")
            }
            shop.clock.advance(by: Principal.Demand.freshness)
            #expect(try await answer().status != 403)
            shop.clock.advance(by: 1)
            try await answer().problem(.freshSignInRequired)
        }
    }

    @Test func `A confirmed password lets the same refund pass, under the same key`() async throws {
        try await TestShop.open { shop in
            let (owner, guest) = (try await shop.admin(), try await shop.guest())
            let order = try await guest.order()
            shop.clock.advance(by: 11 * 60)
            try await owner.refund(order.id, amount: 100, key: "k").problem(.freshSignInRequired)
            #expect(try await guest.order(id: order.id).payment.refunded.amount == 0)
            try await owner.call(Contract.confirmSession, ConfirmationRequest(password: "wrong password"))
                .problem(.invalidCredentials)
            try await owner.refund(order.id, amount: 100, key: "k").problem(.freshSignInRequired)
            try await owner.call(Contract.confirmSession, ConfirmationRequest(password: .password)).good()
            try await owner.refund(order.id, amount: 100, key: "k").good()
            #expect(try await guest.order(id: order.id).payment.refunded.amount == 100)
        }
    }

    @Test func `Only the confirmed session is fresh, for ten minutes, and a refresh makes none fresh`() async throws {
        try await TestShop.open([]) { shop in
            let owner = try await shop.admin()
            let other = try await shop.signIn("grace@example.com")
            shop.clock.advance(by: 11 * 60)
            try await owner.call(Contract.confirmSession, ConfirmationRequest(password: .password)).good()
            try await owner.invite("a@example.com", as: .support).good()
            try await other.invite("a@example.com", as: .support).problem(.freshSignInRequired)
            let tokens = try #require(other.session?.remoteSession)
            let refreshed = try await shop.anyone.call(
                Contract.refreshSession, RefreshRequest(refreshToken: tokens.refreshToken)
            ).good()
            try await shop.caller(refreshed).invite("a@example.com", as: .support).problem(.freshSignInRequired)
            #expect(refreshed.role == .owner)
        }
    }

    @Test func `With a second factor the password alone does not confirm`() async throws {
        try await TestShop.open([]) { shop in
            let owner = try await shop.admin()
            let (secret, recovery) = try await shop.enrol(owner)
            shop.clock.advance(by: 11 * 60)
            try await owner.call(Contract.confirmSession, ConfirmationRequest(password: .password))
                .problem(.secondFactorRequired)
            try await owner.call(Contract.confirmSession, ConfirmationRequest(password: .password, code: "000000"))
                .problem(.secondFactorInvalid)
            try await owner.newKey([.readOrders]).problem(.freshSignInRequired)
            let code = try shop.code(secret)
            try await owner.call(Contract.confirmSession, ConfirmationRequest(password: .password, code: code)).good()
            try await owner.newKey([.readOrders]).good()
            try await owner.call(Contract.confirmSession, ConfirmationRequest(password: .password, code: code))
                .problem(.secondFactorInvalid)
            try await owner.call(
                Contract.confirmSession, ConfirmationRequest(password: .password, code: recovery[0])
            ).good()
        }
    }

    @Test func `Wrong passwords are counted as at the sign-in`() async throws {
        try await TestShop.open([]) { shop in
            let customer = try await shop.customer()
            for _ in 0..<10 {
                try await customer.call(Contract.confirmSession, ConfirmationRequest(password: "wrong password"))
                    .problem(.invalidCredentials)
            }
            try await customer.call(Contract.confirmSession, ConfirmationRequest(password: .password))
                .problem(.tooManyAttempts)
            try await shop.signIn("ada@example.com", code: nil).problem(.tooManyAttempts)
        }
    }
}
