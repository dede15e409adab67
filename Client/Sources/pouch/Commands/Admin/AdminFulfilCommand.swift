#if TerminalPrograms
    import ArgumentParser
    import PouchClient

    struct AdminFulfilCommand: ShopCommand {
        static let configuration = CommandConfiguration(commandName: "fulfil", abstract: "Tell that an order was sent.")

        static let adviceWhenNotFound = "`pouch admin orders` lists them, with their ids."

        @OptionGroup var global: GlobalOptions

        @Argument(help: "The order's id, as `pouch admin orders` lists it.")
        var id: String

        func run(in shop: Shop) async throws {
            let order = try await shop.client.admin.fulfil(id: id)
            try await shop.show(order)
        }
    }
#endif
