import Foundation
import PouchClient
import PouchDomain
import PouchHTTP
import PouchJSON
import Testing

/// The commands of `pouch` about one's account, in scripts, against a running server.
@Suite(.timeLimit(.minutes(5)))
struct AccountTerminalTests {
    @Test func `The password is changed, and the old one is refused`() async throws {
        try await withRunningShop { shop in
            let ann = try Shopper(at: shop.url)
            try await ann.signUp()
            let changed = try await ann.pouch("password", input: "correct horse\nbattery staple\n")
            #expect(changed.status == 0, "\(changed.errors)")
            let other = try Shopper(at: shop.url)
            let signIn = ["sign-in", "--email", "ann@example.com"]
            #expect(try await other.pouch(arguments: signIn, input: "correct horse\n").status == 4)
            #expect(try await other.pouch(arguments: signIn, input: "battery staple\n").status == 0)
            let wrong = try await ann.pouch("password", input: "correct horse\nthird password\n")
            #expect(wrong.status == 4 && !wrong.errors.contains("horse"))
            #expect(wrong.errors.contains("The current password is wrong."))
            #expect(!wrong.errors.contains("sign-up") && wrong.errors.contains("pouch reset-password"))
            #expect(try await ann.pouch("password", input: "battery staple\n").status == 64)
        }
    }

    @Test func `A forgotten password is replaced with the link of the mail, and an address verified with the token alone`() async throws
    {
        try await withRunningShop { shop in
            let ann = try Shopper(at: shop.url)
            try await ann.signUp()
            let accounts = shop.services.accounts
            for email in ["ann@example.com", "nobody@example.com"] {
                let asked = try await ann.pouch("reset-password", "--email", email)
                #expect(asked.status == 0 && asked.output.hasPrefix("If this address has an account"))
            }
            try await accounts.answerPasswordResets()
            let reset = try await shop.mailedToken(.passwordReset)
            let wrong = try await ann.pouch("verify", input: reset + "\n")
            #expect(wrong.status == 3 && !wrong.errors.contains(reset))
            #expect(try await ann.pouch("verify", input: shop.mailedToken(.emailVerification) + "\n").status == 0)
            #expect(try await ann.pouch("verify", "--send").status == 3)
            let link = "https://shop.example.com/reset-password#" + reset
            let done = try await ann.pouch("reset-password", input: link + "\nbattery staple\n")
            #expect(done.status == 0, "\(done.errors)")
            #expect(try await ann.pouch("reset-password", input: link + "\nbattery staple\n").status == 3)
            #expect(try await ann.pouch("orders").status == 4)
            #expect(try await ann.pouch("sign-in", "--email", "ann@example.com", input: "battery staple\n").status == 0)
        }
    }

    @Test
    func `The name and the mobile number are changed, each alone, and an empty text clears the number`() async throws {
        try await withRunningShop { shop in
            let ann = try Shopper(at: shop.url)
            #expect(try await ann.pouch("account", "edit", "--name", "Ann").status == 4)
            try await ann.signUp()
            #expect(try await ann.pouch("account", "edit").status == 64)
            let number = try await ann.pouch("account", "edit", "--mobile-number", "+61 491 570 006")
            #expect(number.output == "Ann Example <ann@example.com>, +61 491 570 006\n", "\(number.errors)")
            let name = try await ann.pouch("account", "edit", "--name", "Ann Other", "--json").json(Profile.self)
            #expect(name.name == "Ann Other" && name.mobileNumber == "+61 491 570 006")
            let cleared = try await ann.pouch("account", "edit", "--mobile-number", "")
            #expect(cleared.output == "Ann Other <ann@example.com>\n", "\(cleared.errors)")
            #expect(try await ann.pouch("account", "edit", "--mobile-number", "none").status == 3)
            #expect(try await ann.pouch("whoami").output == cleared.output)
        }
    }

    @Test func `An account is deleted with its password: a script has to add --yes, and a wrong password deletes nothing`() async throws
    {
        try await withRunningShop { shop in
            let ann = try Shopper(at: shop.url)
            #expect(try await ann.pouch("account", "delete", "--yes", input: "correct horse\n").status == 4)
            try await ann.signUp()
            let unsure = try await ann.pouch("account", "delete", input: "correct horse\n")
            #expect(unsure.status == 64 && unsure.errors.contains("The account was not deleted."))
            #expect(unsure.errors.contains("--yes"))
            #expect(try await ann.pouch("account", "delete", "--yes", input: "wrong horse\n").status == 4)
            #expect(try await ann.pouch("whoami").output.contains("ann@example.com"))
            let deleted = try await ann.pouch("account", "delete", "--yes", input: "correct horse\n")
            #expect(deleted.output == "The account is deleted.\n", "\(deleted.errors)")
            #expect(try await ann.pouch("whoami").status == 4)
            let signIn = try await ann.pouch("sign-in", "--email", "ann@example.com", input: "correct horse\n")
            #expect(signIn.status == 4)
        }
    }

