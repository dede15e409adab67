#if TerminalPrograms
    import ArgumentParser

    @main
    struct Pouch: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "pouch",
            abstract: "Shop at a Pouch server from the terminal, or run it.",
            discussion: """
                --server and --json may stand before or after the command. The session with each server is kept in \
                $XDG_STATE_HOME/pouch, or ~/.local/state/pouch.

                At a terminal there are colours (unless NO_COLOR is set) and aligned columns; in a pipe there are \
                tabs between the columns and no header.

                Exit codes: 0 done; 2 not found; 3 the shop refused (out of stock, price changed, card declined ...); \
                4 nobody is signed in, or wrong password; 5 the server cannot be reached or is busy; 64 the command \
                is not right; 1 anything else.
                """,
            groupedSubcommands: [
                CommandGroup(
                    name: "Browse",
                    subcommands: [
                        VisitCommand.self, CatalogCommand.self, ProductCommand.self, PromotionsCommand.self,
                    ]),
                CommandGroup(name: "Buy", subcommands: [CartCommand.self, CheckoutCommand.self, BuyCommand.self]),
                CommandGroup(
                    name: "Orders",
                    subcommands: [OrdersCommand.self, OrderCommand.self, CancelCommand.self, ShipCommand.self]),
                CommandGroup(name: "Ride", subcommands: [RideCommand.self]),
                CommandGroup(
                    name: "Account",
                    subcommands: [
                        SignUpCommand.self, SignInCommand.self, SignOutCommand.self, WhoAmICommand.self,
                    ]),
                CommandGroup(name: "Run the shop", subcommands: [AdminCommand.self]),
            ]
        )

        @OptionGroup var global: GlobalOptions
    }
#else
    @main
    struct Pouch {
        static func main() {
            print("pouch was built without its commands. Build it with: swift build --traits TerminalPrograms")
        }
    }
#endif
