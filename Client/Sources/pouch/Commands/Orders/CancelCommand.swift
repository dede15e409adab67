#if TerminalPrograms
    import ArgumentParser
    import PouchClient

    struct CancelCommand: ShopCommand {
        static let configuration = CommandConfiguration(
            commandName: "cancel", abstract: "Cancel an order before it is sent; it is refunded in full.")

        static let adviceWhenNotFound = "`pouch orders` lists yours, with their ids."

        @OptionGroup var global: GlobalOptions

        @Argument(help: "The order's id, as `pouch orders` lists it.")
        var id: String

        func run(in shop: Shop) async throws {
            let order = try await shop.client.orders.cancel(id: id)
            try await shop.show(order)
        }
    }
#endif
