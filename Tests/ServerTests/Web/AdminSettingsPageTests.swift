import ServerTesting
import Testing

@testable import PouchDomain

@Suite("Pages of discounts, prices, settings, mails, the audit log and health", .inShop(), .timeLimit(.minutes(10)))
struct AdminSettingsPageTests {
    private let shop = TestShop.current

    @Test(arguments: [StaffRole.owner, .manager, .support, .readOnly])
    func `A page is shown to the roles with its permission, and to no others`(role: StaffRole) async throws {
        let visitor = try await shop.member(role)
        for (path, permission) in AdminPages.permissions {
            let page = try await visitor.get(path)
            #expect(page.status == (role.permissions.contains(permission) ? 200 : 403), "\(role) \(path)")
            #expect(page.header("Cache-Control") == "no-store", "\(path)")
        }
    }

    @Test func `A form is refused without the permission, even with a valid token`() async throws {
        let support = try await shop.member(.support)
        let before = try await shop.auditCount()
        for path in [
            "/admin/discounts", "/admin/discounts/dis_1/delete", "/admin/discounts/dis_1/off", "/admin/prices",
            "/admin/prices/scp_1/delete", "/admin/webhooks", "/admin/webhooks/whk_1/secret", "/admin/staff",
            "/admin/staff/acc_1/role", "/admin/keys", "/admin/keys/key_1/revoke",
        ] {
            let answer = try await support.forge(path, [("code", "SPRING"), ("kind", "freeShipping")])
            #expect(answer.status == 403, "\(path)")
        }
        #expect(try await shop.auditCount() == before)
    }

    @Test func `A discount is created, keeps the seconds of its end, changes its kind, and ends`() async throws {
        let (admin, visitor) = try await shop.staff(.manager).atPages(of: shop)
        func stored() async throws -> ManagedDiscount {
            try #require(try await admin.call(Contract.discounts).good().items.first)
        }
        let blank = try await visitor.get("/admin/discounts/new")
        let hats = try blank.box("/admin/discounts", "hats")
        let typed = [
            "code": "spring", "kind": "percentage", "basisPoints": "12,5", "minimum": "10.00", "limit": "5",
            "products": "cap\nscarf", hats: "hats",
        ]
        let made = try await visitor.submit(blank, action: "/admin/discounts", typed)
        let first = try await stored()
        #expect(made.heading == "SPRING" && made.words.contains("The discount SPRING was created."))
        #expect(first.terms.basisPoints == 1250 && first.terms.minimum == Money(1000, .eur))
        #expect(first.terms.products == ["cap", "scarf"] && first.terms.categories == ["hats"])
        #expect(first.terms.limit == 5 && first.terms.limitPerAccount == nil)
        let end = shop.clock.now.addingTimeInterval(7200.25)
        try await admin.changeDiscount(first.id) { $0.endsAt = .set(end) }.good()
        let path = "/admin/discounts/\(first.id)"
        let saved = try await visitor.submit(at: path, ["kind": "amount", "amount": "3", hats: nil, "products": ""])
        #expect(saved.status == 200)
        let second = try await stored()
        #expect(second.terms.kind == .amount && second.terms.amount == Money(300, .eur))
        #expect(second.terms.basisPoints == nil, "the percentage that was still in its field was sent, too")
        #expect(second.terms.categories == nil && second.terms.products == nil)
        #expect(second.terms.endsAt.map { abs($0.timeIntervalSince(end)) < 0.001 } == true)
        let off = try await visitor.submit(at: path, action: path + "/off")
        #expect(try await stored().terms.endsAt.map { $0.timeIntervalSince(shop.clock.now) < 10 } == true)
        // The first form of the page takes the change back.
        _ = try await visitor.submit(off, action: path)
        #expect(try await stored().terms.endsAt.map { abs($0.timeIntervalSince(end)) < 0.001 } == true)
        let again = try await visitor.submit(at: path, action: path + "/off")
        try await admin.changeDiscount(first.id) { $0.limit = .set(9) }.good()
        #expect(try await visitor.submit(again, action: path).status == 412)
        #expect(try await stored().terms.endsAt.map { $0.timeIntervalSince(shop.clock.now) < 10 } == true)
        let list = try await visitor.submit(at: path, action: path + "/delete")
        #expect(list.location == "/admin/discounts" && list.words.contains("No discount codes yet."))
    }

    @Test func `Two members at once keep each other's changes of a discount, and learn of a conflict`() async throws {
        let (admin, first) = try await shop.staff(.manager).atPages(of: shop)
        let second = try await shop.member(.owner)
        let id = try await admin.addDiscount(.ten).good().id
        func stored() async throws -> DiscountTerms? {
            try await admin.call(Contract.discounts).good().items.first?.terms
        }
        let path = "/admin/discounts/\(id)"
        let (mine, theirs) = (try await first.get(path), try await second.get(path))
        _ = try await second.submit(theirs, action: path, ["limit": "5", "minimum": "10.00"])
        let saved = try await first.submit(mine, action: path, ["limitPerAccount": "2"])
        #expect(saved.status == 200)
        var terms = try #require(try await stored())
        #expect(terms.limit == 5 && terms.minimum == Money(1000, .eur) && terms.limitPerAccount == 2)
        let conflict = try await first.submit(mine, action: path, ["limit": "7"])
        #expect(conflict.status == 412 && conflict.words.contains("Another person saved this discount"))
        #expect(conflict.words.contains("Total uses: now 5.") && conflict.links.contains("#f-limit"))
        #expect(try await stored()?.limit == 5)
        let fields = conflict.fields(of: path)
        #expect(fields["limit!:int"] == "7" && fields["minimum!:money"] == "10.00")
        _ = try await first.submit(conflict, action: path)
        terms = try #require(try await stored())
        #expect(terms.limit == 7 && terms.minimum == Money(1000, .eur) && terms.limitPerAccount == 2)
    }

