import ServerTesting
import Testing

@testable import PouchDomain

@Suite("The pages of an account", .inShop([]), .timeLimit(.minutes(5)))
struct AccountPageTests {
    private let shop = TestShop.current

    @Test func `The profile is changed, and an empty number is removed`() async throws {
        let visitor = try await shop.visitor()
        let page = try await visitor.get("/account/profile")
        #expect(page.fields(of: "/account/profile")["mobileNumber!"] == "+49 30 1234567")
        let saved = try await visitor.submit(
            page, action: "/account/profile", ["name": "Ada & Co", "mobileNumber": ""])
        #expect(saved.words.contains("Your profile was saved."))
        #expect(saved.fields(of: "/account/profile")["name"] == "Ada & Co")
        let profile = try await shop.signIn().profile().good()
        #expect(profile.name == "Ada & Co" && profile.mobileNumber == nil)
        // The notice is shown once.
        #expect(try await !visitor.get("/account/profile").words.contains("was saved"))
        let wrong = try await visitor.submit(saved, action: "/account/profile", ["name": "Ada", "mobileNumber": "abc"])
        #expect(wrong.status == 422 && wrong.links.contains("#mobileNumber"))
        #expect(wrong.fields(of: "/account/profile")["mobileNumber!"] == "abc")
        #expect(try await shop.signIn().profile().good().name == "Ada & Co")
    }

    @Test func `The password is changed with the current one, and all other sessions end`() async throws {
        let other = try await shop.customer()
        let visitor = WebVisitor(shop)
        try await visitor.signIn()
        func change(_ page: WebPage, from current: String, to new: String) async throws -> WebPage {
            let typed = ["currentPassword": current, "newPassword": new]
            return try await visitor.submit(page, action: "/account/password", typed)
        }
        let wrong = try await change(visitor.get("/account/password"), from: "wrong", to: "battery staple")
        #expect(wrong.status == 401 && wrong.words.contains("The password is wrong"))
        let short = try await change(wrong, from: .password, to: "short")
        #expect(short.status == 422 && short.links.contains("#newPassword") && !short.text.contains("\"short\""))
        #expect(short.words.contains("must have 8 to 128 characters."))
        let done = try await change(short, from: .password, to: "battery staple")
        #expect(done.status == 200 && done.words.contains("Your password was changed"))
        try await other.profile().problem(.unauthenticated)
        _ = try await shop.signIn(password: "battery staple")
    }

    @Test func `A new e-mail address is confirmed by the token of its link, or by the whole link`() async throws {
        let visitor = try await shop.visitor()
        let page = try await visitor.get("/account/email")
        #expect(page.words.contains("Not confirmed"))
        let sent = try await visitor.submit(
            page, action: "/account/email", ["email": "countess@example.com", "password": .password])
        #expect(sent.words.contains("We have sent a link to the new address") && sent.words.contains("ada@example.com"))
        let token = try await shop.token(.emailVerification, to: "countess@example.com")
        let wrong = try await visitor.submit(at: "/verify-email", ["token": token + "x"])
        #expect(wrong.status == 422 && wrong.words.contains("This link is not valid"))
        let link = " https://shop.example.com/verify-email#\(token)\n"
        let account = try await visitor.submit(wrong, action: "/verify-email", ["token": link])
        #expect(account.location == "/account" && account.words.contains("Your e-mail address is confirmed"))
        #expect(account.words.contains("countess@example.com"))
        #expect(try await !visitor.get("/account/email").words.contains("Not confirmed"))
    }

    @Test func `The mail for the verification is sent again`() async throws {
        let visitor = try await shop.visitor()
        let before = try await shop.mails(.emailVerification).count
        shop.clock.advance(by: 600)
        let page = try await visitor.submit(at: "/account", action: "/account/email/verification")
        #expect(page.words.contains("We have sent you a link"))
        #expect(try await shop.mails(.emailVerification).count == before + 1)
    }

    @Test func `A forgotten password is replaced by a link in a mail; unknown addresses look the same`() async throws {
        _ = try await shop.customer()
        var pages: [String] = []
        for email in ["ada@example.com", "eve@example.com"] {
            let page = try await WebVisitor(shop).submit(at: "/reset-password/request", ["email": email])
            #expect(page.status == 200 && page.location == "/reset-password")
            pages.append(page.words)
        }
        #expect(pages[0] == pages[1] && pages[0].contains("we have sent an e-mail with a link"))
        let link = "https://shop.example.com/reset-password#\(try await shop.resetToken())"
        let visitor = WebVisitor(shop)
        let signIn = try await visitor.submit(at: "/reset-password", ["token": link, "newPassword": "battery staple"])
        #expect(signIn.location == "/sign-in" && signIn.words.contains("Your new password was saved"))
        #expect(try await visitor.signIn(password: "battery staple").location == "/account")
    }

