#if TerminalPrograms
    import ArgumentParser
    import PouchClient

    /// The reduction of a discount: at most one of its kinds.
    struct DiscountValue: ParsableArguments {
        @Option(parsing: .unconditional, help: ArgumentHelp("Percent off, for example 12.5.", valueName: "percent"))
        var percent: Percentage?
        @Option(
            parsing: .unconditional,
            help: ArgumentHelp("An amount off, in the shop's currency, for example 5.00.", valueName: "amount"))
        var amount: String?
        @Option(
            parsing: .unconditional, help: ArgumentHelp("The number of units to buy, with --get.", valueName: "units"))
        var buy: Quantity?
        @Option(
            parsing: .unconditional,
            help: ArgumentHelp("The number of free units for each --buy, the cheapest ones.", valueName: "units"))
        var get: Quantity?
        @Flag(help: "Free shipping.")
        var freeShipping = false

        /// nil if no kind was specified.
        var kind: DiscountTerms.Kind? {
            if percent != nil { return .percentage }
            if amount != nil { return .amount }
            if buy != nil { return .buyXGetY }
            return freeShipping ? .freeShipping : nil
        }

        func validate() throws {
            guard (buy == nil) == (get == nil) else { throw ValidationError("--buy and --get must be used together.") }
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

    /// A percentage with up to two decimal places, for example 12.5.
    struct Percentage: ExpressibleByArgument {
        let basisPoints: Int

        init?(argument: String) {
            let halves = argument.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
            let places = halves.count > 1 ? halves[1] : "0"
            guard (1...2).contains(places.count), (halves[0] + places).allSatisfy({ $0.isASCII && $0.isNumber }),
                let whole = Int(halves[0]), whole <= 100,
                let hundredths = Int(places.count == 1 ? places + "0" : places)
            else { return nil }
            basisPoints = whole * 100 + hundredths
            guard ModelLimits.discountBasisPoints.contains(basisPoints) else { return nil }
        }
    }

    /// The conditions of a discount: its time, its products and its limits.
    struct DiscountConditions: ParsableArguments {
        @Option(help: ArgumentHelp("The start: \(Moment.form).", valueName: "time"))
        var from: Moment?
        @Option(help: ArgumentHelp("The end; a date includes the whole day.", valueName: "time"))
        var until: Moment?
        @Option(
            parsing: .unconditional,
            help: ArgumentHelp("The minimum value of the goods, for example 50.00.", valueName: "amount"))
        var minimum: String?
        @Option(help: ArgumentHelp("Only for the product with this handle; may be repeated.", valueName: "handle"))
        var product: [String] = []
        @Option(
            help: ArgumentHelp(
                "Only for the category with this ID, as `pouch product HANDLE` shows it; may be repeated.",
                valueName: "id"))
        var category: [String] = []
        @Option(
            parsing: .unconditional,
            help: ArgumentHelp("The maximum number of orders that may use it.", valueName: "number"))
        var limit: Int?
        @Option(
            parsing: .unconditional,
            help: ArgumentHelp("The maximum number of orders of one account that may use it.", valueName: "number"))
        var limitPerAccount: Int?

        var isEmpty: Bool {
            from == nil && until == nil && minimum == nil && product.isEmpty && category.isEmpty && limit == nil
                && limitPerAccount == nil
        }

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

        /// Sets the specified conditions; the others do not change.
        func apply(to terms: inout DiscountTerms, in shop: Shop) async throws {
            if let from { terms.startsAt = try await shop.start(from) }
            if let until { terms.endsAt = try await shop.end(until) }
            if let minimum { terms.minimum = try await shop.money(minimum) }
            if !product.isEmpty { terms.products = product }
            if !category.isEmpty { terms.categories = category }
            if let limit { terms.limit = limit }
            if let limitPerAccount { terms.limitPerAccount = limitPerAccount }
        }
    }
#endif
