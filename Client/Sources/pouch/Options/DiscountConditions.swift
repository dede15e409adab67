#if TerminalPrograms
    import ArgumentParser
    import PouchClient

    /// When, for what and how often a discount code can be used.
    struct DiscountConditions: ParsableArguments {
        @Option(help: ArgumentHelp("When it begins: \(Moment.form).", valueName: "time"))
        var from: Moment?
        @Option(help: ArgumentHelp("When it ends.", valueName: "time"))
        var until: Moment?
        @Option(help: ArgumentHelp("What the goods must come to, as in 50.00.", valueName: "amount"))
        var minimum: String?
        @Option(help: ArgumentHelp("Only for the product with this handle; may be repeated.", valueName: "handle"))
        var product: [String] = []
        @Option(help: ArgumentHelp("Only for the category with this id; may be repeated.", valueName: "id"))
        var category: [String] = []
        @Option(help: ArgumentHelp("How many orders may use it in all.", valueName: "number"))
        var limit: Int?
        @Option(help: ArgumentHelp("How many orders of one account may use it.", valueName: "number"))
        var limitPerAccount: Int?

        /// A condition that can be removed.
        enum Name: String, CaseIterable, ExpressibleByArgument {
            case from, until, minimum, product, category, limit
            case limitPerAccount = "limit-per-account"

            func clear(in terms: inout DiscountTerms) {
                switch self {
                case .from: terms.startsAt = nil
                case .until: terms.endsAt = nil
                case .minimum: terms.minimum = nil
                case .product: terms.products = nil
                case .category: terms.categories = nil
                case .limit: terms.limit = nil
                case .limitPerAccount: terms.limitPerAccount = nil
                }
            }
        }

        /// Those that were given, in place of what was there.
        func apply(to terms: inout DiscountTerms, in shop: Shop) async throws {
            if let from { terms.startsAt = from.date }
            if let until { terms.endsAt = until.date }
            if let minimum { terms.minimum = try await shop.money(minimum) }
            if !product.isEmpty { terms.products = product }
            if !category.isEmpty { terms.categories = category }
            if let limit { terms.limit = limit }
            if let limitPerAccount { terms.limitPerAccount = limitPerAccount }
        }
    }
#endif
