import Foundation
import PouchContract
import PouchEntities
import PouchJSON
import PouchWire
import Testing

@testable import PouchDomain

@Suite("The pages of an account", .timeLimit(.minutes(5)))
struct AccountPageTests {
    // MARK: The person

    @Test func `The profile is changed, and an empty number is removed`() async throws {
        try await TestShop.open([]) { shop in
            let visitor = try await shop.visitor()
            let page = try await visitor.get("/account/profile")
            #expect(page.fields(of: "/account/profile")["mobileNumber!"] == "+49 30 1234567")
            let saved = try await visitor.submit(
                page, action: "/account/profile", ["name": "Ada & Co", "mobileNumber": ""])
            #expect(saved.words.contains("Your profile was saved."))
            #expect(saved.fields(of: "/account/profile")["name"] == "Ada & Co")
            let profile = try await shop.signIn().call(Contract.profile).good()
            #expect(profile.name == "Ada & Co" && profile.mobileNumber == nil)
            // The notice is shown once.
            #expect(try await visitor.get("/account/profile").words.contains("was saved") == false)

            let wrong = try await visitor.submit(
                saved, action: "/account/profile", ["name": "Ada", "mobileNumber": "abc"])
            #expect(wrong.status == 422 && wrong.links.contains("#mobileNumber"))
            #expect(wrong.fields(of: "/account/profile")["mobileNumber!"] == "abc")
            #expect(try await shop.signIn().call(Contract.profile).good().name == "Ada & Co")
        }
    }

    @Test func `The password is changed with the current one, and all other sessions end`() async throws {
        try await TestShop.open([]) { shop in
            let other = try await shop.customer()
            let visitor = WebVisitor(shop)
            try await visitor.signIn()
            let page = try await visitor.get("/account/password")
            let wrong = try await visitor.submit(
                page, action: "/account/password", ["currentPassword": "wrong", "newPassword": "battery staple"])
            #expect(wrong.status == 401 && wrong.words.contains("The password is wrong"))
            let short = try await visitor.submit(
                wrong, action: "/account/password", ["currentPassword": .password, "newPassword": "short"])
            #expect(short.status == 422 && short.links.contains("#newPassword") && !short.text.contains("\"short\""))
            let done = try await visitor.submit(
                short, action: "/account/password",
                ["currentPassword": .password, "newPassword": "battery staple"])
            #expect(done.status == 200 && done.words.contains("Your password was changed"))
            try await other.call(Contract.profile).problem(.unauthenticated)
            _ = try await shop.signIn(password: "battery staple")
        }
    }

    @Test func `A new e-mail address is confirmed by the token of its link, or by the whole link`() async throws {
        try await TestShop.open([]) { shop in
            let visitor = try await shop.visitor()
            let page = try await visitor.get("/account/email")
            #expect(page.words.contains("Not confirmed"))
            let sent = try await visitor.submit(
                page, action: "/account/email", ["email": "countess@example.com", "password": .password])
            #expect(sent.words.contains("We have sent a link to the new address"))
            #expect(sent.words.contains("ada@example.com"))
            let token = try await shop.token(.emailVerification, to: "countess@example.com")

            let verify = try await visitor.get("/verify-email")
            let wrong = try await visitor.submit(verify, action: "/verify-email", ["token": token + "x"])
            #expect(wrong.status == 422 && wrong.words.contains("This link is not valid"))
            let link = " https://shop.example.com/verify-email#\(token)\n"
            let account = try await visitor.submit(wrong, action: "/verify-email", ["token": link])
            #expect(account.location == "/account" && account.words.contains("Your e-mail address is confirmed"))
            #expect(account.words.contains("countess@example.com"))
            #expect(try await visitor.get("/account/email").words.contains("Not confirmed") == false)
        }
    }

    @Test func `The mail for the verification is sent again`() async throws {
        try await TestShop.open([]) { shop in
            let visitor = try await shop.visitor()
            let before = try await shop.mails(.emailVerification).count
            shop.clock.advance(by: 600)
            let page = try await visitor.submit(
                try await visitor.get("/account"), action: "/account/email/verification")
            #expect(page.words.contains("We have sent you a link"))
            #expect(try await shop.mails(.emailVerification).count == before + 1)
        }
    }

