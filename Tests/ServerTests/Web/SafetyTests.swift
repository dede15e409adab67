import HTTPTypes
import ServerTesting
import Testing

@testable import PouchDomain

@Suite("The pages against attacks", .inShop(), .timeLimit(.minutes(10)))
struct SafetyTests {
    private let shop = TestShop.current

    /// Pages to which nothing leads, or that only some visitors see.
    private static let starts = [
        "/", "/cart", "/checkout", "/orders", "/account", "/sign-in", "/sign-up", "/reset-password",
        "/reset-password/request", "/verify-email", "/join-staff", "/product/cap",
    ]

    /// All forms that change something, of all pages that the links from the starts lead to.
    private func forms(_ visitor: WebVisitor) async throws -> [WebForm] {
        var waiting = Self.starts
        var seen = Set(waiting)
        var found: [String: WebForm] = [:]
        let others = ["/admin", "/docs", "/v1/", "/web/", "/assets/", "/account/data/export"]
        while let address = waiting.popLast(), seen.count < 300 {
            let page = try await visitor.get(address)
            #expect(page.status < 500, "\(address)")
            guard page.isHTML else { continue }
            for form in page.forms where form.method == "POST" { found[form.action] = form }
            for link in page.links where link.hasPrefix("/") && !link.contains("lang=") {
                guard !others.contains(where: { link.hasPrefix($0) }), seen.insert(link).inserted else { continue }
                waiting.append(link)
            }
        }
        return Array(found.values)
    }

    /// The shop's stored data about people, none of which a refused form changes.
    private func state() async throws -> [String] {
        var state: [String] = []
        for table in [
            "accounts", "addresses", "carts", "cart_lines", "orders", "events", "sessions", "account_links",
            "second_factors", "recovery_codes", "mails", "rides", "discount_uses",
        ] {
            state += try await shop.rows("SELECT * FROM \(table)").map { "\(table) \($0)" }.sorted()
        }
        return state
    }

