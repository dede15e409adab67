import ServerTesting
import Testing

@testable import PouchDomain

@Suite("The pages for signing up, in and out", .inShop(), .timeLimit(.minutes(5)))
struct SessionPageTests {
    private let shop = TestShop.current

    @Test func `A refused sign-up keeps all entries but the password; the next leads to the account`() async throws {
        let visitor = WebVisitor(shop)
        let refused = try await visitor.submit(at: "/sign-up", ["name": "Ada <3", "email": "ada", "password": "short"])
        #expect(refused.status == 422 && visitor.accessToken == nil)
        #expect(refused.links.contains("#email") && refused.links.contains("#password"))
        let fields = refused.fields(of: "/sign-up")
        #expect(fields["name"] == "Ada <3" && fields["email"] == "ada" && fields["password"] == "")
        let account = try await visitor.submit(refused, action: "/sign-up", WebVisitor.login())
        #expect(account.status == 200 && account.location == "/account" && visitor.accessToken != nil)
        #expect(account.words.contains("Please confirm that ada@example.com is your e-mail address"))
    }

    @Test func `A line that only the guest's cart had is not reported as a change; a merged line is`() async throws {
        try await shop.customer().add("scarf-s").good()
        let visitor = WebVisitor(shop)
        try await visitor.add("cap", 2)
        try await visitor.add("scarf", sku: "scarf-s")
        let checkout = try await visitor.signIn(next: "/checkout")
        #expect(checkout.location == "/checkout" && checkout.words.contains("Scarf: now 2 instead of 1."))
        // The header has the units of the merged cart.
        #expect(!checkout.words.contains("Cap: now") && visitor.cartUnits == "4")
        let cart = try await visitor.get("/cart")
        #expect(cart.words.contains("Scarf: now 2 instead of 1.") && !cart.words.contains("Cap: now"))
    }

    @Test func `The header counts the units of the cart with which a session begins`() async throws {
        try await shop.customer().add("scarf-s").good()
        let returning = WebVisitor(shop)
        let account = try await returning.signIn()
        #expect(account.location == "/account" && account.text.contains(#"<b class="count">1</b>"#))
        #expect(returning.cartUnits == "1")
        let new = WebVisitor(shop)
        try await new.add("cap", 2)
        #expect(try await new.signUp("eve@example.com").text.contains(#"<b class="count">2</b>"#))
        // The cart of an account is not counted for the next person at the browser.
        _ = try await new.submit(at: "/account", action: "/sign-out")
        #expect(new.cartUnits == nil)
        _ = try await shop.customer("bob@example.com")
        try await new.signIn("bob@example.com")
        #expect(new.cartUnits == nil)
    }

    @Test func `A sign-in has new cookies, and forms from before it are refused`() async throws {
        _ = try await shop.customer()
        let visitor = WebVisitor(shop, session: try await shop.guest().session)
        let fields = try await visitor.get("/sign-in").fields(of: "/sign-in")
        let old = visitor.cookies
        try await visitor.signIn()
        for name in ["pouch_access", "pouch_refresh", "pouch_form"] {
            #expect(visitor.cookies[name] != nil && visitor.cookies[name] != old[name], "\(name)")
        }
        let stale = try await visitor.post("/sign-out", fields.map { ($0.key, $0.value) })
        #expect(stale.status == 403 && stale.hasAlert)
        #expect(try await visitor.get("/account").status == 200)
        // Cookies that an attacker has planted do not become the customer's.
        let planted = WebVisitor(shop, session: try await shop.guest().session)
        let seed = "c2VlZC1vZi1hbi1hdHRhY2tlcg"
        planted.setCookie("pouch_form", seed)
        let access = planted.accessToken
        try await planted.signIn()
        #expect(planted.cookies["pouch_form"] != seed && planted.accessToken != access)
    }

    @Test func `The refusal of a wrong password does not say whether the account exists`() async throws {
        _ = try await shop.customer()
        var answers: [String] = []
        for email in ["ada@example.com", "eve@example.com"] {
            let visitor = WebVisitor(shop)
            let page = try await visitor.signIn(email, password: "wrong horse")
            #expect(page.status == 401 && visitor.accessToken == nil && page.fields(of: "/sign-in")["email"] == email)
            #expect(page.fields(of: "/sign-in")["password"] == "")
            answers.append(page.words)
        }
        #expect(answers[0].contains("The e-mail address or password is wrong") && answers[0] == answers[1])
    }

    @Test func `The refusal of too many attempts says when to try again`() async throws {
        _ = try await shop.customer()
        let visitor = WebVisitor(shop)
        for _ in 0..<SignInAttempt.perAccountAndNetwork {
            #expect(try await visitor.signIn(password: "wrong horse").status == 401)
        }
        let page = try await visitor.signIn()
        #expect(page.status == 429 && visitor.accessToken == nil && page.words.contains("Try again in 15 minutes"))
        #expect(page.header("Retry-After") == "900")
        let german = WebVisitor(shop, language: "de")
        #expect(try await german.signIn().words.contains("Versuchen Sie es in 15 Minuten erneut"))
        shop.clock.advance(by: SignInAttempt.window + 1)
        #expect(try await visitor.signIn().location == "/account")
    }

