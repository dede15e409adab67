#if TerminalPrograms
    import ArgumentParser
    import Foundation
    import PouchClient
    import PouchCommandLine
    import PouchTerminal
    import PouchVersion

    @main
    struct PouchCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "pouch",
            abstract: "Shop at a Pouch server from the terminal, or run the shop.",
            discussion: """
                --server, --ca, --plain-http, --json and --trace can come before or after the command. The session \
                with each server is stored in $XDG_STATE_HOME/pouch, or ~/.local/state/pouch.

                On a terminal the output has aligned columns, and colours unless NO_COLOR is set. In a pipe, tabs \
                separate the columns, and there is no header.

                Exit codes: 0 done; 2 not found; 3 refused by the shop (out of stock, price changed, card declined \
                ...); 4 not signed in, wrong password, or not allowed; 5 server unreachable or busy; 64 invalid \
                command; 1 any other error.
                """,
            version: "pouch " + String(cString: pouch_version()),
            groupedSubcommands: [
                CommandGroup(
                    "Browse", VisitCommand.self, CatalogCommand.self, ProductCommand.self, PromotionsCommand.self),
                CommandGroup("Buy", CartCommand.self, CheckoutCommand.self, BuyCommand.self),
                CommandGroup("Orders", OrdersCommand.self, OrderCommand.self, CancelCommand.self, ShipCommand.self),
                CommandGroup("Ride", RideCommand.self),
                CommandGroup(
                    "Account", SignUpCommand.self, SignInCommand.self, SignOutCommand.self, WhoAmICommand.self,
                    AccountCommand.self, PasswordCommand.self, ResetPasswordCommand.self, EmailCommand.self,
                    VerifyCommand.self, AddressCommand.self, SessionCommand.self, SecondFactorCommand.self,
                    ExportCommand.self),
                CommandGroup("Run the shop", AdminCommand.self),
            ]
        )

        @OptionGroup var server: ServerOption
        @OptionGroup var global: GlobalOptions

        /// Runs the program as ArgumentParser's `main` does. For a misspelt command, it also suggests the one that the
        /// user may have meant.
        static func main() async {
            var command: any ParsableCommand
            do {
                command = try await asyncParseAsRoot()
            } catch {
                guard let guess = Misspelling(CommandLine.arguments.dropFirst(), of: self)?.guess else {
                    exit(withError: error)
                }
                let lines = fullMessage(for: error).split(separator: "\n").map(String.init)
                let advice = "Did you mean `\(guess)`?"
                Console(STDERR_FILENO).print((lines + [advice]).map { Output.line(StyledText($0)) })
                exit(withError: ExitCode(ExitStatus.usage.rawValue))
            }
            do {
                if var command = command as? any AsyncParsableCommand {
                    try await command.run()
                } else {
                    try command.run()
                }
            } catch {
                exit(withError: error)
            }
        }
    }

    extension CommandGroup {
        fileprivate init(_ name: String, _ members: any NamedCommand.Type...) {
            self.init(name: name, subcommands: members.map { $0.command })
        }
    }

    enum AdminCommand: CommandFamily {
        static let commandName = "admin"
        static let abstract =
            "Run the shop: products, orders, customers, sales, stock, prices, discounts, imports, webhooks."
        static let discussion = """
            Sign in as an administrator first: pouch sign-in --email ADDRESS. Create the first one on the server's \
            machine: pouch-server admin create --email ADDRESS.

            Amounts are in the major unit of the shop's currency, for example 42.99.
            """
        static let subcommands: [any NamedCommand.Type] = [
            AdminProductCommand.self, AdminCategoryCommand.self, AdminSeasonCommand.self, AdminThemeCommand.self,
            AdminPromotionCommand.self, AdminImportCommand.self, AdminExportCommand.self, AdminStockCommand.self,
            AdminPriceCommand.self, AdminOrdersCommand.self, AdminOrderCommand.self, AdminFulfilCommand.self,
            AdminDeliverCommand.self, AdminRefundCommand.self, AdminCustomerCommand.self, AdminSalesCommand.self,
            AdminDiscountCommand.self, AdminWebhookCommand.self, AdminEventsCommand.self, AdminAuditCommand.self,
            AdminStaffCommand.self, AdminKeyCommand.self,
        ]
        static let hasDefault = false
    }

    /// The options of every command, before or after its name. Those of `ServerOption` are not among them, because
    /// ArgumentParser checks the options of nested groups many times in a debug build.
    struct GlobalOptions: ParsableArguments {
        @Option(
            help: .value(
                "file",
                "Use the API key in the first line of this file instead of a session. (default: $POUCH_API_KEY if set)")
        )
        var apiKeyFile: String?

        @Flag(
            help: """
                Print the result as JSON, and an error of the shop as JSON to standard error. Not available for \
                packing slips and CSV exports.
                """)
        var json = false

        @Flag(help: "Print each request to standard error, with its times, sizes and ID.")
        var trace = false

        /// The key itself is not an option, because other users of the machine can read the options of a process.
        ///
        /// - Returns: nil without a key.
        func apiKey() throws -> Secret? {
            guard let path = apiKeyFile else {
                let text = ProcessInfo.processInfo.environment["POUCH_API_KEY"] ?? ""
                return text.isEmpty ? nil : Secret(text)
            }
            guard let text = try? String(contentsOfFile: path, encoding: .utf8),
                let line = text.split(whereSeparator: \.isNewline).first
            else { throw ValidationError("--api-key-file \(path) cannot be read, or is empty.") }
            let key = line.trimmingCharacters(in: .whitespaces)
            guard key.hasPrefix("sk_") else {
                throw ValidationError("The first line of --api-key-file \(path) is no API key, which starts with sk_.")
            }
            return Secret(key)
        }

        /// The ID in a key, `sk_ID_SECRET`, as `pouch admin key` lists it.
        static func id(of key: Secret) -> String {
            let parts = key.text.split(separator: "_", maxSplits: 2)
            return "key_" + (parts.count == 3 ? parts[1] : "")
        }
    }
#else
    @main
    struct PouchCommand {
        static func main() {
            print("pouch was built without its commands. Build it with: swift build --traits TerminalPrograms")
        }
    }
#endif
