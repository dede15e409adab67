#if TerminalPrograms
    import ArgumentParser
    import PouchClient

    struct OrdersCommand: ShopCommand {
        static let configuration = CommandConfiguration(
            commandName: "orders", abstract: "List your orders, the latest first.")

        @OptionGroup var global: GlobalOptions
        @OptionGroup var page: PageOptions

        func run(in shop: Shop) async throws {
            let found = try await shop.client.orders.orders(limit: page.limit, cursor: page.cursor)
            try shop.show(found, as: OrderText.list(found.items))
            page.noteNext(found.nextCursor, in: shop)
        }
    }
#endif
