#if TerminalPrograms
    import ArgumentParser
    import Foundation
    import PouchClient
    import PouchJSON
    import PouchTerminal

    struct PasswordCommand: ShopCommand {
        static let commandName = "password"
        static let abstract = "Change your password; all other sessions end."
        static let discussion = """
            On a terminal, the command asks for the current and the new password without echo. Otherwise it reads \
            them from the first two lines of standard input.
            """

        func run(in shop: Shop) async throws {
            let current = try await Prompt.password("Current password: ")
            let new = try await Prompt.password("New password: ", twice: true)
            try await shop.withFreshSignIn { try await shop.client.account.changePassword(from: current, to: new) }
            shop.confirm("Your password has been changed, and all other sessions have ended.")
        }
    }

    struct ResetPasswordCommand: ShopCommand {
        static let commandName = "reset-password"
        static let abstract = "Set a new password with a token that the shop e-mails to you."
        static let discussion = """
            Request the e-mail first, with --email. Then run the command without it. On a terminal, it asks for \
            the link from the e-mail, or the token after its #, and for the new password, without echo. Otherwise \
            it reads them from the first two lines of standard input. A token works once, within 30 minutes.
            """

        @Option(help: .value("address", "Send an e-mail with a token to this address."))
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
        static let commandName = "verify"
        static let abstract = "Verify your e-mail address with the token that the shop e-mailed to it."
        static let discussion = """
            On a terminal, the command asks for the link from the e-mail, or the token after its #, without echo. \
            Otherwise it reads it from the first line of standard input. A token works once, within two days.
            """

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
        static let commandName = "email"
        static let abstract = "Change the e-mail address of your account."
        static let discussion = """
            The shop e-mails a token to the new address. The change takes effect when you enter the token with \
            `pouch verify`. On a terminal, the command asks for your password without echo. Otherwise it reads the \
            password from the first line of standard input.
            """

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
        static let commandName = "export"
        static let abstract = "Export everything that the shop stores about you, as JSON."
        static let discussion =
            "Your profile, addresses, orders, rides and sessions, and the e-mails of the last 30 days."

        @Option(help: .value("file", "Write a file that only you can read. (default: standard output)"))
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

    enum SessionCommand: CommandFamily {
        static let commandName = "session"
        static let abstract = "List your sessions, and end them."
        static let subcommands: [any NamedCommand.Type] = [List.self, End.self]

        struct List: ShopCommand {
            static let abstract = "List your sessions, newest first."

            @OptionGroup var page: PageOptions

            func run(in shop: Shop) async throws {
                try await page.show(in: shop, as: Self.table) { limit, cursor in
                    try await shop.client.account.activeSessions(limit: limit, cursor: cursor)
                }
            }

            private static func table(_ sessions: [AccountSession]) -> [Output] {
                .list(
                    sessions, orElse: "You have no sessions.",
                    [
                        Field("ID", .bold, \.id), Field("SIGNED IN", \.createdAt), Field("LAST USED", \.lastUsedAt),
                        Field("NETWORK") { $0.network ?? "-" }, Field("CLIENT") { $0.userAgent ?? "-" },
                        Field("") { $0.isCurrent ? "this one" : "" },
                    ])
            }
        }

        struct End: ShopCommand {
            static let abstract = "End a session."
            static let discussion = "Ending the session on this device is the same as `pouch sign-out`."

            @Argument(help: "The session's ID, as `pouch session list` shows it.")
            var id: String

            var notFound: NotFound { NotFound("session", id, "`pouch session list` lists your sessions.") }

            func run(in shop: Shop) async throws {
                try await shop.client.account.endSession(id: id)
                shop.confirm("The session has ended.")
            }
        }
    }
#endif