    /// Sends every form in the ways in which only another site would, and expects that each is refused.
    ///
    /// - Parameters:
    ///   - actions: paths of forms, each of which has to be found.
    ///   - parents: beginnings of such paths.
    ///   - colleague: the token of another visitor with the same permissions.
    private func attack(
        as visitor: WebVisitor, with forms: [WebForm], _ actions: Set<String>, parents: [String] = [],
        colleague: String? = nil
    ) async throws {
        let strangerToken = try #require(try await WebVisitor(shop).get("/sign-in").fields(of: "/sign-in")["csrf"])
        let found = Set(forms.map { String($0.action.prefix { $0 != "?" }) })
        #expect(actions.subtracting(found) == [])
        for parent in parents { #expect(found.contains { $0.hasPrefix(parent) }, "\(parent) was not found") }
        let before = try await state()
        for form in forms {
            let typed = form.fields.map { field in
                field.value.isEmpty ? (name: field.name, value: "eve@example.com") : field
            }
            let others = typed.filter { $0.name != "csrf" }
            #expect(others.count == typed.count - 1, "\(form.action) has a token")
            let attempts: [(how: String, fields: [(name: String, value: String)], headers: [String: String])] = [
                ("without a token", others, [:]), ("with an empty token", others + [("csrf", "")], [:]),
                ("with another visitor's token", others + [("csrf", strangerToken)], [:]),
                ("with a colleague's token", others + [("csrf", colleague ?? strangerToken)], [:]),
                ("from another site", typed, ["Sec-Fetch-Site": "cross-site"]),
                ("from another host of the domain", typed, ["Sec-Fetch-Site": "same-site"]),
                ("in a browser that names no site", others, ["Sec-Fetch-Site": ""]),
                ("from another origin", typed, ["Sec-Fetch-Site": "", "Origin": "https://evil.example"]),
                ("from a frame without an origin", typed, ["Sec-Fetch-Site": "", "Origin": "null"]),
            ]
            for (how, fields, headers) in attempts {
                let answer = try await visitor.post(form.action, fields, headers: headers)
                let isRefused = answer.status == 403 && answer.isHTML || form.isMultipart && answer.status == 415
                #expect(isRefused, "\(form.action) \(how): \(answer.status)")
            }
            let json = try await visitor.post(
                form.action, typed, headers: ["Content-Type": "application/json", "Sec-Fetch-Site": "cross-site"])
            #expect((400..<500).contains(json.status), "\(form.action) as JSON")
        }
        #expect(try await state() == before)
    }

    @Test func `No form of a customer can be sent by another site`() async throws {
        let (customer, visitor) = try await shop.customer().atPages(of: shop)
        try await customer.addAddress().good()
        _ = try await customer.order("scarf-s")
        try await customer.add("cap").good()
        _ = try await shop.signIn()
        let actions: Set = [
            "/sign-in", "/sign-up", "/sign-out", "/account/profile", "/account/password", "/account/email",
            "/account/email/verification", "/account/addresses", "/account/data/delete", "/reset-password",
            "/reset-password/request", "/verify-email", "/join-staff", "/cart/lines/cap", "/checkout",
        ]
        try await attack(
            as: visitor, with: forms(visitor), actions,
            parents: ["/account/addresses/adr_", "/account/sessions/", "/orders/ord_"])
    }

    @Test func `No form of a guest or of staff can be sent by another site`() async throws {
        let (guest, visitor) = try await shop.guest().atPages(of: shop)
        try await guest.add("cap").good()
        try await attack(as: visitor, with: forms(visitor), ["/cart/lines/cap", "/checkout"])
        let owner = try await shop.member(.owner)
        try await attack(as: owner, with: forms(owner), ["/account/password"])
    }

    @Test func `No form of the administration can be sent by another site`() async throws {
        let (member, owner) = try await shop.staff(.owner).atPages(of: shop)
        _ = try await member.addWebhook("https://example.com/a", [.orderPaid])
        _ = try await owner.submit(
            at: "/admin/discounts/new", action: "/admin/discounts", ["code": "SPRING", "kind": "freeShipping"])
        let colleague = try await shop.member(.owner, "other@example.com").adminToken()
        let before = try await shop.auditCount()
        // No page of the administration leads to the second factor.
        let pages = try await owner.adminPages(from: AdminPages.lists + ["/admin/second-factor"])
        let forms = pages.flatMap(\.forms).filter { $0.method == "POST" }.map { ($0.action, $0) }
        let each = Dictionary(forms) { first, _ in first }.values
        try await attack(
            as: owner, with: Array(each), ["/admin/second-factor"], parents: ["/admin/products/prd_"],
            colleague: colleague)
        #expect(try await shop.auditCount() == before)
    }

    @Test(.withPages([], at: "https://shop.example"))
    func `A form works in an older browser that sends an origin of the shop or none`() async throws {
        let visitor = WebVisitor(shop, isSecure: true)
        // Requests within this process are for localhost.
        for (origin, status) in [
            ("https://shop.example", 401), ("http://localhost", 401), ("https://shop.example.evil.example", 403),
            ("https://shop", 403), ("http://localhost.evil.example", 403), ("http://localhost:81", 403), ("", 401),
        ] {
            let fields = try await visitor.get("/sign-in").form("/sign-in").fields
            let answer = try await visitor.post("/sign-in", fields, headers: ["Sec-Fetch-Site": "", "Origin": origin])
            #expect(answer.status == status, "\(origin)")
        }
    }

    /// Addresses that lead away from the shop in some browser, or that are none.
    private static let foreign = [
        "https://evil.example/", "//evil.example/", "///evil.example", "/\\evil.example", "\\\\evil.example",
        "/\t/evil.example", "/\n/evil.example", "\t//evil.example", " //evil.example", "http:evil.example",
        "https:/evil.example", "javascript:alert(1)", "data:text/html,x", "evil.example", "@evil.example", "?x=1",
        ".evil.example", "/\u{0}/evil.example", "/%0d%0aSet-Cookie:%20x=1\r\nSet-Cookie: x=1", "/ä", "",
        "/" + String(repeating: "x", count: 600), "/account\\..\\evil", "#", "mailto:eve@evil.example",
    ]

    @Test(arguments: [("/sign-in", "ada@example.com", "/account"), ("/admin/sign-in", "support@example.com", "/admin")])
    func `A sign-in leads to no other server`(path: String, email: String, home: String) async throws {
        _ = try await (shop.customer(), shop.staff(.support))
        for next in Self.foreign {
            let visitor = WebVisitor(shop)
            let address = WebVisitor.signInAddress(path, next: next)
            let page = try await visitor.get(address)
            #expect((page.forms.map(\.action) + page.links).allSatisfy { !$0.contains("evil") }, "\(next)")
            // Also if the address of the form is changed on its way.
            let answer = try await visitor.post(address, page.form(path).filled(WebVisitor.login(email)))
            #expect(answer.status == 303 && answer.location == home, "\(next)")
            #expect(visitor.cookies["x"] == nil)
        }
    }

    @Test func `A sign-in leads to any page of the shop`() async throws {
        _ = try await shop.customer()
        for next in ["/account/data", "/orders?page=2&x=%2F%2F", "/checkout", "/search?q=a+b"] {
            let address = WebVisitor.signInAddress(next: next)
            let page = try await WebVisitor(shop).submit(at: address, WebVisitor.login(), following: false)
            #expect(page.location == next)
        }
    }

    @Test(arguments: [true, false])
    func `Scripts and other sites get no cookie of a session`(isSecure: Bool) async throws {
        try await TestShop.open([], configure: isSecure ? TestShop.writesMails : { _ in }) { shop in
            let visitor = WebVisitor(shop, isSecure: isSecure)
            let page = try await visitor.get("/sign-up")
            let signUp = try await visitor.submit(
                page, action: "/sign-up", ["name": "Ada", "email": "ada@example.com", "password": .password],
                following: false)
            let account = try await visitor.open("/account?lang=de")
            let signOut = try await visitor.submit(account, action: "/sign-out", following: false)
            let lines = [page, signUp, account, signOut].flatMap { $0.headers[values: .setCookie] }
            #expect(lines.count > 6)
            for line in lines {
                let name = line.prefix { $0 != "=" }
                let attributes = line.split(separator: ";").dropFirst()
                    .map { $0.trimmingCharacters(in: .whitespaces).lowercased() }
                #expect(Set(attributes).isSuperset(of: ["httponly", "samesite=lax", "path=/"]), "\(name)")
                #expect(!attributes.contains { $0.hasPrefix("domain") }, "\(name)")
                #expect(attributes.contains("secure") == isSecure && name.hasPrefix("__Host-") == isSecure, "\(name)")
            }
            let names = Set(lines.map { $0.prefix { $0 != "=" }.replacing("__Host-", with: "") })
            #expect(names.isSuperset(of: ["pouch_access", "pouch_refresh", "pouch_form", "pouch_language"]))
        }
    }

    @Test func `No cache keeps a page of an account, and search engines leave it out`() async throws {
        let visitor = try await shop.member(.owner)
        for item in ["", "/profile", "/addresses", "/addresses/new", "/sessions", "/password", "/email", "/data"] {
            let page = try await visitor.get("/account" + item)
            #expect(page.status == 200 && page.header("Cache-Control") == "no-store", "\(item)")
            #expect(page.header("Content-Security-Policy")?.contains("frame-ancestors 'none'") == true)
            #expect(page.attributes(of: "meta").contains { $0["content"] == "noindex" }, "\(item)")
            #expect(page.forms.allSatisfy { $0.action.hasPrefix("/") }, "\(item)")
        }
        for item in ["/account", "/account/data/export"] {
            let refused = try await WebVisitor(shop).get(item)
            #expect(refused.status == 303 && refused.header("Cache-Control") == "no-store")
        }
    }

    @Test func `What people type is shown as text`() async throws {
        let evil = "\"><script>alert(1)</script>"
        let visitor = WebVisitor(shop)
        let refused = try await visitor.submit(at: "/sign-up", ["name": evil, "email": evil, "password": .password])
        #expect(refused.fields(of: "/sign-up")["name"] == evil && !refused.text.contains("<script>alert"))
        try await visitor.signUp(name: evil)
        let address = Address(name: evil, line1: evil, city: evil, postalCode: "1", country: "DE")
        try await shop.signIn().addAddress(address).good()
        for path in ["/account", "/account/profile", "/account/addresses"] {
            let page = try await visitor.get(path)
            #expect(page.text.contains("&lt;script&gt;") && !page.text.contains("<script>alert"), "\(path)")
        }
    }
}
