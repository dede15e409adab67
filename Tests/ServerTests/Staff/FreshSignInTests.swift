import Foundation
import PouchContract
import PouchDomain
import PouchEntities
import PouchWire
import Testing

@Suite("Fresh sign-ins", .timeLimit(.minutes(1)))
struct FreshSignInTests {
    private static let endpoints = Contract.all.filter { $0.features.contains(.freshSignIn) }.map(\.endpoint)

    @Test func `Refunds, roles, keys and the second factor need a fresh sign-in`() {
        #expect(
            Set(Self.endpoints) == [
                .refundOrder, .inviteStaff, .changeStaffRole, .removeStaff, .createAPIKey, .beginSecondFactor,
                .enableSecondFactor, .removeSecondFactor,
            ])
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