    @Test func `A forgotten password is replaced by the link of a mail, and unknown addresses look the same`()
        async throws
    {
        try await TestShop.open([]) { shop in
            _ = try await shop.customer()
            var pages: [String] = []
            for email in ["ada@example.com", "eve@example.com"] {
                let visitor = WebVisitor(shop)
                let page = try await visitor.submit(
                    try await visitor.get("/reset-password/request"), action: "/reset-password/request",
                    ["email": email])
                #expect(page.status == 200 && page.location == "/reset-password")
                pages.append(page.words)
            }
            #expect(pages[0] == pages[1] && pages[0].contains("we have sent an e-mail with a link"))
            let token = try await shop.resetToken()
            let visitor = WebVisitor(shop)
            let signIn = try await visitor.submit(
                try await visitor.get("/reset-password"), action: "/reset-password",
                ["token": "https://shop.example.com/reset-password#\(token)", "newPassword": "battery staple"])
            #expect(signIn.location == "/sign-in" && signIn.words.contains("Your new password was saved"))
            #expect(try await visitor.signIn(password: "battery staple").location == "/account")
        }
    }

    // MARK: Addresses

    @Test func `Addresses are added, changed and deleted`() async throws {
        try await TestShop.open([]) { shop in
            let visitor = try await shop.visitor()
            #expect(try await visitor.get("/account/addresses").words.contains("You have no saved addresses yet"))
            #expect(try await visitor.get("/account").links.contains("/account/addresses/new"))
            let new = try await visitor.get("/account/addresses/new")
            #expect(new.fields(of: "/account/addresses")["name"] == "Ada")
            let values = [
                "name": "Ada", "line1": "Main Street 1", "city": "Berlin", "postalCode": "10115", "country": "DE",
            ]
            let wrong = try await visitor.submit(
                new, action: "/account/addresses", values.merging(["city": ""]) { $1 })
            #expect(wrong.status == 422 && wrong.links.contains("#address-city"))
            #expect(wrong.fields(of: "/account/addresses")["line1"] == "Main Street 1")
            let list = try await visitor.submit(wrong, action: "/account/addresses", values)
            #expect(list.location == "/account/addresses" && list.words.contains("10115 Berlin Germany"))

            let stored = try #require(try await shop.signIn().call(Contract.addresses).good().items.first)
            #expect(stored.line2 == nil && stored.region == nil)
            let path = "/account/addresses/\(try #require(stored.id))"
            #expect(list.links.contains(path))
            let edit = try await visitor.get(path)
            #expect(edit.fields(of: path)["country"] == "DE")
            _ = try await visitor.submit(edit, action: path, ["line2": "Rear building"])
            #expect(try await shop.signIn().call(Contract.addresses).good().items.first?.line2 == "Rear building")
            let changed = try await visitor.submit(try await visitor.get(path), action: path, ["line2": ""])
            #expect(try await shop.signIn().call(Contract.addresses).good().items.first?.line2 == nil)
            _ = try await visitor.submit(changed, action: path + "/delete")
            #expect(try await shop.signIn().call(Contract.addresses).good().items.isEmpty)
        }
    }

    @Test func `Another customer's address is not found`() async throws {
        try await TestShop.open([]) { shop in
            let visitor = try await shop.visitor("eve@example.com")
            let address = try await shop.customer().call(Contract.addAddress, AddressInput(.sample)).good()
            let path = "/account/addresses/\(try #require(address.id))"
            #expect(try await visitor.get(path).status == 404)
            let fields = try await visitor.get("/account/profile").fields(of: "/account/profile")
            for action in [path, path + "/delete"] {
                let sent = [("csrf", fields["csrf"] ?? ""), ("key", "k"), ("city", "Paris")]
                #expect(try await visitor.post(action, sent.map { (name: $0.0, value: $0.1) }).status == 404)
            }
            #expect(try await shop.signIn().call(Contract.addresses).good().items.first?.city == "Berlin")
        }
    }

