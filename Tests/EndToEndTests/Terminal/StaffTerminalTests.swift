import ClientTesting
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
    @Test func `A key in a file works without a session, within its scopes, and until it is revoked`() async throws {
        try await withOwner { owner, shop in
            let made = try await owner.json("admin key create --name till --scope orders:read", as: NewAPIKey.self)
            let program = try Shopper(at: shop.url)
            let file = try program.folder.file("key", containing: made.token + "\n")
            let key = "--api-key-file \(file.path)"
            try await program.succeeds("admin orders \(key)")
            try await program.fails("admin stock wool-scarf --set 1 \(key)", 4, saying: "Use a key with this scope")
            for command in ["cart", "cart add wool-scarf", "orders", "sign-out"] {
                let refused = try await program.fails(
                    "\(command) \(key) --trace", 4, saying: "An API key has no account.")
                #expect(!refused.errors.contains("POST") && !refused.errors.contains("guest"))
            }
            #expect(try await program.pouch("whoami \(key)").output == "API key \(made.key.id)\n")
            let manager = try await owner.pouch("admin key create --name rota --scope staff:manage")
            #expect(manager.status != 0 && manager.output.isEmpty)
            try await program.fails("admin orders", 4)
            try await program.fails("admin orders --api-key-file /nothing", 64)

            let list = try await owner.succeeds("admin key list")
            #expect(list.output.hasPrefix("till\t\(made.key.id)\torders:read\t"))
            #expect(!list.output.contains(made.token))
            try await owner.succeeds("admin key revoke \(made.key.id)")
            let revoked = try await program.fails(
                "admin orders \(key) --trace", 4, saying: "unknown, expired or revoked")
            #expect(!revoked.errors.contains(made.token))
        }
    }

    @Test func `Staff is invited, listed, and removed`() async throws {
        try await withOwner { owner, _ in
            let invited = try await owner.succeeds("admin staff invite sue@example.com support")
            #expect(invited.output.hasPrefix("sue@example.com\t\tsupport\tinvited\tinv_"))
            let reader = try await owner.succeeds("admin staff invite rob@example.com 'read only'")
            #expect(reader.output.hasPrefix("rob@example.com\t\tread only\tinvited\t"))
            try await owner.succeeds("admin staff", printing: "boss@example.com\tBoss\towner\t\tacc_")
            try await owner.succeeds("admin staff remove sue@example.com")
            try await owner.fails("admin staff remove sue@example.com", 2)
            try await owner.fails("admin staff role boss@example.com manager", 3, saying: "The shop needs an owner.")
            try await owner.fails("admin staff invite x@example.com emperor", 64)
            try await owner.fails("admin staff accept", 3, input: "nonsense\ncorrect horse\n")
        }
    }

    @Test func `A terminal asks for the first code again, and a script learns that nothing has changed`() async throws {
        let strict = ShopSettings(
            currency: .eur, country: "AU", shipping: ShopSettings.standard().shipping, staffNeedsSecondFactor: true)
        try await withOwner(settings: strict) { owner, shop in
            try await owner.succeeds("second-factor", printing: "Staff of this shop need a code")
            let script = try await owner.fails(
                "second-factor enable", 4, input: "000000\n", saying: "nothing has changed")
            #expect(!script.errors.contains("recovery code"))

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
            try await owner.succeeds("second-factor", printing: "10 recovery codes are left")
        }
    }

    @Test func `Ten minutes after the sign-in a refund asks for the password, and goes on with it`() async throws {
        try await withOwner { owner, shop in
            let order = try await Shopper(at: shop.url).buys("wool-scarf")
            let file = try #require(try owner.stateFiles.first { $0.path.hasSuffix(".json") })
            let session = try UserSession(json: Data(contentsOf: owner.folder.file(file.path)))
            let old = Date.now.addingTimeInterval(-700)
            try await shop.services.store.write { try $0.sessions.confirm(id: session.id, at: old) }
            let refund = "admin refund \(order.id) --amount 1 --reason late"
            try await owner.fails(refund, 4, input: "wrong password\n", saying: "The current password is wrong.")
            try await owner.fails(refund, 64)
            let confirmed = try await owner.succeeds(refund, input: "correct horse\n")
            #expect(confirmed.output.hasPrefix("1.00 EUR was refunded."))
            #expect(!confirmed.errors.contains("correct horse"))
            try await owner.succeeds(refund)
        }
    }
}

