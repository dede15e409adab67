#if TerminalPrograms
    import ArgumentParser
    import PouchClient

    struct OrderCommand: ShopCommand {
        static let configuration = CommandConfiguration(commandName: "order", abstract: "Show an order.")

        static let adviceWhenNotFound = "`pouch orders` lists yours, with their ids."

        @OptionGroup var global: GlobalOptions

        @Argument(help: "The order's id, as `pouch orders` lists it.")
        var id: String

        func run(in shop: Shop) async throws {
            let order = try await shop.client.orders.order(id: id)
            try await shop.show(order)
        }
    }
#endif
