#if TerminalPrograms
    import ArgumentParser
    import PouchClient

    /// How to pay, and how to deliver, for both ways to order.
    struct PaymentOptions: ParsableArguments {
        @Option(help: ArgumentHelp("The card's token, as in tok_ok.", valueName: "token"))
        var card: String
        @Option(
            help: ArgumentHelp("The way of delivery. (default: at checkout the cart's, else standard)", valueName: "id")
        )
        var method: String?
        @Option(help: ArgumentHelp("Needed from a guest.", valueName: "address"))
        var email: String?
        @Flag(name: .shortAndLong, help: "Don't ask before paying. In a pipe nothing is asked either.")
        var yes = false

        var payment: PaymentMethod { .card(token: card) }

        static let defaultMethod = "standard"

        /// Shows what is about to be bought and, where somebody sits at a terminal, asks.
        func confirm(_ blocks: [Block], total: Money, in shop: Shop) async throws {
            guard Prompt.isPossible, !yes else { return }
            shop.messages.show(blocks + [.blank])
            guard await Prompt.confirm("Pay \(total.decimal) \(total.currency.code) with \(card)?") else {
                throw Refusal("Nothing was ordered.", "Run the command again when you are ready.", .other)
            }
        }

        /// - Throws: `.emailRequired`, before anything is shown or asked that would be in vain.
        func checkEmail(in shop: Shop) async throws {
            guard try await shop.client.account.sessionOrGuest().kind == .guest, email == nil else { return }
            throw DataError(.emailRequired)
        }
    }
#endif
