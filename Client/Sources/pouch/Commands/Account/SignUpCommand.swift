#if TerminalPrograms
    import ArgumentParser
    import PouchClient
    import PouchTerminal

    struct SignUpCommand: ShopCommand {
        static let configuration = CommandConfiguration(
            commandName: "sign-up",
            abstract: "Make an account and sign in; a guest's cart comes along.",
            discussion: """
                The password, 8 to 128 characters, is asked for without echo, or is the first line of standard input \
                where that is no terminal.
                """)

        @OptionGroup var global: GlobalOptions

        @Option(help: "Your name.") var name: String
        @Option(help: ArgumentHelp("Your e-mail address.", valueName: "address")) var email: String
        @Option(help: ArgumentHelp("Your mobile number.", valueName: "number")) var mobileNumber: String?

        func run(in shop: Shop) async throws {
            let session = try await shop.client.account.signUp(
                name: name, email: email, mobileNumber: mobileNumber, password: Prompt.password(twice: true))
            let principal = Principal(kind: session.kind, profile: session.profile)
            try shop.show(principal, as: [.line("Welcome.")] + principal.blocks)
        }
    }
#endif
