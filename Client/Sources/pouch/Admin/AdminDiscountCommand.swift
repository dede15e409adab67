#if TerminalPrograms
    import ArgumentParser
    import Foundation
    import PouchClient
    import PouchTerminal
    import PouchTerminalScreens

    struct AdminDiscountCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "discount",
            abstract: "List, add, change and remove discount codes.",
            subcommands: [List.self, Add.self, Change.self, Remove.self],
            defaultSubcommand: List.self
        )

        @OptionGroup var global: GlobalOptions

        struct List: ShopCommand {
            static let configuration = CommandConfiguration(abstract: "List the discount codes, newest first.")

            @OptionGroup var global: GlobalOptions
            @OptionGroup var page: PageOptions

            func run(in shop: Shop) async throws {
                try await page.show(in: shop, as: DiscountText.list) { limit, cursor in
                    try await shop.client.admin.discounts(limit: limit, cursor: cursor)
                }
            }
        }

        struct Add: ShopCommand {
            static let configuration = CommandConfiguration(
                abstract: "Add a discount code.",
                discussion: """
                    For example:
                      pouch admin discount add SUMMER --percent 12.5 --until 2026-09-01
                      pouch admin discount add TEN --amount 10 --minimum 50 --limit-per-account 1
                      pouch admin discount add 3FOR2 --buy 2 --get 1 --category cardigans
                    """)

            @OptionGroup var global: GlobalOptions

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
                try shop.show(try await shop.client.admin.addDiscount(terms)) { DiscountText.list([$0]) }
            }
        }

        struct Change: EditCommand {
            static let configuration = CommandConfiguration(
                abstract: "Change a discount code; values that you leave out do not change.")

            @OptionGroup var global: GlobalOptions

            @Argument(help: "The code, as `pouch admin discount list` lists it.")
            var code: String
            @Option(help: ArgumentHelp("A new code that replaces it.", valueName: "code"))
            var rename: String?
            @OptionGroup var value: DiscountValue
            @OptionGroup var conditions: DiscountConditions
            @Option(
                help: ArgumentHelp(
                    "The option of a condition to remove, without its dashes; may be repeated.", valueName: "option"))
            var without: [DiscountConditions.Name] = []

            static let example = "--until"
            var namesChange: Bool {
                rename != nil || value.kind != nil || !conditions.isEmpty || !without.isEmpty
            }

            var notFound: NotFound { .discount(code) }

            func run(in shop: Shop) async throws {
                let current = try await shop.client.admin.discount(code: code)
                var terms = current.terms
                terms.code = rename ?? terms.code
                try await value.apply(to: &terms, in: shop)
                for name in without { name.clear(in: &terms) }
                try await conditions.apply(to: &terms, in: shop)
                let changed = try await shop.client.admin.changeDiscount(current, to: terms)
                try shop.show(changed) { DiscountText.list([$0]) }
            }
        }

        struct Remove: ShopCommand {
            static let configuration = CommandConfiguration(
                abstract: "Remove a discount code; orders that used it do not change.")

            @OptionGroup var global: GlobalOptions

            @Argument(help: "The code, as `pouch admin discount list` lists it.")
            var code: String

            var notFound: NotFound { .discount(code) }

            func run(in shop: Shop) async throws {
                let discount = try await shop.client.admin.discount(code: code)
                try await shop.client.admin.removeDiscount(id: discount.id)
                shop.confirm(StyledText("Removed \(discount.terms.code)."))
            }
        }
    }

    private enum DiscountText {
        static func list(_ discounts: [ManagedDiscount]) -> [Output] {
            .list(
                discounts, orElse: "There are no discount codes.",
                ["CODE", "REDUCTION", "FROM", "UNTIL", .number("USED"), "CONDITIONS"]
            ) { discount in
                let terms = discount.terms
                return [
                    StyledText(terms.code, .bold), value(terms),
                    terms.startsAt.map { StyledText(time: $0) } ?? "",
                    terms.endsAt.map { StyledText(time: $0) } ?? "",
                    StyledText("\(discount.used)" + (terms.limit.map { " of \($0)" } ?? "")),
                    StyledText(conditions(terms).joined(separator: "; ")),
                ]
            }
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
#endif
