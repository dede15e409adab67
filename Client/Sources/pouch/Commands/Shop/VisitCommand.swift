#if TerminalPrograms
    import ArgumentParser
    import Foundation
    import PouchClient
    import PouchTerminal
    import PouchTerminalScreens

    struct VisitCommand: ShopCommand {
        static let configuration = CommandConfiguration(
            commandName: "shop",
            abstract: "Walk through the shop, with the whole terminal for its screens.",
            discussion: """
                The arrows move, Enter opens or does what it stands on, Esc goes back; the last row of every screen says \
                what else there is. Ctrl-C leaves at once, and the terminal is as it was. The session and the cart are \
                those of the other commands. The catalogue, the cart and the orders are kept, and are there without the server too.

                It needs a terminal of 48 columns and 14 rows or more. Without colours with NO_COLOR.
                """)

        @OptionGroup var global: GlobalOptions

        @Option(
            help: ArgumentHelp(
                "Look through the LAYERS feed in this folder of a web server, in the place of a server's shop.",
                valueName: "url"),
            transform: Self.feedURL)
        var feed: URL?

        func validate() throws {
            guard !global.json else { throw ValidationError("pouch shop draws on the terminal: leave out --json.") }
        }

        func run(in shop: Shop) async throws {
            let terminal = try terminal()
            try await shop.warnings.held { try await Visit(to: shop, feed: feed).run(on: terminal) }
        }

        private static func feedURL(_ text: String) throws -> URL {
            guard let url = URL(string: text), ["http", "https"].contains(url.scheme?.lowercased()),
                url.host()?.isEmpty == false
            else { throw ValidationError("--feed must be like https://shop.example/feed, not \(text).") }
            return url
        }

        private func terminal() throws -> Terminal {
            do throws(TerminalError) {
                return try Terminal()
            } catch {
                throw Refusal(error)
            }
        }
    }
#endif
