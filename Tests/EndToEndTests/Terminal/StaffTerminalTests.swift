import Foundation
import PouchClient
import PouchDomain
import PouchEntities
import PouchHTTP
import PouchJSON
import PseudoTerminal
import Testing

/// `pouch admin staff`, `pouch admin key` and `pouch second-factor` in scripts, against a running server.
@Suite(.timeLimit(.minutes(5)))
struct StaffTerminalTests {
    @Test
    func `A key from a file works without a session, only within its scopes, and until it is revoked`() async throws {
        try await withRunningShop { shop in
            let owner = try await shop.owner()
            let made = try await owner.pouch(
                "admin", "key", "create", "--name", "till", "--scope", "orders:read", "--json"
            ).json(NewAPIKey.self)
            let program = try Shopper(at: shop.url)
            let file = try program.folder.file("key", containing: made.token + "\n").path
            let orders = try await program.pouch("admin", "orders", "--api-key-file", file)
            #expect(orders.status == 0, "\(orders.errors)")
            let refused = try await program.pouch("admin", "stock", "wool-scarf", "--set", "1", "--api-key-file", file)
            #expect(refused.status == 4 && refused.output.isEmpty)
            #expect(refused.errors.contains("Use a key with this scope"), "\(refused.errors)")
            for command in [["cart"], ["cart", "add", "wool-scarf"], ["orders"], ["sign-out"]] {
                let refused = try await program.pouch(arguments: command + ["--api-key-file", file, "--trace"])
                #expect(refused.status == 4 && refused.output.isEmpty)
                #expect(refused.errors.contains("An API key has no account."), "\(refused.errors)")
                #expect(!refused.errors.contains("POST") && !refused.errors.contains("guest"))
            }
            let key = try await program.pouch("whoami", "--api-key-file", file)
            #expect(key.output == "API key \(made.key.id)\n", "\(key.errors)")
            let manager = try await owner.pouch("admin", "key", "create", "--name", "rota", "--scope", "staff:manage")
            #expect(manager.status != 0 && manager.output.isEmpty)
            #expect(try await program.pouch("admin", "orders").status == 4)
            #expect(try await program.pouch("admin", "orders", "--api-key-file", "/nothing").status == 64)
            let list = try await owner.pouch("admin", "key", "list")
            #expect(list.output.hasPrefix("till\t\(made.key.id)\torders:read\t"))
            #expect(!list.output.contains(made.token))
            #expect(try await owner.pouch("admin", "key", "revoke", made.key.id).status == 0)
            let revoked = try await program.pouch("admin", "orders", "--api-key-file", file, "--trace")
            #expect(revoked.status == 4 && revoked.errors.contains("unknown, expired or revoked"))
            #expect(!revoked.errors.contains(made.token))
        }
    }

    @Test func `Staff is invited, listed, and removed`() async throws {
        try await withRunningShop { shop in
            let owner = try await shop.owner()
            let invited = try await owner.pouch("admin", "staff", "invite", "sue@example.com", "support")
            #expect(invited.output.hasPrefix("sue@example.com\t\tsupport\tinvited\tinv_"), "\(invited.errors)")
            let reader = try await owner.pouch("admin", "staff", "invite", "rob@example.com", "read only")
            #expect(reader.output.hasPrefix("rob@example.com\t\tread only\tinvited\t"), "\(reader.errors)")
            let list = try await owner.pouch("admin", "staff")
            #expect(list.output.contains("boss@example.com\tBoss\towner\t\tacc_"))
            #expect(try await owner.pouch("admin", "staff", "remove", "sue@example.com").status == 0)
            #expect(try await owner.pouch("admin", "staff", "remove", "sue@example.com").status == 2)
            let last = try await owner.pouch("admin", "staff", "role", "boss@example.com", "manager")
            #expect(last.status == 3 && last.errors.contains("The shop needs an owner."))
            #expect(try await owner.pouch("admin", "staff", "invite", "x@example.com", "emperor").status == 64)
            let forged = try await owner.pouch("admin", "staff", "accept", input: "nonsense\ncorrect horse\n")
            #expect(forged.status == 3)
        }
    }

    @Test func `A terminal asks for the first code again, and a script learns that nothing has changed`() async throws {
        let standard = ShopSettings.standard()
        let strict = ShopSettings(
            currency: .eur, country: "AU", shipping: standard.shipping, staffNeedsSecondFactor: true)
        try await withRunningShop(settings: strict) { shop in
            let owner = try await shop.owner()
            let missing = try await owner.pouch("second-factor")
            #expect(missing.output.contains("Staff of this shop need a code"), "\(missing.errors)")
            let script = try await owner.pouch("second-factor", "enable", input: "000000\n")
            #expect(script.status == 4 && script.output.isEmpty)
            #expect(script.errors.contains("nothing has changed") && !script.errors.contains("recovery code"))
            let terminal = try PseudoTerminal(rows: 60)
            let program = try terminal.run("pouch", ["second-factor", "enable"], at: shop.url, storingIn: owner.folder)
            try await terminal.wait(for: "Code of your second factor:")
            let shown = terminal.screen.lines.map { $0.trimmingCharacters(in: .whitespaces) }
            let secret = try #require(shown.first { $0.wholeMatch(of: #/[A-Z2-7]{32}/#) != nil })
            terminal.type("000000\n")
            try await terminal.wait(for: "The code is wrong. Check the secret in the app")
            let bytes = try #require(ByteAlphabet.base32Capital.bytes(secret.utf8))
            let codes = OneTimePassword(secret: Data(bytes), digests: shop.services.environment.digests)
            terminal.type(codes.code(step: OneTimePassword.step(at: .now)) + "\n")
            #expect(await program.exit == 0)
            #expect(try await owner.pouch("second-factor").output.contains("10 recovery codes are left"))
        }
    }

    @Test func `Ten minutes after the sign-in a refund asks for the password, and goes on with it`() async throws {
        try await withRunningShop { shop in
            let owner = try await shop.owner()
            let buyer = try Shopper(at: shop.url)
            let bought = try await buyer.pouch(
                arguments: ["buy", "wool-scarf", "--card", "tok_ok", "--email", "a@example.com", "--json"]
                    + TerminalTests.address)
            let order = try bought.json(Order.self)
            let file = try #require(try owner.stateFiles.first { $0.path.hasSuffix(".json") })
            let session = try UserSession(json: Data(contentsOf: owner.folder.file(file.path)))
            let old = Date.now.addingTimeInterval(-700)
            try await shop.services.store.write { try $0.sessions.confirm(id: session.id, at: old) }
            let refund = ["admin", "refund", order.id, "--amount", "1", "--reason", "late"]
            let wrong = try await owner.pouch(arguments: refund, input: "wrong password\n")
            #expect(wrong.status == 4 && wrong.output.isEmpty)
            #expect(wrong.errors.contains("The current password is wrong."))
            let none = try await owner.pouch(arguments: refund)
            #expect(none.status == 64 && none.output.isEmpty)
            let confirmed = try await owner.pouch(arguments: refund, input: "correct horse\n")
            #expect(confirmed.output.hasPrefix("1.00 EUR was refunded."), "\(confirmed.errors)")
            #expect(!confirmed.errors.contains("correct horse"))
            #expect(try await owner.pouch(arguments: refund).status == 0)
        }
    }
}
