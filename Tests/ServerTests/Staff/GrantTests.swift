import ServerTesting
import Testing

/// Grants of members and keys, which end with the right to grant them.
@Suite("Grants", .inShop([]), .timeLimit(.minutes(5)))
struct GrantTests {
    private let shop = TestShop.current
    private let owner: Caller

    init() async throws { owner = try await shop.admin() }

    private func status(_ webhook: SecretWebhook) async throws -> WebhookEndpoint.Status {
        try await owner.webhook(webhook.webhook.id).status
    }

    @Test func `A key cannot manage staff or keys, so it cannot grant access that outlives it`() async throws {
        let refused = try await owner.newKey([.readOrders, .manageStaff]).problem(.validationFailed).problem
        #expect(refused.errors?.map(\.field) == ["scopes"])
        #expect(refused.detail?.contains(Permission.manageStaff.rawValue) == false)
        // A key of an earlier release has lost the scope.
        let key = try await owner.newKey([.readOrders, .readCustomers]).good()
        _ = try await shop.database {
            try $0.run("UPDATE api_keys SET scopes = ?", [.text(#"["orders:read","staff:manage"]"#)])
        }
        try await shop.orders(by: key).good()
        let (program, anyone) = (shop.bearer(key), shop.anyone)
        let invitation = StaffInvitationRequest(email: "eve@example.com", role: .owner)
        try await anyone.call(Contract.inviteStaff, invitation, headers: program).problem(.forbidden)
        let more = APIKeyRequest(name: "more", scopes: [.readOrders])
        try await anyone.call(Contract.createAPIKey, more, headers: program).problem(.forbidden)
        let denied = try await anyone.call(Contract.staff, headers: program).problem(.forbidden).problem
        #expect(denied.detail?.contains("staff:manage") == true)
    }

    enum Loss: CaseIterable {
        case demoted, removed, deleted, demotedOnTheMachine
    }

    @Test(arguments: Loss.allCases)
    func `The grants of a member end permanently with the member's right to grant them`(loss: Loss) async throws {
        let member = try await shop.staff(.owner, "mallory@example.com")
        let key = try await member.newKey([.readOrders]).good()
        let hook = try await member.addWebhook("https://example.com/a").good()
        let own = try await owner.addWebhook("https://example.com/b").good()
        try await member.invite("eve@example.com", as: .owner).good()
        let id = try member.accountId
        switch loss {
        case .demoted: try await owner.changeRole(id, to: .readOnly).good()
        case .removed: try await owner.removeStaff(id).good()
        case .deleted: try await member.deleteAccount().good()
        case .demotedOnTheMachine:
            let staff = Staff(shop.environment)
            _ = try await shop.store.write { try staff.promote(email: "mallory@example.com", to: .support, in: $0) }
        }
        func expectEnd() async throws {
            try await shop.orders(by: key).problem(.apiKeyInvalid)
            try await shop.accept(shop.invitationToken("eve@example.com")).problem(.linkInvalid)
            #expect(try await status(hook) == .off)
        }
        try await expectEnd()
        #expect(try await status(own) == .active)
        guard loss == .demoted else { return }
        // The member's return does not bring back what was ended.
        try await owner.changeRole(id, to: .owner).good()
        try await expectEnd()
    }

    @Test func `Grants that the member may still make are kept`() async throws {
        let member = try await shop.staff(.owner, "mallory@example.com")
        let key = try await member.newKey([.readOrders]).good()
        let hook = try await member.addWebhook("https://example.com/a").good()
        try await owner.changeRole(member.accountId, to: .owner).good()
        try await shop.orders(by: key).good()
        // A manager has webhooks, but no keys.
        try await owner.changeRole(member.accountId, to: .manager).good()
        try await shop.orders(by: key).problem(.apiKeyInvalid)
        #expect(try await status(hook) == .active)
    }

    @Test(.enabled(if: TestDatabase.isPostgres))
    func `A webhook change is refused if the member loses the permission during it`() async throws {
        let member = try await shop.staff(.owner, "mallory@example.com")
        let hook = try await owner.addWebhook("https://example.com/a").good().webhook
        let held = HeldTransaction(shop.store) { _ = try $0.webhooks.webhook(id: hook.id, locking: true) }
        await held.waitForStart()
        async let changing = member.change(hook.id, WebhookPatch(url: "https://evil.example/"))
        try await held.during {
            try await eventually { try await shop.waitingSessions() == 1 }
            try await owner.changeRole(member.accountId, to: .support).good()
        }
        try await held.commit()
        try await changing.problem(.forbidden)
        #expect(try await owner.webhook(hook.id).url == "https://example.com/a")
    }

    @Test func `Revoking a key switches off the webhooks that it added or whose address it chose`() async throws {
        let key = try await owner.newKey([.manageWebhooks]).good()
        let (program, anyone) = (shop.bearer(key), shop.anyone)
        func change(_ webhook: SecretWebhook, _ patch: WebhookPatch) async throws {
            try await anyone.call(
                Contract.updateWebhook, patch, path: ["id": webhook.webhook.id], headers: program
            ).good()
        }
        let input = WebhookInput(url: "https://evil.example/a")
        let added = try await anyone.call(Contract.addWebhook, input, headers: program).good()
        let moved = try await owner.addWebhook("https://example.com/a").good()
        try await change(moved, WebhookPatch(url: "https://evil.example/b"))
        let renamed = try await owner.addWebhook("https://example.com/b").good()
        try await change(renamed, WebhookPatch(description: .set("x")))
        let rotated = try await owner.addWebhook("https://example.com/c").good()
        try await anyone.call(Contract.rotateWebhookSecret, path: ["id": rotated.webhook.id], headers: program).good()
        try await owner.revoke(key).good()
        // The secret of a rotated one is the key's.
        for webhook in [added, moved, rotated] { #expect(try await status(webhook) == .off) }
        #expect(try await status(renamed) == .active)
        // An owner who switches it on answers for it from then on.
        try await owner.change(moved.webhook.id, WebhookPatch(isActive: true)).good()
        #expect(try await status(moved) == .active)
    }

    @Test(.inShop(configure: { $0.allowsPrivateWebhooks = true }))
    func `Events after the end of a key are not sent to the webhooks that it added`() async throws {
        let key = try await owner.newKey([.manageWebhooks], expiresAt: shop.clock.now.addingTimeInterval(60)).good()
        let input = WebhookInput(url: "http://127.0.0.1:9/", types: [.orderPaid])
        let hook = try await shop.anyone.call(Contract.addWebhook, input, headers: shop.bearer(key)).good()
        let customer = try await shop.customer()
        let dispatch = WebhookDispatch(shop.environment)
        func deliveries() async throws -> Int {
            _ = try await customer.order()
            // On PostgreSQL a consumer sees an event once it has its number.
            _ = try await shop.events()
            try await dispatch.consumer.run()
            return try await owner.deliveries(hook.webhook.id).count
        }
        let before = try await deliveries()
        #expect(before > 0)
        shop.clock.advance(by: 60)
        // Deliveries that have waited are not sent either.
        #expect(try await dispatch.lease(limits: [:], limit: 10).isEmpty)
        #expect(try await status(hook) == .off)
        #expect(try await deliveries() == before)
        #expect(try await status(hook) == .off)
    }
}
