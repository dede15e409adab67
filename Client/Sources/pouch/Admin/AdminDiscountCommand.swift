#if TerminalPrograms
    import ArgumentParser
    import Foundation
    import PouchClient
    import PouchTerminal
    import PouchTerminalScreens

    enum AdminDiscountCommand: CommandFamily {
        static let commandName = "discount"
        static let abstract = "List, add, change and remove discount codes."
        static let subcommands: [any NamedCommand.Type] = [List.self, Add.self, Change.self, Remove.self]

        struct List: ShopCommand {
            static let abstract = "List the discount codes, newest first."

            @OptionGroup var page: PageOptions

            func run(in shop: Shop) async throws {
                try await page.show(in: shop, as: DiscountText.list, shop.admin.discounts)
            }
        }

        struct Add: ShopCommand {
            static let abstract = "Add a discount code."
            static let discussion = """
                For example:
                  pouch admin discount add SUMMER --percent 12.5 --until 2026-09-01
                  pouch admin discount add TEN --amount 10 --minimum 50 --limit-per-account 1
                  pouch admin discount add 3FOR2 --buy 2 --get 1 --category cardigans
                """

            @Argument(help: "The code: 3 to 40 letters, digits, - _ and .; case does not matter.")
            var code: String
            @OptionGroup var value: DiscountValue
            @OptionGroup var conditions: DiscountConditions

            func validate() throws {
                guard value.kind != nil else {
                    throw ValidationError("Use one of --percent, --amount, --buy with --get, and --free-shipping.")
                }
            }

            func run(in shop: Shop) async throws {
                var terms = DiscountTerms(code: code, kind: .freeShipping)
                try await value.apply(to: &terms, in: shop)
                try await conditions.apply(to: &terms, in: shop)
                try shop.show(try await shop.admin.addDiscount(terms)) { DiscountText.list([$0]) }
            }
        }

        struct Change: EditCommand {
            static let abstract = "Change a discount code; values that you leave out do not change."

            @Argument(help: "The code, as `pouch admin discount list` lists it.")
            var code: String
            @Option(help: .value("code", "A new code that replaces it."))
            var rename: String?
            @OptionGroup var value: DiscountValue
            @OptionGroup var conditions: DiscountConditions
            @Option(help: .value("option", "The option of a condition to remove, without its dashes; may be repeated."))
            var without: [DiscountConditions.Name] = []

            static let example = "--until"
            var namesChange: Bool {
                rename != nil || value.kind != nil || !conditions.isEmpty || !without.isEmpty
            }

            var notFound: NotFound { .discount(code) }

            func run(in shop: Shop) async throws {
                let current = try await shop.admin.discount(code: code)
                var terms = current.terms
                terms.code = rename ?? terms.code
                try await value.apply(to: &terms, in: shop)
                for name in without { name.clear(in: &terms) }
                try await conditions.apply(to: &terms, in: shop)
                let changed = try await shop.admin.changeDiscount(current, to: terms)
                try shop.show(changed) { DiscountText.list([$0]) }
            }
        }

        struct Remove: ShopCommand {
            static let abstract = "Remove a discount code; orders that used it do not change."

            @Argument(help: "The code, as `pouch admin discount list` lists it.")
            var code: String

            var notFound: NotFound { .discount(code) }

            func run(in shop: Shop) async throws {
                let discount = try await shop.admin.discount(code: code)
                try await shop.admin.removeDiscount(id: discount.id)
                shop.confirm(StyledText("Removed \(discount.terms.code)."))
            }
        }
    }

    extension NotFound {
        fileprivate static func discount(_ code: String) -> NotFound {
            NotFound("discount code", code, "`pouch admin discount list` lists the codes.")
        }
    }

    private enum DiscountText {
        static func list(_ discounts: [ManagedDiscount]) -> [Output] {
            .list(
                discounts, orElse: "There are no discount codes.",
                [
                    Field("CODE", .bold, \.terms.code), Field("REDUCTION") { value($0.terms) },
                    Field("FROM", \.terms.startsAt), Field("UNTIL", \.terms.endsAt),
                    Field(.number("USED")) { "\($0.used)" + ($0.terms.limit.map { " of \($0)" } ?? "") },
                    Field("CONDITIONS") { conditions($0.terms).joined(separator: "; ") },
                ])
        }

        private static func value(_ terms: DiscountTerms) -> StyledText {
            switch terms.kind {
            case .percentage: StyledText("\(Decimal(terms.basisPoints ?? 0) / 100) %")
            case .amount: terms.amount.map { StyledText($0) } ?? ""
            case .buyXGetY: StyledText("buy \(terms.buy ?? 0), get \(terms.get ?? 0) free")
            case .freeShipping: "free shipping"
            case .unrecognised: "?"
            }
        }

        private static func conditions(_ terms: DiscountTerms) -> [String] {
            var conditions: [String] = []
            if let minimum = terms.minimum { conditions.append("minimum \(minimum.text)") }
            if let products = terms.products { conditions.append("products " + products.joined(separator: ", ")) }
            if let categories = terms.categories {
                conditions.append("categories " + categories.joined(separator: ", "))
            }
            if let limit = terms.limitPerAccount { conditions.append("\(limit) per account") }
            return conditions
        }
    }

    /// The reduction of a discount: at most one of its kinds.
    struct DiscountValue: ParsableArguments {
        @Option(parsing: .unconditional, help: .value("percent", "Percent off, for example 12.5."))
        var percent: Percentage?
        @Option(
            parsing: .unconditional, help: .value("amount", "An amount off, in the shop's currency, for example 5.00."))
        var amount: String?
        @Option(parsing: .unconditional, help: .value("units", "The number of units to buy, with --get."))
        var buy: Quantity?
        @Option(
            parsing: .unconditional,
            help: .value("units", "The number of free units for each --buy, the cheapest ones."))
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

    /// A percentage with up to two decimal places, for example 12.5; further zeros are ignored.
    struct Percentage: ExpressibleByArgument {
        let basisPoints: Int

        init?(argument: String) {
            guard let hundredths = Int64(decimal: argument, places: 2), let basisPoints = Int(exactly: hundredths),
                ModelLimits.discountBasisPoints.contains(basisPoints)
            else { return nil }
            self.basisPoints = basisPoints
        }
    }

    /// The conditions of a discount: its time, its products and its limits.
    struct DiscountConditions: ParsableArguments {
        @Option(help: .value("time", "The start: \(Moment.form)."))
        var from: Moment?
        @Option(help: .value("time", "The end; a date includes the whole day."))
        var until: Moment?
        @Option(parsing: .unconditional, help: .value("amount", "The minimum value of the goods, for example 50.00."))
        var minimum: String?
        @Option(help: .value("handle", "Only for the product with this handle; may be repeated."))
        var product: [String] = []
        @Option(
            help: .value(
                "id", "Only for the category with this ID, as `pouch product HANDLE` shows it; may be repeated."))
        var category: [String] = []
        @Option(parsing: .unconditional, help: .value("number", "The maximum number of orders that may use it."))
        var limit: Int?
        @Option(
            parsing: .unconditional,
            help: .value("number", "The maximum number of orders of one account that may use it."))
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