    @Test func `Addresses are added, edited part by part, listed and removed`() async throws {
        try await withRunningShop { shop in
            let ann = try Shopper(at: shop.url)
            try await ann.signUp()
            for list in [["address", "list"], ["address"]] {
                #expect(try await ann.pouch(arguments: list).output.contains("no addresses"))
            }
            let added = try await ann.pouch(
                arguments: ["address", "add", "--json", "--line2", "Flat 2"] + TerminalTests.address)
            let address = try added.json(Address.self)
            let id = try #require(address.id)
            let edited = try await ann.pouch("address", "edit", id, "--city", "Perth", "--line2", "", "--json")
            let new = try edited.json(Address.self)
            #expect(new.city == "Perth" && new.line2 == nil && new.line1 == address.line1)
            #expect(try await ann.pouch("address", "list").output.contains("Perth"))
            #expect(try await ann.pouch("address", "edit", id).status == 64)
            let bought = try await ann.pouch("buy", "wool-scarf", "--card", "tok_ok", "--address", id, "--json")
            #expect(try bought.json(Order.self).shipping?.address.city == "Perth")
            #expect(try await ann.pouch("cart", "add", "wool-scarf").status == 0)
            let paid = try await ann.pouch("checkout", "--card", "tok_ok", "--address", id, "--json")
            #expect(try paid.json(Order.self).shipping?.address.city == "Perth")
            let two = try await ann.pouch("buy", "wool-scarf", "--card", "tok_ok", "--address", id, "--city", "Perth")
            #expect(two.status == 64, "\(two.errors)")
            #expect(try await ann.pouch("address", "remove", id).status == 0)
            let unknown = try await ann.pouch("buy", "wool-scarf", "--card", "tok_ok", "--address", id)
            #expect(unknown.status == 2 && unknown.errors.contains("No such address: \(id)."))
            let gone = try await ann.pouch("address", "remove", id)
            #expect(gone.status == 2 && gone.errors.contains("No such address: \(id)."))
        }
    }

    @Test func `Sessions are listed and ended, and the export has the account`() async throws {
        try await withRunningShop { shop in
            let (ann, other) = (try Shopper(at: shop.url), try Shopper(at: shop.url))
            try await ann.signUp()
            #expect(
                try await other.pouch("sign-in", "--email", "ann@example.com", input: "correct horse\n").status == 0)
            let listed = try await ann.pouch("session", "list", "--json")
            let sessions = try listed.json(Page<AccountSession>.self).items
            #expect(sessions.map(\.isCurrent) == [false, true])
            #expect(sessions.allSatisfy { $0.userAgent?.hasPrefix("pouch (") == true && $0.network == "127.0.0.1" })
            #expect(try await ann.pouch("session", "list").output.contains("this one"))
            #expect(try await ann.pouch("session").output.contains("this one"))
            #expect(try await ann.pouch("session", "end", sessions[0].id).status == 0)
            #expect(try await other.pouch("orders").status == 4)
            #expect(try await ann.pouch("session", "end", sessions[0].id).status == 2)
            let export = try await ann.pouch("export").json(AccountExport.self)
            #expect(export.profile.email == "ann@example.com" && export.sessions.count == 1)
            let file = ann.folder.file("export.json")
            #expect(try await ann.pouch("export", "--output", file.path).status == 0)
            #expect(try AccountExport(json: Data(contentsOf: file)).profile == export.profile)
            let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
            #expect(mode == 0o600)
            #expect(try await ann.pouch("export", "--output", "/nowhere/export.json").status == 1)
        }
    }

    @Test func `Under --json an error is JSON on standard error, with the exit code`() async throws {
        try await withRunningShop { shop in
            let ann = try Shopper(at: shop.url)
            for (arguments, reason, code) in [
                (["product", "none", "--json"], "notFound", 2), (["whoami", "--json"], "notSignedIn", 4),
                (["cart", "add", "wool-scarf", "--quantity", "99", "--json"], "outOfStock", 3),
            ] as [([String], String, Int32)] {
                let outcome = try await ann.pouch(arguments: arguments)
                #expect(outcome.status == code && outcome.output.isEmpty)
                let document = try JSON(json: Data(outcome.errors.utf8))
                guard case .object(let members) = document, case .object(let error)? = members["error"] else {
                    Issue.record("\(outcome.errors)")
                    continue
                }
                #expect(error["reason"] == .string(reason) && error["exitCode"] == .integer(Int64(code)))
                #expect(error["message"] != nil)
            }
        }
    }
}

extension RunningShop {
    /// The token that the mail of the only link for a purpose has.
    fileprivate func mailedToken(_ purpose: SignedLink.Purpose) async throws -> String {
        let signer = LinkSigner(keyRing: services.keyRing, digests: services.environment.digests)
        let mails = try await services.environment.store.write { repositories in
            let now = Date()
            var mails: [QueuedMail] = []
            while let leased = try repositories.mails.lease(at: now, until: now.addingTimeInterval(0.01)) {
                mails.append(leased.mail)
            }
            return mails
        }
        return signer.token(for: try #require(mails.compactMap(\.content.link).first { $0.purpose == purpose }))
    }
}
