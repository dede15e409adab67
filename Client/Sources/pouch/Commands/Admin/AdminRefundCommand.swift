#if TerminalPrograms
    import ArgumentParser
    import Foundation
    import PouchClient

    struct AdminRefundCommand: ShopCommand {
        static let configuration = CommandConfiguration(
            commandName: "refund", abstract: "Give money back: an amount, some lines, or all that is left.",
            discussion: """
                A refund bears a key, under which it is done at most once. Where it ends without a clear outcome, the \
                command names the key: give it with --key to try the same refund again.
                """)

        static let adviceWhenNotFound = "`pouch admin orders` lists them, with their ids."

        @OptionGroup var global: GlobalOptions

        @Argument(help: "The order's id, as `pouch admin orders` lists it.")
        var id: String
        @Flag(help: "All that has not been given back yet.")
        var all = false
        @Option(help: "In the shop's currency, as in 42.99.")
        var amount: String?
        @Option(
            help: ArgumentHelp(
                "A SKU of the order, and how many units unless it is one; may be repeated.", valueName: "sku[=units]"))
        var line: [RefundLine] = []
        @Option(help: ArgumentHelp("Why, for the shop's own books.", valueName: "text"))
        var reason: String
        @Option(help: ArgumentHelp("The key of an earlier try of the same refund.", valueName: "text"))
        var key: String?

        func validate() throws {
            guard [all, amount != nil, !line.isEmpty].count(where: { $0 }) == 1 else {
                throw ValidationError("Say one of --all, --amount AMOUNT and --line SKU.")
            }
        }

        func run(in shop: Shop) async throws {
            let part: RefundDraft.Part =
                if let amount {
                    .amount(try await shop.money(amount))
                } else if line.isEmpty {
                    .rest
                } else {
                    .lines(line.map(\.line))
                }
            let key = key ?? UUID().uuidString
            do {
                let refund = try await shop.client.admin.refund(
                    orderId: id, RefundDraft(part, reason: reason), key: key)
                try shop.show(refund, as: RefundText.blocks(refund))
            } catch let error as DataError where error.leavesOutcomeOpen {
                shop.report(error, whenNotFound: Self.adviceWhenNotFound)
                throw Refusal(
                    "It is not known whether the money was given back.",
                    "Type the same again with --key \(key); it is then given back once at most.",
                    ExitStatus(error.reason))
            }
        }
    }
#endif
