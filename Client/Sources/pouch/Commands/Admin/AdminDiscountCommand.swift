#if TerminalPrograms
    import ArgumentParser
    import PouchClient
    import PouchTerminal

    struct AdminDiscountCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "discount",
            abstract: "List, add, change and remove discount codes.",
            subcommands: [List.self, Add.self, Change.self, Remove.self],
            defaultSubcommand: List.self
        )

        static let adviceWhenNotFound = "`pouch admin discount list` lists the codes."

        @OptionGroup var global: GlobalOptions

        struct List: ShopCommand {
            static let configuration = CommandConfiguration(abstract: "List the discount codes, the latest first.")

            @OptionGroup var global: GlobalOptions
            @OptionGroup var page: PageOptions

            func run(in shop: Shop) async throws {
                let found = try await shop.client.admin.discounts(limit: page.limit, cursor: page.cursor)
                try shop.show(found, as: DiscountText.list(found.items))
                page.noteNext(found.nextCursor, in: shop)
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

            @Argument(help: "3 to 40 letters, digits, and - _ . among them; capitals do not matter.")
            var code: String
            @OptionGroup var value: DiscountValue
            @OptionGroup var conditions: DiscountConditions

            func validate() throws {
                guard value.kind != nil else {
                    throw ValidationError("Say one of --percent, --amount, --buy with --get, and --free-shipping.")
                }
            }

            func run(in shop: Shop) async throws {
                var terms = DiscountTerms(code: code, kind: .freeShipping)
                try await value.apply(to: &terms, in: shop)
                try await conditions.apply(to: &terms, in: shop)
                let discount = try await shop.client.admin.addDiscount(terms)
                try shop.show(discount, as: DiscountText.list([discount]))
            }
        }

        struct Change: ShopCommand {
            static let configuration = CommandConfiguration(
                abstract: "Change a discount code; what is not named stays.")

            static let adviceWhenNotFound = AdminDiscountCommand.adviceWhenNotFound

            @OptionGroup var global: GlobalOptions

            @Argument(help: "As `pouch admin discount list` lists it.")
            var code: String
            @Option(help: ArgumentHelp("Another code in its place.", valueName: "code"))
            var rename: String?
            @OptionGroup var value: DiscountValue
            @OptionGroup var conditions: DiscountConditions
            @Option(help: "A condition to remove; may be repeated.")
            var without: [DiscountConditions.Name] = []

            func run(in shop: Shop) async throws {
                let shown = try await shop.client.admin.discount(code: code)
                var terms = shown.terms
                terms.code = rename ?? terms.code
                try await value.apply(to: &terms, in: shop)
                for name in without { name.clear(in: &terms) }
                try await conditions.apply(to: &terms, in: shop)
                let discount = try await shop.client.admin.changeDiscount(shown, to: terms)
                try shop.show(discount, as: DiscountText.list([discount]))
            }
        }

        struct Remove: ShopCommand {
            static let configuration = CommandConfiguration(
                abstract: "Remove a discount code; orders that used it stay as they are.")

            static let adviceWhenNotFound = AdminDiscountCommand.adviceWhenNotFound

            @OptionGroup var global: GlobalOptions

            @Argument(help: "As `pouch admin discount list` lists it.")
            var code: String

            func run(in shop: Shop) async throws {
                let discount = try await shop.client.admin.discount(code: code)
                try await shop.client.admin.removeDiscount(id: discount.id)
                if !shop.printsJSON { shop.output.show([.line(StyledText("Removed \(discount.terms.code)."))]) }
            }
        }
    }
#endif
