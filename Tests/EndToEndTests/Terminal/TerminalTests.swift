import ClientTesting
import Foundation
import PouchClient
import PouchDomain
import PouchHTTP
import PouchJSON
import Testing

/// The commands of `pouch` in scripts, against a running server.
@Suite(.timeLimit(.minutes(5)))
struct TerminalTests {
    @Test func `The main job: browse, sign up, fill the cart, pay, see the order, cancel it`() async throws {
        try await withShopper { ann, _ in
            let catalog = try await ann.succeeds("catalog --search cardigan", printing: "ribbed-cardigan", "129.00")
            #expect(!catalog.output.contains("wool-scarf"))
            try await ann.succeeds("product ribbed-cardigan", printing: "ribbed-cardigan-s", "ribbed-cardigan-m")
            // A guest fills the cart, and keeps it when signing up.
            try await ann.succeeds("cart add ribbed-cardigan-s --quantity 2")
            try await ann.signUp()
            try await ann.succeeds("whoami", printing: "ann@example.com")
            try await ann.succeeds("cart", printing: "258.00")
            try await ann.succeeds("checkout --card tok_ok \(Shopper.address)", printing: "262.90")
            let order = try #require(try await ann.json("orders", as: Page<Order>.self).items.first)
            #expect(order.status == .paid)
            try await ann.succeeds("order \(order.id)", printing: order.number)
            try await ann.succeeds("cancel \(order.id)")
            try await ann.fails("cancel \(order.id)", 3, saying: "The order \(order.id) can no longer be cancelled.")
            try await ann.succeeds("sign-out")
            try await ann.fails("orders", 4)
        }
    }

    @Test func `The lines of a cart are added, changed and removed`() async throws {
        try await withShopper { ann, _ in
            try await ann.succeeds("cart add wool-scarf")
            try await ann.succeeds("cart set wool-scarf 3", printing: "128.97")
            try await ann.succeeds("cart add ribbed-cardigan-s")
            let cart = try await ann.json("cart remove wool-scarf", as: Cart.self)
            #expect(cart.lines.map(\.sku) == ["ribbed-cardigan-s"])
            for change in ["remove wool-scarf", "set wool-scarf 0"] {
                try await ann.fails("cart \(change)", 2, saying: "no line wool-scarf")
            }
            #expect(try await ann.pouch("--json cart clear").json(Cart.self).lines.isEmpty)
        }
    }

