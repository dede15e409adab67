import Foundation
import PouchClient
import PseudoTerminal
import Testing

/// The question of `pouch` before it pays, cancels an order or gives something away.
@Suite(.timeLimit(.minutes(5)))
struct ConfirmationTerminalTests {
    /// Runs a command on a terminal of the user, and answers its question.
    ///
    /// - Parameter answer: nil for a command that must not ask.
    /// - Returns: the exit code.
    private func run(
        _ arguments: [String], by user: Shopper, at server: URL, asked question: String, answering answer: String?
    ) async throws -> Int32 {
        let terminal = try PseudoTerminal(rows: 60)
        let program = try terminal.run("pouch", arguments, at: server, storingIn: user.folder)
        if let answer {
            try await terminal.wait("“\(question)”") { $0.text.contains(question) && $0.text.contains("[y/N]") }
            terminal.type(answer + "\n")
        }
        let status = await program.exit
        // The terminal is read after the end, and so stays open until then.
        #expect(terminal.screen.text.contains("[y/N]") == (answer != nil))
        return status
    }

    @Test func `A terminal is asked before each of them: without a yes nothing happens, and --yes spares the question`()
        async throws
    {
        try await withRunningShop { shop in
            let owner = try await shop.owner()
            let buy = ["buy", "wool-scarf", "--card", "tok_ok"] + TerminalTests.address
            let order = try await owner.pouch(arguments: buy + ["--json"]).json(Order.self)
            let commands = [
                (buy, "with tok_ok?"), (["admin", "order", "cancel", order.number], "Cancel \(order.number)"),
                (["admin", "price", "wool-scarf", "0"], "Give wool-scarf away for nothing?"),
            ]
            let delete = (["account", "delete"], "Delete the account of boss@example.com?")
            for (arguments, question) in commands + [delete] {
                #expect(try await run(arguments, by: owner, at: shop.url, asked: question, answering: "n") == 1)
            }
            let orders = try await owner.pouch("orders", "--json").json(Page<Order>.self).items
            #expect(orders.map(\.status) == [.paid] && orders.first?.id == order.id)
            #expect(try await owner.pouch("product", "wool-scarf").output.contains("42.99"))
            #expect(try await run(buy, by: owner, at: shop.url, asked: "with tok_ok?", answering: "yes") == 0)
            for (arguments, question) in commands {
                let status = try await run(arguments + ["-y"], by: owner, at: shop.url, asked: question, answering: nil)
                #expect(status == 0)
            }
            let after = try await owner.pouch("orders", "--json").json(Page<Order>.self).items
            #expect(after.map(\.status) == [.paid, .paid, .cancelled])
        }
    }

    @Test func `A terminal is asked before the whole rest of an order is refunded, and not before a part of it`()
        async throws
    {
        try await withRunningShop { shop in
            let owner = try await shop.owner()
            let buy = ["buy", "wool-scarf", "--card", "tok_ok", "--json"] + TerminalTests.address
            let order = try await owner.pouch(arguments: buy).json(Order.self)
            let refund = ["admin", "refund", order.number, "--reason", "late"]
            let (all, question) = (refund + ["--all"], "Refund everything that is left of \(order.number)?")
            #expect(try await run(all, by: owner, at: shop.url, asked: question, answering: "n") == 1)
            let part = refund + ["--amount", "1"]
            #expect(try await run(part, by: owner, at: shop.url, asked: question, answering: nil) == 0)
            let kept = try await owner.pouch("order", order.id, "--json").json(Order.self)
            #expect(kept.payment.refunded.amount == 100)
            #expect(try await run(all + ["--yes"], by: owner, at: shop.url, asked: question, answering: nil) == 0)
            let refunded = try await owner.pouch("order", order.id, "--json").json(Order.self)
            #expect(refunded.payment.refunded == order.totals.total)
        }
    }

    @Test func `A script gives nothing away by mistake`() async throws {
        try await withRunningShop { shop in
            let owner = try await shop.owner()
            for command in [
                ["price", "wool-scarf", "0"], ["product", "add", "Badge", "--price", "0", "--publish"],
                ["product", "variant", "edit", "wool-scarf", "wool-scarf", "--price", "0.00"],
                ["product", "variant", "add", "wool-scarf", "--price", "0", "--option", "Size=M"],
            ] {
                let refused = try await owner.pouch(arguments: ["admin"] + command)
                #expect(refused.status == 64 && refused.errors.contains("Nothing was changed."), "\(refused.errors)")
                #expect(refused.errors.contains("--yes") && refused.output.isEmpty)
            }
            #expect(try await owner.pouch("product", "badge").status == 2)
            #expect(try await owner.pouch("product", "wool-scarf").output.contains("42.99"))
            let free = try await owner.pouch("admin", "price", "wool-scarf", "0", "--yes")
            #expect(free.status == 0 && free.output.contains("0.00 EUR"), "\(free.errors)")
            let badge = try await owner.pouch("admin", "product", "add", "Badge", "--price", "0", "--yes")
            #expect(badge.status == 0 && badge.output.contains("0.00 EUR"), "\(badge.errors)")
        }
    }
}
