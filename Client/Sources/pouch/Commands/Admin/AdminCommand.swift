#if TerminalPrograms
    import ArgumentParser

    struct AdminCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "admin",
            abstract: "Run the shop: imports, stock, prices, orders, discounts.",
            discussion: """
                Sign in as an administrator first: pouch sign-in --email ADDRESS. The first one is made on the \
                server's machine: pouch-server admin create --email ADDRESS.

                Amounts are in the shop's currency and its major unit, as in 42.99.
                """,
            subcommands: [
                AdminImportCommand.self, AdminStockCommand.self, AdminPriceCommand.self, AdminOrdersCommand.self,
                AdminFulfilCommand.self, AdminDeliverCommand.self, AdminRefundCommand.self, AdminDiscountCommand.self,
            ]
        )

        @OptionGroup var global: GlobalOptions
    }
#endif
