#if TerminalPrograms
    import ArgumentParser
    import Foundation
    import PouchClient
    import PouchJSON
    import PouchTerminal

    struct PasswordCommand: ShopCommand {
        static let configuration = CommandConfiguration(
            commandName: "password",
            abstract: "Change your password; all other sessions end.",
            discussion: """
                On a terminal, the command asks for the current and the new password without echo. Otherwise it reads \
                them from the first two lines of standard input.
                """)

        @OptionGroup var global: GlobalOptions

        func run(in shop: Shop) async throws {
            let current = try await Prompt.password("Current password: ")
            let new = try await Prompt.password("New password: ", twice: true)
            try await shop.withFreshSignIn { try await shop.client.account.changePassword(from: current, to: new) }
            shop.confirm("Your password has been changed, and all other sessions have ended.")
        }
    }

    struct ResetPasswordCommand: ShopCommand {
        static let configuration = CommandConfiguration(
            commandName: "reset-password",
            abstract: "Set a new password with a token that the shop e-mails to you.",
            discussion: """
                Request the e-mail first, with --email. Then run the command without it. On a terminal, it asks for \
                the link from the e-mail, or the token after its #, and for the new password, without echo. Otherwise \
                it reads them from the first two lines of standard input. A token works once, within 30 minutes.
                """)

        @OptionGroup var global: GlobalOptions

        @Option(help: ArgumentHelp("Send an e-mail with a token to this address.", valueName: "address"))
        var email: String?

        func run(in shop: Shop) async throws {
            if let email {
                try await shop.client.account.requestPasswordReset(email: email)
                return shop.confirm(
                    "If this address has an account, an e-mail is on its way. Enter its token with "
                        + "`pouch reset-password`.")
            }
            let token = try await Prompt.mailedToken()
            let new = try await Prompt.password("New password: ", twice: true)
            try await shop.client.account.resetPassword(token: token, to: new)
            shop.confirm("Your password has been changed, and all sessions have ended. Sign in with `pouch sign-in`.")
        }
    }

    extension Prompt {
        /// The token from an e-mail, entered as the whole link or alone.
        static func mailedToken() async throws -> String {
            let text = try await password("Link or token from the e-mail: ").trimmingCharacters(in: .whitespaces)
            return text.split(separator: "#").last.map(String.init) ?? text
        }
    }

    struct VerifyCommand: ShopCommand {
        static let configuration = CommandConfiguration(
            commandName: "verify",
            abstract: "Verify your e-mail address with the token that the shop e-mailed to it.",
            discussion: """
                On a terminal, the command asks for the link from the e-mail, or the token after its #, without echo. \
                Otherwise it reads it from the first line of standard input. A token works once, within two days.
                """)

        @OptionGroup var global: GlobalOptions

        @Flag(help: "Resend the e-mail to your account's address.")
        var send = false

        func run(in shop: Shop) async throws {
            if send {
                try await shop.client.account.requestVerification()
                return shop.confirm("An e-mail is on its way. Enter its token with `pouch verify`.")
            }
            try await shop.client.account.verifyEmail(token: try await Prompt.mailedToken())
            shop.confirm("Your e-mail address is verified.")
        }
    }

    struct EmailCommand: ShopCommand {
        static let configuration = CommandConfiguration(
            commandName: "email",
            abstract: "Change the e-mail address of your account.",
            discussion: """
                The shop e-mails a token to the new address. The change takes effect when you enter the token with \
                `pouch verify`. On a terminal, the command asks for your password without echo. Otherwise it reads the \
                password from the first line of standard input.
                """)

        @OptionGroup var global: GlobalOptions

        @Argument(help: "The new address.")
        var address: String

        func run(in shop: Shop) async throws {
            let password = try await Prompt.password()
            try await shop.withFreshSignIn {
                try await shop.client.account.changeEmail(to: address, password: password)
            }
            shop.confirm("An e-mail is on its way to \(address). Enter its token with `pouch verify`.")
        }
    }

    struct ExportCommand: ShopCommand {
        static let configuration = CommandConfiguration(
            commandName: "export",
            abstract: "Export everything that the shop stores about you, as JSON.",
            discussion: "Your profile, addresses, orders, rides and sessions, and the e-mails of the last 30 days.")

        @OptionGroup var global: GlobalOptions

        @Option(
            help: ArgumentHelp(
                "Write a file that only you can read. (default: standard output)", valueName: "file"))
        var output: String?

        func run(in shop: Shop) async throws {
            let export = try await shop.client.account.export()
            guard let output else { return try shop.showJSON(export) }
            guard
                FileManager.default.createFile(
                    atPath: output, contents: try export.json(), attributes: [.posixPermissions: 0o600])
            else {
                throw Refusal(
                    "The file \(output) cannot be written.", "Check that its folder exists and is writable.", .other)
            }
            shop.confirm("Written to \(output).")
        }
    }

    struct SessionCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "session", abstract: "List your sessions, and end them.",
            subcommands: [List.self, End.self], defaultSubcommand: List.self)

        @OptionGroup var global: GlobalOptions

        struct List: ShopCommand {
            static let configuration = CommandConfiguration(abstract: "List your sessions, newest first.")

            @OptionGroup var global: GlobalOptions
            @OptionGroup var page: PageOptions

            func run(in shop: Shop) async throws {
                try await page.show(in: shop, as: Self.table) { limit, cursor in
                    try await shop.client.account.activeSessions(limit: limit, cursor: cursor)
                }
            }

            private static func table(_ sessions: [AccountSession]) -> [Output] {
                .list(
                    sessions, orElse: "You have no sessions.",
                    ["ID", "SIGNED IN", "LAST USED", "NETWORK", "CLIENT", ""]
                ) { session in
                    [
                        StyledText(session.id, .bold), StyledText(time: session.createdAt),
                        StyledText(time: session.lastUsedAt), StyledText(session.network ?? "-"),
                        StyledText(session.userAgent ?? "-"), StyledText(session.isCurrent ? "this one" : ""),
                    ]
                }
            }
        }

        struct End: ShopCommand {
            static let configuration = CommandConfiguration(
                abstract: "End a session.",
                discussion: "Ending the session on this device is the same as `pouch sign-out`.")

            @OptionGroup var global: GlobalOptions

            @Argument(help: "The session's ID, as `pouch session list` shows it.")
            var id: String

            var notFound: NotFound {
                NotFound(message: "No such session: \(id).", advice: "`pouch session list` lists your sessions.")
            }

            func run(in shop: Shop) async throws {
                try await shop.client.account.endSession(id: id)
                shop.confirm("The session has ended.")
            }
        }
    }
#endif
