import Foundation
import PouchClient
import PouchDomain
import PouchHTTP
import PouchJSON
import Testing

/// The commands of `pouch` about one's account, in scripts, against a running server.
@Suite(.timeLimit(.minutes(5)))
struct AccountTerminalTests {
    private static let signIn = "sign-in --email ann@example.com"

    @Test func `The password is changed, and the old one is refused`() async throws {
        try await withShopper { ann, shop in
            try await ann.signUp()
            try await ann.succeeds("password", input: "correct horse\nbattery staple\n")
            let other = try Shopper(at: shop.url)
            try await other.fails(Self.signIn, 4, input: "correct horse\n")
            try await other.succeeds(Self.signIn, input: "battery staple\n")
            let wrong = try await ann.fails(
                "password", 4, input: "correct horse\nthird password\n", saying: "The current password is wrong.",
                "pouch reset-password")
            #expect(!wrong.errors.contains("horse") && !wrong.errors.contains("sign-up"))
            try await ann.fails("password", 64, input: "battery staple\n")
        }
    }

    @Test
    func `A forgotten password is replaced with the link of the mail, and an address verified with the token alone`()
        async throws
    {
        try await withShopper { ann, shop in
            try await ann.signUp()
            for email in ["ann@example.com", "nobody@example.com"] {
                let asked = try await ann.succeeds("reset-password --email \(email)")
                #expect(asked.output.hasPrefix("If this address has an account"))
            }
            try await shop.services.accounts.answerPasswordResets()
            let reset = try await shop.mailedToken(.passwordReset)
            let wrong = try await ann.fails("verify", 3, input: reset + "\n")
            #expect(!wrong.errors.contains(reset))
            try await ann.succeeds("verify", input: shop.mailedToken(.emailVerification) + "\n")
            try await ann.fails("verify --send", 3)
            let input = "https://shop.example.com/reset-password#\(reset)\nbattery staple\n"
            try await ann.succeeds("reset-password", input: input)
            try await ann.fails("reset-password", 3, input: input)
            try await ann.fails("orders", 4)
            try await ann.succeeds(Self.signIn, input: "battery staple\n")
        }
    }

    @Test func `The name and the mobile number are changed, each alone, and an empty text clears the number`()
        async throws
    {
        try await withShopper { ann, _ in
            try await ann.fails("account edit --name Ann", 4)
            try await ann.signUp()
            try await ann.fails("account edit", 64)
            let number = try await ann.succeeds("account edit --mobile-number '+61 491 570 006'")
            #expect(number.output == "Ann Example <ann@example.com>, +61 491 570 006\n")
            let name = try await ann.json("account edit --name 'Ann Other'", as: Profile.self)
            #expect(name.name == "Ann Other" && name.mobileNumber == "+61 491 570 006")
            let cleared = try await ann.succeeds("account edit --mobile-number ''")
            #expect(cleared.output == "Ann Other <ann@example.com>\n")
            try await ann.fails("account edit --mobile-number none", 3)
            #expect(try await ann.pouch("whoami").output == cleared.output)
        }
    }

    @Test
    func `An account is deleted with its password: a script has to add --yes, and a wrong password deletes nothing`()
        async throws
    {
        try await withShopper { ann, _ in
            try await ann.fails("account delete --yes", 4, input: "correct horse\n")
            try await ann.signUp()
            try await ann.fails(
                "account delete", 64, input: "correct horse\n", saying: "The account was not deleted.", "--yes")
            try await ann.fails("account delete --yes", 4, input: "wrong horse\n")
            try await ann.succeeds("whoami", printing: "ann@example.com")
            let deleted = try await ann.succeeds("account delete --yes", input: "correct horse\n")
            #expect(deleted.output == "The account is deleted.\n")
            try await ann.fails("whoami", 4)
            try await ann.fails(Self.signIn, 4, input: "correct horse\n")
        }
    }

    @Test func `Addresses are added, edited part by part, listed and removed`() async throws {
        try await withShopper { ann, _ in
            try await ann.signUp()
            for list in ["address list", "address"] { try await ann.succeeds(list, printing: "no addresses") }
            let address = try await ann.json("address add --line2 'Flat 2' \(Shopper.address)", as: Address.self)
            let id = try #require(address.id)
            let new = try await ann.json("address edit \(id) --city Perth --line2 ''", as: Address.self)
            #expect(new.city == "Perth" && new.line2 == nil && new.line1 == address.line1)
            try await ann.succeeds("address list", printing: "Perth")
            try await ann.fails("address edit \(id)", 64)
            let buy = "buy wool-scarf --card tok_ok --address \(id)"
            #expect(try await ann.json(buy, as: Order.self).shipping?.address.city == "Perth")
            try await ann.succeeds("cart add wool-scarf")
            let paid = try await ann.json("checkout --card tok_ok --address \(id)", as: Order.self)
            #expect(paid.shipping?.address.city == "Perth")
            try await ann.fails("\(buy) --city Perth", 64)
            try await ann.succeeds("address remove \(id)")
            for command in [buy, "address remove \(id)"] {
                try await ann.fails(command, 2, saying: "No such address: \(id).")
            }
        }
    }

    @Test func `Sessions are listed and ended, and the export has the account`() async throws {
        try await withShopper { ann, shop in
            let other = try Shopper(at: shop.url)
            try await ann.signUp()
            try await other.succeeds(Self.signIn, input: "correct horse\n")
            let sessions = try await ann.json("session list", as: Page<AccountSession>.self).items
            #expect(sessions.map(\.isCurrent) == [false, true])
            #expect(sessions.allSatisfy { $0.userAgent?.hasPrefix("pouch (") == true && $0.network == "127.0.0.1" })
            for list in ["session list", "session"] { try await ann.succeeds(list, printing: "this one") }
            try await ann.succeeds("session end \(sessions[0].id)")
            try await other.fails("orders", 4)
            try await ann.fails("session end \(sessions[0].id)", 2)

            let export = try await ann.pouch("export").json(AccountExport.self)
            #expect(export.profile.email == "ann@example.com" && export.sessions.count == 1)
            let file = ann.folder.file("export.json")
            try await ann.succeeds("export --output \(file.path)")
            #expect(try AccountExport(json: Data(contentsOf: file)).profile == export.profile)
            let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
            #expect(mode == 0o600)
            try await ann.fails("export --output /nowhere/export.json", 1)
        }
    }

    @Test(
        arguments: [
            ("product none", "notFound", 2), ("whoami", "notSignedIn", 4),
            ("cart add wool-scarf --quantity 99", "outOfStock", 3),
        ] as [(String, String, Int32)])
    func `Under --json an error is JSON on standard error, with the exit code`(
        command: String, reason: String, code: Int32
    ) async throws {
        try await withShopper { ann, _ in
            let outcome = try await ann.fails("\(command) --json", code)
            let error = try #require(try JSON(json: Data(outcome.errors.utf8))["error"])
            #expect(error["reason"] == .string(reason) && error["exitCode"] == .integer(Int64(code)))
            #expect(error["message"] != nil)
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
