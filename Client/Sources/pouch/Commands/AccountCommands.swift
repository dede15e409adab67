#if TerminalPrograms
    import ArgumentParser
    import PouchClient
    import PouchJSON
    import PouchTerminal

    struct SignUpCommand: ShopCommand {
        static let commandName = "sign-up"
        static let abstract = "Create an account and sign in; you keep your cart."
        static let discussion = """
            On a terminal, the command asks for the password, 8 to 128 characters, without echo. Otherwise it \
            reads the password from the first line of standard input.
            """

        @Option(help: "Your name.") var name: String
        @Option(help: .value("address", "Your e-mail address.")) var email: String
        @Option(help: .value("number", "Your mobile number.")) var mobileNumber: String?

        func run(in shop: Shop) async throws {
            let session = try await shop.client.account.signUp(
                name: name, email: email, mobileNumber: mobileNumber, password: Prompt.password(twice: true))
            let principal = Principal(kind: session.kind, profile: session.profile)
            try shop.show(principal) { [.line("Welcome."), $0.line] }
        }
    }

    struct SignInCommand: ShopCommand {
        static let commandName = "sign-in"
        static let abstract = "Sign in; you keep your cart."
        static let discussion = """
            On a terminal, the command asks for the password without echo. Otherwise it reads the password from \
            the first line of standard input. An account with a second factor also requires a code: enter it on \
            the terminal, or send it as the second line.
            """

        @Option(help: .value("address", "Your e-mail address.")) var email: String

        func run(in shop: Shop) async throws {
            let password = try await Prompt.password()
            let session = try await Prompt.withCode { code in
                try await shop.client.account.signIn(email: email, password: password, code: code)
            }
            let principal = Principal(kind: session.kind, profile: session.profile)
            try shop.show(principal) { [.line("Signed in."), $0.line] }
        }
    }

    struct SignOutCommand: ShopCommand {
        static let commandName = "sign-out"
        static let abstract = "Sign out, or end a guest session."
        static let discussion = "The session is removed from this device even if the server cannot be reached."

        func run(in shop: Shop) async throws {
            guard shop.keyId == nil else { throw DataError.keyWithoutAccount }
            try await shop.client.account.signOut()
            shop.confirm("Signed out.")
        }
    }

    struct WhoAmICommand: ShopCommand {
        static let commandName = "whoami"
        static let abstract = "Show who is signed in, or the API key in use."

        func run(in shop: Shop) async throws {
            if let id = shop.keyId { return try shop.show(try await key(id, in: shop)) { [$0.line] } }
            let account = shop.client.account
            guard let session = try await account.restore() else { throw DataError(.notSignedIn) }
            let profile = session.kind == .guest ? nil : try await account.profile()
            try shop.show(Principal(kind: session.kind, profile: profile)) { [$0.line] }
        }

        /// Reads the list of keys. A key without the permission to do so is refused for lack of it, which shows that
        /// the key is valid.
        private func key(_ id: String, in shop: Shop) async throws -> KeyInUse {
            let listed: APIKey?
            do {
                listed = try await find(id, in: shop)
            } catch let error as DataError where error.reason == .forbidden {
                listed = nil
            }
            return KeyInUse(id: id, name: listed?.name, scopes: listed?.scopes)
        }

        private func find(_ id: String, in shop: Shop) async throws -> APIKey? {
            try await shop.admin.allAPIKeys().first { $0.id == id }
        }
    }

    /// The printed form of an API key that is used instead of a session: without its secret.
    private struct KeyInUse: JSONModel {
        var kind = "apiKey"
        let id: String
        /// nil, like the scopes, for a key that may not read the keys.
        let name: String?
        let scopes: [Permission]?

        static let json = JSONObject(
            KeyInUse.init, .field("kind", \.kind), .field("id", \.id),
            .field("name", \.name), .field("scopes", \.scopes))

        var line: Output {
            let named = name.map { StyledText($0, .bold) + StyledText(" <\(id)>") } ?? StyledText(id, .bold)
            let may = scopes.map { ", with the scopes " + $0.map(\.title).joined(separator: ", ") } ?? ""
            return .line(StyledText("API key ") + named + StyledText(may))
        }
    }

    enum AccountCommand: CommandFamily {
        static let commandName = "account"
        static let abstract = "Change your name or mobile number, or delete your account."
        static let discussion = "`pouch password` changes your password, `pouch email` your e-mail address."
        static let subcommands: [any NamedCommand.Type] = [Edit.self, Delete.self]
        static let hasDefault = false

        struct Edit: EditCommand {
            static let abstract = "Change your name or your mobile number."
            static let discussion = "An empty text clears the mobile number."

            @Option(help: "Your name.") var name: String?
            @Option(help: .value("number", "Your mobile number.")) var mobileNumber: String?

            static let example = "--name"
            var namesChange: Bool { name != nil || mobileNumber != nil }

            func run(in shop: Shop) async throws {
                let profile = try await shop.client.account.updateProfile(name: name, mobileNumber: mobileNumber)
                try shop.show(profile) { [$0.line] }
            }
        }

        struct Delete: ShopCommand {
            static let abstract = "Delete your account; this cannot be undone."
            static let discussion = """
                All your sessions end. Your addresses, cart and rides are deleted; the shop keeps your orders, \
                without your e-mail and shipping address. On a terminal, the command asks for confirmation, and \
                for your password without echo. Otherwise it reads the password from the first line of standard \
                input, and requires --yes.
                """

            @OptionGroup var confirmation: Confirmation

            func run(in shop: Shop) async throws {
                let account = shop.client.account
                let profile = try await account.profile()
                try await confirmation.ask(
                    "Delete the account of \(profile.email)?", in: shop, orElse: "Your account was not deleted.",
                    isMistakeLikely: true)
                let password = try await Prompt.password()
                try await shop.withFreshSignIn { try await account.deleteAccount(password: password) }
                shop.confirm("Your account has been deleted.")
            }
        }
    }

    extension Profile {
        fileprivate var line: Output {
            let number = mobileNumber.map { ", \($0)" } ?? ""
            return .line(StyledText(name, .bold) + StyledText(" <\(email)>\(number)"))
        }
    }

    /// The printed form of a session: without its tokens.
    private struct Principal: JSONModel {
        let kind: SessionKind
        let profile: Profile?

        static let json = JSONObject(Principal.init, .field("kind", \.kind), .field("profile", \.profile))

        var line: Output {
            profile?.line ?? .line("guest")
        }
    }
#endif