    @Test func `Addresses are added, changed and deleted`() async throws {
        let visitor = try await shop.visitor()
        func stored() async throws -> Address? { try await shop.signIn().call(Contract.addresses).good().items.first }
        #expect(try await visitor.get("/account/addresses").words.contains("You have no saved addresses yet"))
        #expect(try await visitor.get("/account").links.contains("/account/addresses/new"))
        let new = try await visitor.get("/account/addresses/new")
        #expect(new.fields(of: "/account/addresses")["name"] == "Ada")
        let values = [
            "name": "Ada", "line1": "Main Street 1", "city": "Berlin", "postalCode": "10115", "country": "DE",
        ]
        let wrong = try await visitor.submit(new, action: "/account/addresses", values.merging(["city": ""]) { $1 })
        #expect(wrong.status == 422 && wrong.links.contains("#address-city"))
        #expect(wrong.fields(of: "/account/addresses")["line1"] == "Main Street 1")
        let list = try await visitor.submit(wrong, action: "/account/addresses", values)
        #expect(list.location == "/account/addresses" && list.words.contains("10115 Berlin Germany"))
        let added = try #require(try await stored())
        #expect(added.line2 == nil && added.region == nil)
        let path = "/account/addresses/\(try #require(added.id))"
        #expect(list.links.contains(path))
        let edit = try await visitor.get(path)
        #expect(edit.fields(of: path)["country"] == "DE")
        _ = try await visitor.submit(edit, action: path, ["line2": "Rear building"])
        #expect(try await stored()?.line2 == "Rear building")
        let changed = try await visitor.submit(at: path, ["line2": ""])
        let plain = try #require(try await stored())
        #expect(plain.line2 == nil)
        _ = try await visitor.submit(changed, action: path + "/delete")
        #expect(try await stored() == nil)
    }

    @Test func `Another customer's address is not found`() async throws {
        let visitor = try await shop.visitor("eve@example.com")
        let address = try await shop.customer().addAddress().good()
        let path = "/account/addresses/\(try #require(address.id))"
        #expect(try await visitor.get(path).status == 404)
        for action in [path, path + "/delete"] {
            #expect(try await visitor.forge(action, [("city", "Paris")]).status == 404)
        }
        #expect(try await shop.signIn().call(Contract.addresses).good().items.first?.city == "Berlin")
    }

    @Test func `Sessions are listed by their devices, and ended one by one`() async throws {
        let visitor = try await shop.visitor()
        let phone = WebVisitor(
            shop, userAgent: "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) Version/19.0 Safari/604.1")
        try await phone.signIn()
        let page = try await visitor.get("/account/sessions")
        #expect(page.words.contains("Safari on iPhone") && page.words.contains("This session"))
        let actions = page.forms.map(\.action).filter { $0.hasSuffix("/end") }
        try #require(actions.count == 1)
        let ended = try await visitor.submit(page, action: actions[0])
        #expect(ended.words.contains("The session has ended."))
        #expect(try await phone.get("/account").location?.hasPrefix("/sign-in") == true)
        #expect(try await visitor.get("/account").status == 200)
    }

    @Test func `The data are downloaded as a file, and are those of the visitor`() async throws {
        let visitor = try await shop.visitor()
        #expect(try await visitor.get("/account/data").links.contains("/account/data/export"))
        let file = try await visitor.get("/account/data/export")
        #expect(file.status == 200 && file.header("Content-Type") == "application/json")
        #expect(file.header("Content-Disposition")?.hasPrefix("attachment") == true)
        #expect(file.header("Cache-Control") == "no-store")
        #expect(try AccountExport(json: file.body).profile.email == "ada@example.com")
        let stranger = try await WebVisitor(shop).get("/account/data/export")
        #expect(stranger.status == 303 && stranger.body.isEmpty)
    }

    @Test func `The account is deleted with its password, and its cookies with it`() async throws {
        let visitor = try await shop.visitor()
        let (page, action) = ("/account/data", "/account/data/delete")
        let wrong = try await visitor.submit(at: page, action: action, ["password": "wrong"])
        #expect(wrong.status == 401 && wrong.words.contains("The password is wrong"))
        let gone = try await visitor.submit(wrong, action: action, ["password": .password])
        #expect(gone.status == 200 && gone.heading == "Your account has been deleted" && visitor.accessToken == nil)
        // The page can be asked for again.
        #expect(gone.location == "/account/deleted")
        try await shop.anyone.signIn().problem(.invalidCredentials)
    }

    @Test func `Only the staff's accounts link to the second factor; a customer's form sets up none`() async throws {
        let customer = try await shop.visitor()
        #expect(try await !customer.get("/account").links.contains("/admin/second-factor"))
        #expect(try await customer.get("/admin/second-factor").location == "/admin/sign-in")
        let answer = try await customer.forge("/admin/second-factor")
        #expect(answer.location == "/admin/sign-in" && answer.text.isEmpty)
        #expect(try await shop.rows("SELECT account_id FROM second_factors").isEmpty)
        let member = try await shop.member(.support)
        let account = try await member.get("/account")
        #expect(account.links.contains("/admin/second-factor"))
        #expect(try await member.get("/admin/second-factor").heading == "Two-factor authentication")
        // Its page was here, too.
        #expect(!account.links.contains("/account/second-factor"))
        #expect(try await member.get("/account/second-factor").status == 404)
    }

    @Test func `An invited person joins the staff by the link in the mail`() async throws {
        try await shop.staff(.owner).invite("eve@example.com", as: .support).good()
        let token = try await shop.invitationToken("eve@example.com")
        let visitor = WebVisitor(shop, language: "de")
        let page = try await visitor.submit(at: "/join-staff", ["token": token, "name": "Eve", "password": .password])
        #expect(page.location == "/admin/sign-in" && page.words.contains("Welcome! Sign in to get started."))
        #expect(try await visitor.signIn("eve@example.com").location == "/account")
        #expect(try await visitor.get("/account").links.contains("/admin/second-factor"))
    }
}