    @Test func `An account with a second factor is asked for the code on the same page`() async throws {
        let owner = try await shop.staff(.owner)
        let (secret, recovery) = try await shop.enrol(owner)
        let visitor = WebVisitor(shop)
        let first = try await visitor.get("/sign-in?next=/account/password")
        #expect(try first.form("/sign-in").has("code") == false)
        let values = ["email": "owner@example.com", "password": String.password]
        let asked = try await visitor.submit(first, action: "/sign-in", values)
        #expect(visitor.accessToken == nil && !asked.hasAlert)
        #expect(asked.words.contains("This account also requires a code"))
        let wrong = try await visitor.submit(asked, action: "/sign-in", values.merging(["code": "000000"]) { $1 })
        #expect(wrong.status == 401 && wrong.hasAlert && visitor.accessToken == nil)
        #expect(wrong.words.contains("The code is wrong or was already used"))
        let code = try shop.code(secret, later: 1)
        let page = try await visitor.submit(wrong, action: "/sign-in", values.merging(["code": code]) { $1 })
        #expect(page.status == 200 && page.location == "/account/password")
        let other = WebVisitor(shop)
        let again = try await other.submit(at: "/sign-in", values)
        let code2 = try #require(recovery.first)
        let account = try await other.submit(again, action: "/sign-in", values.merging(["code": code2]) { $1 })
        #expect(account.location == "/account")
    }

    @Test func `A session that ended elsewhere leads to the sign-in, and from there back to the page`() async throws {
        let visitor = try await shop.visitor()
        let other = try await shop.signIn()
        for session in try await other.call(Contract.accountSessions).good().items where !session.isCurrent {
            try await other.call(Contract.endSession, path: ["id": session.id]).good()
        }
        let page = try await visitor.get("/account/addresses?x=1")
        #expect(page.status == 303 && page.location == "/sign-in?next=%2Faccount%2Faddresses%3Fx%3D1")
        #expect(visitor.accessToken == nil)
        let signIn = try await visitor.open("/account/addresses?x=1")
        let back = try await visitor.submit(signIn, action: "/sign-in", WebVisitor.login())
        #expect(back.status == 200 && back.location == "/account/addresses?x=1")
    }

    @Test func `A form of a session that has ended leads to the sign-in, and then to the form's page`() async throws {
        let (customer, visitor) = try await shop.customer().atPages(of: shop)
        try await customer.addAddress().good()
        let page = try await visitor.get("/account/addresses")
        let action = try #require(page.forms.map(\.action).first { $0.hasSuffix("/delete") })
        shop.clock.advance(by: SessionIssuer.refreshTokenLifetime + 1)
        let signIn = try await visitor.submit(page, action: action)
        #expect(signIn.location?.hasPrefix("/sign-in?next=%2Faccount%2Faddresses%2F") == true)
        let back = try await visitor.submit(signIn, action: "/sign-in", WebVisitor.login())
        #expect(back.status == 200 && back.location == "/account/addresses")
        #expect(back.forms.contains { $0.action == action })
    }

    @Test func `A form that is too old is shown again with its entries, and then takes effect`() async throws {
        let visitor = try await shop.visitor()
        let old = try await visitor.get("/account/profile")
        try await visitor.signIn()
        func name() async throws -> String { try await shop.signIn().profile().good().name }
        let before = try await name()
        let again = try await visitor.submit(old, action: "/account/profile", ["name": "Countess"])
        #expect(again.status == 403 && again.words.contains("This form was open too long"))
        #expect(again.fields(of: "/account/profile")["name"] == "Countess")
        #expect(try await name() == before)
        #expect(try await visitor.submit(again, action: "/account/profile").status == 200)
        #expect(try await name() == "Countess")
        // A browser that does not say that the form is of this site gets no page with the entries.
        let fields = try old.form("/account/profile").filled(["name": "Eve"])
        let refused = try await visitor.post("/account/profile", fields, headers: ["Sec-Fetch-Site": ""])
        #expect(refused.status == 403 && refused.forms.allSatisfy { $0.method == "GET" })
    }

    @Test func `Signing in again ends the earlier session of the same browser`() async throws {
        let (earlier, visitor) = try await shop.customer().atPages(of: shop)
        try await visitor.signIn()
        try await earlier.profile().problem(.unauthenticated)
        #expect(try await !visitor.get("/account/sessions").forms.contains { $0.action.hasSuffix("/end") })
    }

    @Test func `Two tabs whose session has expired get new tokens at the same time`() async throws {
        let visitor = try await shop.visitor()
        for _ in 0..<3 {
            shop.clock.advance(by: SessionIssuer.accessTokenLifetime + 1)
            #expect(visitor.accessToken == nil)
            async let one = visitor.get("/account")
            async let other = visitor.get("/account/profile")
            let statuses = try await [one.status, other.status]
            #expect(statuses == [200, 200] && visitor.accessToken != nil)
        }
    }
}
