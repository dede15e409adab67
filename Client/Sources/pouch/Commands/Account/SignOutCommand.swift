#if TerminalPrograms
    import ArgumentParser
    import PouchClient
    import PouchTerminal

    struct SignOutCommand: ShopCommand {
        static let configuration = CommandConfiguration(
            commandName: "sign-out",
            abstract: "End the session, a guest's too.",
            discussion: "The session is forgotten here even where the server cannot be told.")

        @OptionGroup var global: GlobalOptions

        func run(in shop: Shop) async throws {
            try await shop.client.account.signOut()
            if !shop.printsJSON { shop.output.show([.line("Signed out.")]) }
        }
    }
#endif
