#if TerminalPrograms
    import ArgumentParser
    import PouchClient

    struct AdminOrdersCommand: ShopCommand {
        static let configuration = CommandConfiguration(
            commandName: "orders", abstract: "List everybody's orders, the latest first.")

        @OptionGroup var global: GlobalOptions

        @Option(help: "Only those with this status; `paid` are those to be sent.")
        var status: OrderStatus?
        @OptionGroup var page: PageOptions

        func run(in shop: Shop) async throws {
            let found = try await shop.client.admin.orders(status: status, limit: page.limit, cursor: page.cursor)
            try shop.show(found, as: OrderText.managedList(found.items))
            page.noteNext(found.nextCursor, in: shop)
        }
    }
#endif
