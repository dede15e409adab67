#if TerminalPrograms
    import ArgumentParser
    import PouchClient

    struct ShipCommand: ShopCommand {
        static let configuration = CommandConfiguration(
            commandName: "ship",
            abstract: "Choose another way of delivery for an order that no kangaroo came for.",
            discussion: "What it costs less is refunded; what it costs more is not charged.")

        static let adviceWhenNotFound = "`pouch orders` lists yours, with their ids."

        @OptionGroup var global: GlobalOptions

        @Argument(help: "The order's id, as `pouch orders` lists it.")
        var id: String
        @Option(help: ArgumentHelp("One of those that `pouch order ID` offers.", valueName: "id"))
        var method: String

        func run(in shop: Shop) async throws {
            let order = try await shop.client.orders.changeDelivery(of: id, methodId: method)
            try await shop.show(order)
        }
    }
#endif
