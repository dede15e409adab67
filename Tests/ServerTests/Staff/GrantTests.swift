import Foundation
import PouchContract
import PouchDomain
import PouchEntities
import PouchStorage
import PouchWire
import Testing

/// Grants of members and keys, which end with the right to grant them.
@Suite("Grants", .timeLimit(.minutes(5)))
struct GrantTests {
    private func accept(_ shop: TestShop, _ email: String) async throws -> Answered<NoContent> {
        try await shop.anyone.call(
            Contract.acceptInvitation,
            AcceptInvitationRequest(token: try await shop.invitationToken(email), password: .password, name: "Eve"))
    }

    private func status(_ webhook: SecretWebhook, _ owner: Caller) async throws -> WebhookEndpoint.Status {
        try await owner.webhook(webhook.webhook.id).status
    }

    @Test func `No key can manage the staff or keys, so it grants nothing that outlasts it`() async throws {
        try await TestShop.open([]) { shop in
            let owner = try await shop.admin()
            let refused = try await owner.newKey([.readOrders, .manageStaff]).problem(.validationFailed).problem
            #expect(refused.errors?.map(\.field) == ["scopes"])
            #expect(refused.detail?.contains(Permission.manageStaff.rawValue) == false)

            // A key of an earlier release has lost the scope.
            let key = try await owner.newKey([.readOrders, .readCustomers]).good()
            _ = try await shop.database {
                try $0.run("UPDATE api_keys SET scopes = ?", [.text(#"["orders:read","staff:manage"]"#)])
            }
            let program = shop.bearer(key)
            try await shop.anyone.call(Contract.allOrders, headers: program).good()
            try await shop.anyone.call(
                Contract.inviteStaff, StaffInvitationRequest(email: "eve@example.com", role: .owner), headers: program
            ).problem(.forbidden)
            try await shop.anyone.call(
                Contract.createAPIKey, APIKeyRequest(name: "more", scopes: [.readOrders]), headers: program
            ).problem(.forbidden)
            let denied = try await shop.anyone.call(Contract.staff, headers: program).problem(.forbidden).problem
            #expect(denied.detail?.contains("staff:manage") == true)
        }
    }

    enum Loss: CaseIterable {
        case demoted, removed, deleted, demotedOnTheMachine
    }

    @Test(arguments: Loss.allCases)
    func `The grants of a member end permanently with the member's right to grant them`(loss: Loss) async throws {
        try await TestShop.open([]) { shop in
            let owner = try await shop.admin()
            let member = try await shop.staff(.owner, "mallory@example.com")
            let key = try await member.newKey([.readOrders]).good()
            let hook = try await member.addWebhook("https://example.com/a").good()
            let own = try await owner.addWebhook("https://example.com/b").good()
            try await member.invite("eve@example.com", as: .owner).good()
            let id = try member.accountId
            switch loss {
            case .demoted: try await owner.changeRole(id, to: .readOnly).good()
            case .removed: try await owner.call(Contract.removeStaff, path: ["id": id]).good()
            case .deleted:
                try await member.call(Contract.deleteAccount, DeleteAccountRequest(password: .password)).good()
            case .demotedOnTheMachine:
                let staff = Staff(shop.environment)
                _ = try await shop.store.write {
                    try staff.promote(email: "mallory@example.com", to: .support, in: $0)
                }
            }
            func hasEnded() async throws {
                try await shop.anyone.call(Contract.allOrders, headers: shop.bearer(key)).problem(.apiKeyInvalid)
                try await accept(shop, "eve@example.com").problem(.linkInvalid)
                #expect(try await status(hook, owner) == .off)
            }
            try await hasEnded()
            #expect(try await status(own, owner) == .active)
            guard loss == .demoted else { return }
            // The member's return does not bring back what was ended.
            try await owner.changeRole(id, to: .owner).good()
            try await hasEnded()
        }
    }

    @Test func `What a member may still grant stays`() async throws {
        try await TestShop.open([]) { shop in
            let owner = try await shop.admin()
            let member = try await shop.staff(.owner, "mallory@example.com")
            let key = try await member.newKey([.readOrders]).good()
            let hook = try await member.addWebhook("https://example.com/a").good()
            try await owner.changeRole(member.accountId, to: .owner).good()
            try await shop.anyone.call(Contract.allOrders, headers: shop.bearer(key)).good()
            // A manager has webhooks, but no keys.
            try await owner.changeRole(member.accountId, to: .manager).good()
            try await shop.anyone.call(Contract.allOrders, headers: shop.bearer(key)).problem(.apiKeyInvalid)
            #expect(try await status(hook, owner) == .active)
        }
    }

    @Test func `The webhooks of a key, and those whose address it chose, are switched off with it`() async throws {
        try await TestShop.open([]) { shop in
            let owner = try await shop.admin()
            let key = try await owner.newKey([.manageWebhooks]).good()
            let program = shop.bearer(key)
            let added = try await shop.anyone.call(
                Contract.addWebhook, WebhookInput(url: "https://evil.example/a"), headers: program
            ).good()
            let moved = try await owner.addWebhook("https://example.com/a").good()
            let renamed = try await owner.addWebhook("https://example.com/b").good()
            try await shop.anyone.call(
                Contract.updateWebhook, WebhookPatch(url: "https://evil.example/b"), path: ["id": moved.webhook.id],
                headers: program
            ).good()
            try await shop.anyone.call(
                Contract.updateWebhook, WebhookPatch(description: .set("x")), path: ["id": renamed.webhook.id],
                headers: program
            ).good()
            let rotated = try await owner.addWebhook("https://example.com/c").good()
            try await shop.anyone.call(
                Contract.rotateWebhookSecret, path: ["id": rotated.webhook.id], headers: program
            ).good()
            try await owner.call(Contract.revokeAPIKey, path: ["id": key.key.id]).good()
            #expect(try await status(added, owner) == .off)
            #expect(try await status(moved, owner) == .off)
            // Its secret is the key's.
            #expect(try await status(rotated, owner) == .off)
            #expect(try await status(renamed, owner) == .active)
            // An owner who switches it on answers for it from then on.
            try await owner.call(
                Contract.updateWebhook, WebhookPatch(isActive: true), path: ["id": moved.webhook.id]
            ).good()
            #expect(try await status(moved, owner) == .active)
        }
    }

    @Test func `Events after the end of a key are not sent to the webhooks that it added`() async throws {
        try await TestShop.openSending { shop in
            let owner = try await shop.admin()
            let key = try await owner.newKey([.manageWebhooks], expiresAt: shop.clock.now.addingTimeInterval(60)).good()
            let hook = try await shop.anyone.call(
                Contract.addWebhook, WebhookInput(url: "http://127.0.0.1:9/", types: [.orderPaid]),
                headers: shop.bearer(key)
            ).good()
            let customer = try await shop.customer()
            let dispatch = WebhookDispatch(shop.environment)
            _ = try await customer.order()
            // On PostgreSQL a consumer sees an event once it has its number.
            _ = try await shop.events()
            try await dispatch.consumer.run()
            let before = try await owner.deliveries(hook.webhook.id).count
            #expect(before > 0)
            shop.clock.advance(by: 60)
            // Deliveries that have waited are not sent either.
            #expect(try await dispatch.lease(limits: [:], limit: 10).isEmpty)
            #expect(try await status(hook, owner) == .off)
            _ = try await customer.order()
            _ = try await shop.events()
            try await dispatch.consumer.run()
            #expect(try await owner.deliveries(hook.webhook.id).count == before)
            #expect(try await status(hook, owner) == .off)
        }
    }
}