    @Test func `--trace adds an aligned line for each request, without secrets, to standard error`() async throws {
        try await withShopper { ann, _ in
            try await ann.signUp()
            let plain = try await ann.pouch("cart add wool-scarf")
            let traced = try await ann.pouch("cart add wool-scarf --trace")
            #expect(plain.errors.isEmpty && traced.output.contains("85.98"))
            let lines = traced.errors.split(separator: "\n").map(String.init)
            #expect(lines.count == 2)
            let place = try #require(lines.first?.range(of: "REQUEST", options: .backwards)?.lowerBound)
            let request = try #require(lines.last?.range(of: "POST /v1/cart/lines")?.lowerBound)
            #expect(
                lines[0].distance(from: lines[0].startIndex, to: place)
                    == lines[1].distance(from: lines[1].startIndex, to: request))
            #expect(lines[1].contains("trace  200 ") && lines[1].contains(" ms "))
            let search = try await ann.pouch("--trace catalog --search wool")
            #expect(search.errors.contains("GET /v1/products?q=*") && !search.errors.contains("wool"))
            let again = try await ann.pouch("sign-in --email ann@example.com --trace", input: "wrong password\n")
            #expect(again.errors.contains("POST /v1/sessions\n") && again.errors.contains("trace  401 "))
            #expect(!again.errors.contains("ann@example.com") && !again.errors.contains("wrong password"))
        }
    }

    @Test func `Each kind of failure has its exit code, and its text goes only to standard error`() async throws {
        let failures: [(command: String, status: Int32)] = [
            ("product no-such-thing", 2), ("cart add no-such-sku", 2), ("cart add sun-hat", 3),
            ("cart add wool-scarf --quantity 99", 3), ("checkout --card tok_ok", 3), ("orders --nonsense", 64),
            ("catalog --sort backwards", 64), ("sign-in --email nobody@example.com", 4),
        ]
        try await withShopper { _, shop in
            for (command, status) in failures {
                let outcome = try await Shopper(at: shop.url).fails(command, status, input: "wrong password\n")
                #expect(!outcome.errors.contains("\u{1B}"), "\(command)")
            }
        }
    }

    @Test(arguments: [
        ("cart add wool-scarf --quantity -1", "'-1' is invalid for '--quantity"),
        ("buy wool-scarf --card tok_ok --quantity -1", "'-1' is invalid for '--quantity"),
        ("catalog --limit -1", "--limit must be from 1 to 200."), ("orders --page -1", "--page must be 1 or more."),
        ("admin discount add TEN --percent -5", "'-5' is invalid for '--percent"),
        ("admin stock list --threshold -1", "'-1' is invalid for '--threshold"),
    ])
    func `An option takes a negative number, and says what it takes`(command: String, text: String) async throws {
        try await Shopper(at: nowhere()).fails(command, 64, saying: text)
    }

    @Test func `A declined card is reported with its reason`() async throws {
        try await withShopper { ann, _ in
            let buy = "buy wool-scarf --card tok_insufficient_funds --email a@example.com \(Shopper.address)"
            try await ann.fails(buy, 3, saying: "insufficient_funds")
        }
    }

    @Test func `An unreachable server is named, with advice`() async throws {
        try await Shopper(at: nowhere()).fails("catalog", 5, saying: "127.0.0.1:9")
    }

    @Test func `A server without a shop at the address is doubted, and not the products`() async throws {
        try await withShopper { ann, shop in
            let folder = try Shopper(at: shop.url.appending(path: "sub"))
            try await folder.fails("catalog", 2, saying: "no shop at this address", "/sub the shop's server")
            try await ann.fails("product sub", 2, saying: "No such product: sub.")
        }
    }

    @Test func `The session file is readable only by its owner, and no secret is printed`() async throws {
        try await withShopper { ann, _ in
            let signUp = try await ann.pouch(
                "sign-up --name Ann --email ann@example.com --json", input: "correct horse\n")
            #expect(try ann.stateFiles.map(\.mode) == [0o600])
            let whoami = try await ann.pouch("whoami --json")
            for text in [signUp.output, signUp.errors, whoami.output, whoami.errors] {
                #expect(!text.contains("Token") && !text.contains("correct horse"))
            }
        }
    }
}

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

    @Test func `A forgotten password is replaced by the mail's link, an address verified by its token`() async throws {
        try await withShopper { ann, shop in
            try await ann.signUp()
            for email in ["ann@example.com", "nobody@example.com"] {
                let asked = try await ann.succeeds("reset-password --email \(email)")
                #expect(asked.output.hasPrefix("If this address has an account"))
            }
            try await shop.services.accounts.answerPasswordResets()
            let reset = try await shop.mailedToken(.passwordReset)
            #expect(try await !ann.fails("verify", 3, input: reset + "\n").errors.contains(reset))
            try await ann.succeeds("verify", input: shop.mailedToken(.emailVerification) + "\n")
            try await ann.fails("verify --send", 3)
            let input = "https://shop.example.com/reset-password#\(reset)\nbattery staple\n"
            try await ann.succeeds("reset-password", input: input)
            try await ann.fails("reset-password", 3, input: input)
            try await ann.fails("orders", 4)
            try await ann.succeeds(Self.signIn, input: "battery staple\n")
        }
    }

    @Test func `Name and mobile number are changed, each alone, and an empty text clears the number`() async throws {
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

    @Test func `An account is deleted only with the right password, and by a script only with --yes`() async throws {
        try await withShopper { ann, _ in
            try await ann.fails("account delete --yes", 4, input: "correct horse\n")
            try await ann.signUp()
            try await ann.fails(
                "account delete", 64, input: "correct horse\n", saying: "Your account was not deleted.", "--yes")
            try await ann.fails("account delete --yes", 4, input: "wrong horse\n")
            try await ann.succeeds("whoami", printing: "ann@example.com")
            let deleted = try await ann.succeeds("account delete --yes", input: "correct horse\n")
            #expect(deleted.output == "Your account has been deleted.\n")
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
            #expect(try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int == 0o600)
            try await ann.fails("export --output /nowhere/export.json", 1)
        }
    }

    @Test func `Under --json an error is JSON on standard error, with the exit code`() async throws {
        let failures: [(command: String, reason: String, status: Int32)] = [
            ("product none", "notFound", 2), ("whoami", "notSignedIn", 4),
            ("cart add wool-scarf --quantity 99", "outOfStock", 3),
        ]
        try await withShopper { _, shop in
            for (command, reason, status) in failures {
                let outcome = try await Shopper(at: shop.url).fails("\(command) --json", status)
                let error = try #require(try JSON(json: outcome.errors)["error"], "\(command)")
                #expect(error["reason"] == .string(reason) && error["message"] != nil, "\(command)")
                #expect(error["exitCode"] == .integer(Int64(status)), "\(command)")
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