    // MARK: Sessions and data

    @Test func `Sessions are listed by their devices, and ended one by one`() async throws {
        try await TestShop.open([]) { shop in
            let visitor = try await shop.visitor()
            let phone = WebVisitor(
                shop, userAgent: "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) Version/19.0 Safari/604.1")
            try await phone.signIn()
            let page = try await visitor.get("/account/sessions")
            #expect(page.words.contains("Safari on iPhone") && page.words.contains("This session"))
            let forms = page.forms.filter { $0.action.hasSuffix("/end") }
            let action = try #require(forms.first?.action)
            #expect(forms.count == 1)
            let ended = try await visitor.submit(page, action: action)
            #expect(ended.words.contains("The session has ended."))
            #expect(try await phone.get("/account").location?.hasPrefix("/sign-in") == true)
            #expect(try await visitor.get("/account").status == 200)
        }
    }

    @Test func `The data are downloaded as a file, and are those of the visitor`() async throws {
        try await TestShop.open([]) { shop in
            let visitor = try await shop.visitor()
            let page = try await visitor.get("/account/data")
            #expect(page.links.contains("/account/data/export"))
            let file = try await visitor.get("/account/data/export")
            #expect(file.status == 200 && file.header("Content-Type") == "application/json")
            #expect(file.header("Content-Disposition")?.hasPrefix("attachment") == true)
            #expect(file.header("Cache-Control") == "no-store")
            #expect(try AccountExport(json: file.body).profile.email == "ada@example.com")
            let stranger = try await WebVisitor(shop).get("/account/data/export")
            #expect(stranger.status == 303 && stranger.body.isEmpty)
        }
    }

    @Test func `The account is deleted with its password, and its cookies with it`() async throws {
        try await TestShop.open { shop in
            let visitor = try await shop.visitor()
            let page = try await visitor.get("/account/data")
            let wrong = try await visitor.submit(page, action: "/account/data/delete", ["password": "wrong"])
            #expect(wrong.status == 401 && wrong.words.contains("The password is wrong"))
            let gone = try await visitor.submit(wrong, action: "/account/data/delete", ["password": .password])
            #expect(gone.status == 200 && gone.heading == "Your account has been deleted" && visitor.accessToken == nil)
            // The page can be asked for again.
            #expect(gone.location == "/account/deleted")
            try await shop.anyone.call(
                Contract.signIn, SignInRequest(email: "ada@example.com", password: .password)
            ).problem(.invalidCredentials)
        }
    }

    // MARK: Staff

    @Test func `Only the staff's accounts link to the second factor in the administration`() async throws {
        try await TestShop.open([]) { shop in
            let customer = try await shop.visitor()
            #expect(try await customer.get("/account").links.contains("/admin/second-factor") == false)
            #expect(try await customer.get("/admin/second-factor").location == "/admin/sign-in")
            let member = WebVisitor(shop, session: try await shop.staff(.support).session)
            let account = try await member.get("/account")
            #expect(account.links.contains("/admin/second-factor"))
            #expect(try await member.get("/admin/second-factor").heading == "Two-factor authentication")
            // Its page was here, too.
            #expect(account.links.contains("/account/second-factor") == false)
            #expect(try await member.get("/account/second-factor").status == 404)
        }
    }

    @Test func `An invited person joins the staff by the link in the mail`() async throws {
        try await TestShop.open([]) { shop in
            let owner = try await shop.staff(.owner)
            try await owner.invite("eve@example.com", as: .support).good()
            let token = try await shop.invitationToken("eve@example.com")
            let visitor = WebVisitor(shop, language: "de")
            let page = try await visitor.submit(
                try await visitor.get("/join-staff"), action: "/join-staff",
                ["token": token, "name": "Eve", "password": .password])
            #expect(page.location == "/admin/sign-in" && page.words.contains("Welcome! Sign in to get started."))
            #expect(try await visitor.signIn("eve@example.com").location == "/account")
            #expect(try await visitor.get("/account").links.contains("/admin/second-factor"))
        }
    }
}
