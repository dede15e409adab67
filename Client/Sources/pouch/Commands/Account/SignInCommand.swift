#if TerminalPrograms
    import ArgumentParser
    import PouchClient
    import PouchTerminal

    struct SignInCommand: ShopCommand {
        static let configuration = CommandConfiguration(
            commandName: "sign-in",
            abstract: "Sign in; a guest's cart comes along.",
            discussion: """
                The password is asked for without echo, or is the first line of standard input where that is no \
                terminal.
                """)

        @OptionGroup var global: GlobalOptions

        @Option(help: ArgumentHelp("Your e-mail address.", valueName: "address")) var email: String

        func run(in shop: Shop) async throws {
            let session = try await shop.client.account.signIn(email: email, password: Prompt.password())
            let principal = Principal(kind: session.kind, profile: session.profile)
            try shop.show(principal, as: [.line("Signed in.")] + principal.blocks)
        }
    }
#endif