    @Test func `A scheduled price is added, deleted, and restored by undo`() async throws {
        let (admin, visitor) = try await shop.staff(.manager).atPages(of: shop)
        func prices() async throws -> [ScheduledPrice] { try await admin.call(Contract.scheduledPrices).good().items }
        let page = try await visitor.submit(
            at: "/admin/prices",
            ["sku": "cap", "price": "7.50", "startsAt": "2030-01-31T09:30", "endsAt": "2030-02-28T18:00"])
        let made = try #require(try await prices().first)
        #expect(made.price == Money(750, .eur))
        #expect(WireTime.text(made.startsAt) == "2030-01-31T09:30:00.000Z", "the shop's day is that of UTC here")
        let deleted = try await visitor.submit(page, action: "/admin/prices/\(made.id)/delete")
        #expect(try await prices().isEmpty)
        let undone = try await visitor.submit(deleted, action: "/admin/prices")
        let again = try #require(try await prices().first)
        #expect(again.sku == made.sku && again.price == made.price && again.endsAt == made.endsAt)
        #expect(undone.words.contains("The price of cap was scheduled."))
    }

    @Test func `A mail is previewed in a sandboxed frame, and its links have no tokens`() async throws {
        let visitor = try await shop.member(.manager)
        for kind in MailKind.allCases {
            let page = try await visitor.get("/admin/mails/\(kind.rawValue)")
            let frame = try #require(page.attributes(of: "iframe").first)
            #expect(frame["sandbox"] == "" && frame["src"] == "/admin/mails/\(kind.rawValue)/page")
            let mail = try await visitor.get(try #require(frame["src"]))
            let policy = mail.header("Content-Security-Policy") ?? ""
            #expect(mail.status == 200 && mail.text.contains("<"))
            #expect(policy.contains("default-src 'none'") && policy.contains("style-src 'unsafe-inline'"))
            #expect(policy.contains("frame-ancestors 'self'") && !policy.contains("script-src"))
        }
        let list = try await visitor.get("/admin/mails")
        #expect(list.heading == "E-mails" && list.words.contains("No e-mails are waiting, and none have failed."))
        for occasion in ["when an order is paid.", "when the tracking number of a sent order changes."] {
            #expect(list.words.contains("Sent " + occasion))
        }
        #expect(try await visitor.get("/admin/mails/noSuchMail").status == 404)
        #expect(try await visitor.get("/admin/mails/noSuchMail/page").status == 404)
    }

    @Test func `The settings, the health and the audit log show what the server knows, and no secret`() async throws {
        let (admin, visitor) = try await shop.staff(.owner).atPages(of: shop)
        let settings = try await visitor.get("/admin/settings")
        #expect(settings.words.contains("10 minutes") && settings.words.contains("3 to 5 working days"))
        #expect(settings.words.contains("Two-factor authentication Optional"))
        #expect(settings.words.contains("Ships to: all countries."))
        #expect(settings.forms.allSatisfy { $0.method != "POST" || $0.action == "/admin/sign-out" })
        let health = try await visitor.get("/admin/health")
        #expect(health.words.contains("Database") && health.words.contains("Clock"))
        #expect(health.words.contains("Running since"))
        #expect(health.words.contains("Payments Warning Payments go to the sandbox"))
        _ = try await admin.addWebhook("https://example.com/a", [.orderPaid]).good()
        try await admin.change("cap", price: 1234).good()
        let entries: [(action: String, path: String, told: String)] = [
            ("setPromotions", "promotions", "changed the promotions"),
            ("cancelManagedOrder", "orders/ord_1/cancel", "cancelled the order ord_1"),
            ("redeliverWebhook", "webhook-deliveries/dlv_1/redeliver", "resent the webhook delivery dlv_1"),
            ("rotateWebhookSecret", "webhooks/whk_1/secret", "replaced the secret of the webhook whk_1"),
            ("inviteStaff", "staff/inv_1", "sent the staff invitation inv_1"),
            ("changeStaffRole", "staff/acc_1", "changed the role of the staff member acc_1"),
            ("removeStaff", "staff/acc_2", "removed the staff member acc_2"),
            ("createAPIKey", "api-keys/key_1", "created the API key key_1"),
        ]
        try await shop.store.write(.readCommitted) { [shop] repositories in
            func record(_ action: String, _ path: String, _ values: String? = nil) throws {
                try AuditLog(shop.environment).record(
                    actor: "acc_gone", action: action, object: "/v1/admin/" + path, before: nil,
                    values: values.map { Data($0.utf8) }, address: nil, requestId: nil, in: repositories)
            }
            for entry in entries { try record(entry.action, entry.path) }
            try record("updateStaffOfLaterRelease", "x", #"{"password":"hunter2","nested":{"token":"abc123"}}"#)
        }
        let audit = try await visitor.get("/admin/audit")
        #expect(audit.words.contains("changed the variant") && audit.words.contains("€12.34"))
        #expect(audit.words.contains("€10.00"), "the price from before")
        #expect(!audit.text.contains("hunter2") && !audit.text.contains("abc123"))
        for entry in entries { #expect(audit.words.contains("acc_gone " + entry.told)) }
        #expect(!audit.words.contains("promotions promotions"))
        let found = try await visitor.get("/admin/audit?actor=owner%40example.com&action=updateVariant")
        #expect(found.words.contains("€12.34") && !found.words.contains("https://example.com/a"))
        #expect(try await visitor.get("/admin/audit?until=2000-01-01T00:00").words.contains("No entries."))
    }
}
