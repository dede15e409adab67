#if TerminalPrograms
    import ArgumentParser
    import PouchClient

    /// What a discount takes off; at most one kind of it.
    struct DiscountValue: ParsableArguments {
        @Option(help: ArgumentHelp("Percent off, as in 12.5.", valueName: "percent"))
        var percent: Percentage?
        @Option(help: ArgumentHelp("An amount off, in the shop's currency, as in 5.00.", valueName: "amount"))
        var amount: String?
        @Option(help: ArgumentHelp("Units to be bought, with --get.", valueName: "units"))
        var buy: Quantity?
        @Option(help: ArgumentHelp("Units that are free for each --buy, the cheapest ones.", valueName: "units"))
        var get: Quantity?
        @Flag(help: "Shipping costs nothing.")
        var freeShipping = false

        /// nil when no kind was named.
        var kind: DiscountTerms.Kind? {
            if percent != nil { return .percentage }
            if amount != nil { return .amount }
            if buy != nil { return .buyXGetY }
            return freeShipping ? .freeShipping : nil
        }

        func validate() throws {
            guard (buy == nil) == (get == nil) else { throw ValidationError("--buy and --get need each other.") }
            guard [percent != nil, amount != nil, buy != nil, freeShipping].count(where: { $0 }) <= 1 else {
                throw ValidationError(
                    "A discount is one of --percent, --amount, --buy with --get, and --free-shipping.")
            }
        }

        func apply(to terms: inout DiscountTerms, in shop: Shop) async throws {
            guard let kind else { return }
            terms.kind = kind
            terms.basisPoints = percent?.basisPoints
            terms.amount = if let amount { try await shop.money(amount) } else { nil }
            terms.buy = buy?.units
            terms.get = get?.units
        }
    }
#endif
