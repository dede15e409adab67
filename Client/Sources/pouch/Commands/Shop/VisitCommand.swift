#if TerminalPrograms
    import ArgumentParser
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
                those of the other commands. What was seen is kept, and is there to look at without the server too.

                It needs a terminal of 48 columns and 14 rows or more. Without colours with NO_COLOR.
                """)

        @OptionGroup var global: GlobalOptions

        func validate() throws {
            guard !global.json else { throw ValidationError("pouch shop draws on the terminal: leave out --json.") }
        }

        func run(in shop: Shop) async throws {
            let terminal = try terminal()
            try await shop.warnings.held { try await Visit(to: shop).run(on: terminal) }
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
