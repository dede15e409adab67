import Logging
import ServerTesting
import Testing

@testable import PouchDomain

@Suite(
    "The administration's pages of the staff, of API keys and of the second factor", .inShop(),
    .timeLimit(.minutes(10)))
struct AdminStaffPageTests {
    private let shop = TestShop.current
    private let owner: Caller
    private let visitor: WebVisitor

    init() async throws {
        (owner, visitor) = try await shop.staff(.owner).atPages(of: shop)
    }

    private static func token(in page: WebPage) -> String? {
        page.text.firstMatch(of: #/sk_[A-Za-z0-9_-]{40,}/#).map { String($0.output) }
    }

    /// Whether a page shows the secret of a second factor.
    private static func hasSecret(_ page: WebPage) -> Bool { page.links.contains { $0.hasPrefix("otpauth://") } }

    private static func addKey(_ visitor: WebVisitor) async throws -> WebPage {
        let page = try await visitor.get("/admin/keys")
        let box = try page.box("/admin/keys", "orders:read")
        return try await visitor.submit(
            page, action: "/admin/keys", ["name": "Warehouse", box: "orders:read", "expiresAt": "2099-12-31T23:59"])
    }

    @Test func `A member is invited by mail, gets another role, and is removed`() async throws {
        let ben = try await shop.staff(.support, "ben@example.com")
        func member(_ email: String) async throws -> StaffMember? {
            try await owner.call(Contract.staff).good().items.first { $0.email == email }
        }
        let invited = try await visitor.submit(at: "/admin/staff", ["email": "cleo@example.com", "role": "manager"])
        #expect(invited.words.contains("An invitation was sent to cleo@example.com."))
        #expect(try await member("cleo@example.com")?.status == .invited)
        #expect(try await !shop.invitationToken("cleo@example.com").isEmpty)
        let again = try await visitor.submit(
            invited, action: "/admin/staff", ["email": "Ben@example.com", "role": "manager"])
        #expect(again.status == 422 && again.words.contains("Staff is already a staff member."))
        #expect(again.links.contains("#f-email") && !again.words.contains("Sign in instead"))
        let path = "/admin/staff/\(try ben.accountId)"
        let changed = try await visitor.submit(invited, action: path + "/role", ["role": "readOnly"])
        #expect(changed.words.contains("role is now read only."))
        #expect(try await member("ben@example.com")?.role == .readOnly)
        let removed = try await visitor.submit(changed, action: path + "/remove")
        #expect(try await member("ben@example.com") == nil && removed.status == 200)
        let withdrawn = try #require(try await member("cleo@example.com"))
        _ = try await visitor.submit(removed, action: "/admin/staff/\(withdrawn.id)/remove")
        #expect(try await member("cleo@example.com") == nil)
    }

    @Test func `Members cannot change themselves at the page, and the last owner stays`() async throws {
        let page = try await visitor.get("/admin/staff")
        let own = "/admin/staff/\(try owner.accountId)"
        #expect(!page.forms.contains { $0.action.hasPrefix(own) })
        for (path, role) in [(own + "/role", "support"), (own + "/remove", "")] {
            #expect(try await visitor.forge(path, [("role", role)]).status == 409, "\(path)")
        }
        #expect(try await visitor.get("/admin/staff").status == 200)
    }

    @Test func `A key works, its secret is shown once and nowhere else, and it is revoked`() async throws {
        let lines = LogLines()
        try await TestShop.open(logger: lines.logger(.trace)) { shop in
            let (owner, visitor) = try await shop.staff(.owner).atPages(of: shop)
            let made = try await Self.addKey(visitor)
            #expect(made.words.contains("Permissions") && made.words.contains("Expires"))
            let token = try #require(Self.token(in: made))
            #expect(made.header("Cache-Control") == "no-store" && made.words.contains("The key “Warehouse”"))
            let bearer = ["Authorization": "Bearer " + token]
            #expect(try await shop.anyone.send("GET", "/v1/admin/orders", headers: bearer).status == 200)
            #expect(try await shop.anyone.send("GET", "/v1/admin/staff", headers: bearer).status == 403)
            let key = try #require(try await owner.call(Contract.apiKeys).good().items.first)
            #expect(key.scopes == [.readOrders] && key.expiresAt != nil)
            for path in ["/admin/keys", "/admin/audit"] { #expect(Self.token(in: try await visitor.get(path)) == nil) }
            #expect(!lines.text.contains(token))
            #expect(try await shop.rows("SELECT key FROM idempotency WHERE length(body) > 0").isEmpty)
            let revoked = try await visitor.submit(made, action: "/admin/keys/\(key.id)/revoke")
            #expect(revoked.words.contains("No API keys yet."))
            #expect(try await shop.anyone.send("GET", "/v1/admin/orders", headers: bearer).status == 401)
        }
    }

    @Test func `A key and an invitation need a fresh password, and then take effect as filled in`() async throws {
        shop.clock.advance(by: Principal.Requirements.freshness + 1)
        let asked = try await Self.addKey(visitor)
        #expect(asked.heading == "Confirm your password" && Self.token(in: asked) == nil)
        #expect(asked.links == ["/admin/keys"], "back to the page of the form")
        let wrong = try await visitor.submit(asked, action: "/admin/keys", ["confirm.password": "not this one"])
        #expect(wrong.heading == "Confirm your password")
        #expect(try await shop.rows("SELECT id FROM api_keys").isEmpty)
        let made = try await visitor.submit(wrong, action: "/admin/keys", ["confirm.password": .password])
        #expect(Self.token(in: made) != nil && made.words.contains("The key “Warehouse”"))
        shop.clock.advance(by: Principal.Requirements.freshness + 1)
        let page = try await visitor.submit(at: "/admin/staff", ["email": "cleo@example.com", "role": "support"])
        #expect(page.heading == "Confirm your password" && page.links == ["/admin/staff"])
        let invited = try await visitor.submit(page, action: "/admin/staff", ["confirm.password": .password])
        #expect(invited.words.contains("An invitation was sent to cleo@example.com."))
    }

    @Test(.inShop(configure: { $0.shop = .withSecondFactors }))
    func `A member who needs a second factor can do nothing but set it up, and sees its secret once`() async throws {
        let address = "/admin/second-factor"
        for path in AdminPages.lists { #expect(try await visitor.get(path).location == address, "\(path)") }
        let setup = try await visitor.submit(at: address)
        let uri = try #require(setup.links.first { $0.hasPrefix("otpauth://totp/") })
        let text = try #require(URLComponents(string: uri)?.queryItems?.first { $0.name == "secret" }?.value)
        #expect(setup.words.replacing(" ", with: "").contains(text) && setup.header("Cache-Control") == "no-store")
        #expect(try await !visitor.get(address).text.contains(text))
        let wrong = try await visitor.submit(setup, action: address + "/enable", ["code": "000000"])
        #expect(wrong.status >= 400 && wrong.header("Cache-Control") == "no-store")
        #expect(wrong.links.contains(uri) && wrong.words.replacing(" ", with: "").contains(text))
        #expect(wrong.words.contains("The code is wrong. Wait for the next code in the app."))
        #expect(!wrong.words.contains("recovery code"))
        let odd = try await visitor.forge(address + "/enable", [("code", "000000"), ("uri", "javascript:alert(1)")])
        #expect(odd.status == wrong.status && !odd.text.contains("javascript:"))
        let code = try shop.code(SecondFactorSecret(secret: text, uri: uri))
        let done = try await visitor.submit(wrong, action: address + "/enable", ["code": code])
        let codes = try await shop.rows("SELECT account_id FROM recovery_codes")
        #expect(done.status == 200 && codes.count == SecondFactors.recoveryCodes)
        let shown = done.text.matches(of: #/[a-z0-9]{4}(?:-[a-z0-9]{4}){3}/#).map { String($0.output) }
        #expect(shown.count == SecondFactors.recoveryCodes)
        let later = try await visitor.get(address)
        #expect(!shown.contains { later.text.contains($0) })
        #expect(try await visitor.get("/admin/discounts").status == 200)
    }

    @Test func `A second factor is set up and removed with the password of the last ten minutes`() async throws {
        let path = "/admin/second-factor"
        shop.clock.advance(by: Principal.Requirements.freshness + 1)
        let asked = try await visitor.submit(at: path)
        #expect(asked.heading == "Confirm your password" && !Self.hasSecret(asked))
        let wrong = try await visitor.submit(asked, action: path, ["confirm.password": "wrong horse"])
        #expect(wrong.status == 401 && !Self.hasSecret(wrong))
        #expect(try await Self.hasSecret(visitor.submit(wrong, action: path, ["confirm.password": .password])))
        _ = try await shop.enrol(owner)
        let page = try await visitor.get(path)
        #expect(page.words.contains("10 recovery codes are left."))
        let removed = try await visitor.submit(page, action: path + "/remove")
        #expect(removed.location == path && removed.words.contains("You now sign in with your password only."))
        try await shop.signIn("owner@example.com", code: nil).good()
    }
}
