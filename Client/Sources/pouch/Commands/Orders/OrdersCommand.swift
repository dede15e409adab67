#if TerminalPrograms
    import ArgumentParser
    import PouchClient

    struct OrdersCommand: ShopCommand {
        static let configuration = CommandConfiguration(
            commandName: "orders", abstract: "List your orders, the latest first.")

        @OptionGroup var global: GlobalOptions

        func run(in shop: Shop) async throws {
            let page = try await shop.client.orders.orders()
            try shop.show(page, as: OrderText.list(page.items))
        }
    }
#endif
