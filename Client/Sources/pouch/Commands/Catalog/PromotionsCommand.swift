#if TerminalPrograms
    import ArgumentParser
    import PouchClient
    import PouchTerminal

    struct PromotionsCommand: ShopCommand {
        static let configuration = CommandConfiguration(
            commandName: "promotions", abstract: "List what the shop shows first.")

        @OptionGroup var global: GlobalOptions

        func run(in shop: Shop) async throws {
            let promotions = try await shop.client.catalog.promotions()
            try shop.show(
                Page(items: promotions),
                as: ProductText.list(promotions.map(\.product), orElse: "Nothing is promoted now."))
        }
    }
#endif