/// The question of `pouch` before it pays, cancels an order or gives something away.
@Suite(.timeLimit(.minutes(5)))
struct ConfirmationTerminalTests {
    /// Runs a command on a terminal of the user, and answers its question.
    ///
    /// - Parameter answer: nil for a command that must not ask.
    /// - Returns: the exit code.
    private func run(
        _ command: String, by user: Shopper, at server: URL, asked question: String, answering answer: String?
    ) async throws -> Int32 {
        let terminal = try PseudoTerminal(rows: 60)
        let program = try terminal.run("pouch", command.commandWords, at: server, storingIn: user.folder)
        if let answer {
            try await terminal.wait("“\(question)”") { $0.text.contains(question) && $0.text.contains("[y/N]") }
            terminal.type(answer + "\n")
        }
        let status = await program.exit
        // The terminal is read after the end, and so stays open until then.
        #expect(terminal.screen.text.contains("[y/N]") == (answer != nil))
        return status
    }

    private static let buy = "buy wool-scarf --card tok_ok \(Shopper.address)"

    @Test func `A terminal is asked before each; nothing happens without a yes, and --yes is an answer`() async throws {
        try await withOwner { owner, shop in
            let order = try await owner.json(Self.buy, as: Order.self)
            let commands = [
                (Self.buy, "with tok_ok?"), ("admin order cancel \(order.number)", "Cancel \(order.number)"),
                ("admin price wool-scarf 0", "Give wool-scarf away for free?"),
            ]
            let delete = ("account delete", "Delete the account of boss@example.com?")
            for (command, question) in commands + [delete] {
                #expect(try await run(command, by: owner, at: shop.url, asked: question, answering: "n") == 1)
            }
            let orders = try await owner.json("orders", as: Page<Order>.self).items
            #expect(orders.map(\.status) == [.paid] && orders.first?.id == order.id)
            try await owner.succeeds("product wool-scarf", printing: "42.99")

            #expect(try await run(Self.buy, by: owner, at: shop.url, asked: "with tok_ok?", answering: "yes") == 0)
            for (command, question) in commands {
                #expect(try await run(command + " -y", by: owner, at: shop.url, asked: question, answering: nil) == 0)
            }
            let after = try await owner.json("orders", as: Page<Order>.self).items
            #expect(after.map(\.status) == [.paid, .paid, .cancelled])
        }
    }

    @Test func `A terminal is asked before the rest of an order is refunded, and not before a part`() async throws {
        try await withOwner { owner, shop in
            let order = try await owner.json(Self.buy, as: Order.self)
            let refund = "admin refund \(order.number) --reason late"
            let (all, question) = (refund + " --all", "Refund everything left of \(order.number)?")
            #expect(try await run(all, by: owner, at: shop.url, asked: question, answering: "n") == 1)
            let part = refund + " --amount 1"
            #expect(try await run(part, by: owner, at: shop.url, asked: question, answering: nil) == 0)
            #expect(try await owner.json("order \(order.id)", as: Order.self).payment.refunded.amount == 100)
            #expect(try await run(all + " --yes", by: owner, at: shop.url, asked: question, answering: nil) == 0)
            #expect(try await owner.json("order \(order.id)", as: Order.self).payment.refunded == order.totals.total)
        }
    }

    @Test func `A script gives nothing away by mistake`() async throws {
        try await withOwner { owner, _ in
            for command in [
                "price wool-scarf 0", "product add Badge --price 0 --publish",
                "product variant edit wool-scarf wool-scarf --price 0.00",
                "product variant add wool-scarf --price 0 --option Size=M",
            ] { try await owner.fails("admin \(command)", 64, saying: "Nothing was changed.", "--yes") }
            try await owner.fails("product badge", 2)
            try await owner.succeeds("product wool-scarf", printing: "42.99")
            try await owner.succeeds("admin price wool-scarf 0 --yes", printing: "0.00 EUR")
            try await owner.succeeds("admin product add Badge --price 0 --yes", printing: "0.00 EUR")
        }
    }
}
