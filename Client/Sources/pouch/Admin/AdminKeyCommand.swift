#if TerminalPrograms
    import ArgumentParser
    import Foundation
    import PouchClient
    import PouchTerminal
    import PouchTerminalScreens

    struct AdminKeyCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "key",
            abstract: "List, create and revoke API keys for programs.",
            discussion: """
                A program sends its key as a bearer token. pouch itself uses one with --api-key-file FILE or \
                $POUCH_API_KEY.
                """,
            subcommands: [List.self, Create.self, Revoke.self],
            defaultSubcommand: List.self)

        @OptionGroup var global: GlobalOptions

        struct List: ShopCommand {
            static let configuration = CommandConfiguration(abstract: "List the keys, newest first.")

            @OptionGroup var global: GlobalOptions
            @OptionGroup var page: PageOptions

            func run(in shop: Shop) async throws {
                try await page.show(in: shop, as: KeyText.list) { limit, cursor in
                    try await shop.client.admin.apiKeys(limit: limit, cursor: cursor)
                }
            }
        }

        struct Create: ShopCommand {
            static let configuration = CommandConfiguration(
                abstract: "Create a key. Its secret is printed only once.",
                discussion: """
                    The scopes are \(Permission.allValueStrings.joined(separator: ", ")). You can grant only those \
                    that you have.
                    """)

            @OptionGroup var global: GlobalOptions

            @Option(help: "A name, for example that of the program.") var name: String
            @Option(help: ArgumentHelp("What the key may do; may be repeated.", valueName: "scope"))
            var scope: [Permission] = []
            @Option(
                help: ArgumentHelp("The expiry: \(Moment.form). A date includes the whole day.", valueName: "time"))
            var expires: Moment?

            func validate() throws {
                guard !scope.isEmpty else { throw ValidationError("Add at least one --scope.") }
                try expires?.checkFuture("--expires")
            }

            func run(in shop: Shop) async throws {
                let end = try await shop.end(expires)
                let made = try await shop.withFreshSignIn {
                    try await shop.client.admin.createAPIKey(name: name, scopes: scope, expiresAt: end)
                }
                try shop.show(made) { made in
                    KeyText.list([made.key]) + [
                        .line("The key, which is not shown again:"), .line(StyledText(made.token, .bold)),
                    ]
                }
            }
        }

        struct Revoke: ShopCommand {
            static let configuration = CommandConfiguration(abstract: "Revoke a key at once.")

            @OptionGroup var global: GlobalOptions

            @Argument(help: "The key's ID, as `pouch admin key` lists it.") var id: String

            var notFound: NotFound {
                NotFound(message: "No such key: \(id).", advice: "`pouch admin key` lists the keys, with their IDs.")
            }

            func run(in shop: Shop) async throws {
                try await shop.client.admin.revokeAPIKey(id: id)
                shop.confirm(StyledText("Revoked \(id)."))
            }
        }
    }

    private enum KeyText {
        static func list(_ keys: [APIKey]) -> [Output] {
            .list(keys, orElse: "There are no API keys.", ["NAME", "ID", "SCOPES", "EXPIRES", "LAST USED"]) { key in
                [
                    StyledText(key.name, .bold), StyledText(key.id),
                    StyledText(key.scopes.map(\.title).joined(separator: " ")),
                    key.expiresAt.map { StyledText(time: $0) } ?? "", key.lastUsedAt.map { StyledText(time: $0) } ?? "",
                ]
            }
        }
    }

    extension Permission: @retroactive ExpressibleByArgument, PrintedWord {
        public static var allValueStrings: [String] { allCases.filter(ofKeys.contains).map(\.title) }
    }

    /// The API key of this program, for scripts that run without a session.
    struct APIKeyOption: ParsableArguments {
        @Option(
            help: ArgumentHelp(
                "Use the API key in the first line of this file instead of a session. (default: $POUCH_API_KEY if set)",
                valueName: "file"))
        var apiKeyFile: String?

        /// The key itself is not an option, because other users of the machine can read the options of a process.
        ///
        /// - Returns: nil without a key.
        func key() throws -> Secret? {
            guard let path = apiKeyFile else {
                let text = ProcessInfo.processInfo.environment["POUCH_API_KEY"] ?? ""
                return text.isEmpty ? nil : Secret(text)
            }
            guard let text = try? String(contentsOfFile: path, encoding: .utf8),
                let line = text.split(whereSeparator: \.isNewline).first
            else { throw ValidationError("--api-key-file \(path) cannot be read, or is empty.") }
            return Secret(line.trimmingCharacters(in: .whitespaces))
        }

        /// The ID in a key, `sk_ID_SECRET`, as `pouch admin key` lists it.
        static func id(of key: Secret) -> String {
            let parts = key.text.split(separator: "_", maxSplits: 2)
            return "key_" + (parts.count == 3 ? parts[1] : "")
        }
    }
#endif
