#if TerminalPrograms
    import ArgumentParser
    import Foundation
    import PouchClient
    import PouchTerminal
    import PouchTerminalScreens

    enum AdminStaffCommand: CommandFamily {
        static let commandName = "staff"
        static let abstract = "List, invite, change and remove staff members."
        static let discussion = "The roles are owner, manager, support and read only."
        static let subcommands: [any NamedCommand.Type] = [List.self, Invite.self, Role.self, Remove.self, Accept.self]

        struct List: ShopCommand {
            static let abstract = "List the staff and open invitations."

            @OptionGroup var page: PageOptions

            func run(in shop: Shop) async throws {
                try await page.show(in: shop, as: StaffText.list, shop.admin.staff)
            }
        }

        struct Invite: ShopCommand {
            static let abstract = "Send an invitation by e-mail; its link is valid for a week."

            @Argument(help: "The e-mail address.") var email: String
            @Argument(help: "The role: owner, manager, support or \"read only\".") var role: StaffRole

            func run(in shop: Shop) async throws {
                let member = try await shop.withFreshSignIn { try await shop.admin.inviteStaff(email: email, as: role) }
                try shop.show(member) { StaffText.list([$0]) }
            }
        }

        struct Role: ShopCommand {
            static let abstract = "Change the role of a staff member."

            @Argument(help: "The e-mail address or the ID.") var member: String
            @Argument(help: "The role: owner, manager, support or \"read only\".") var role: StaffRole

            var notFound: NotFound { .member(member) }

            func run(in shop: Shop) async throws {
                let id = try await shop.member(member).id
                let changed = try await shop.withFreshSignIn { try await shop.admin.changeStaffRole(id: id, to: role) }
                try shop.show(changed) { StaffText.list([$0]) }
            }
        }

        struct Remove: ShopCommand {
            static let abstract = "Make a staff member a customer, or withdraw an invitation."

            @Argument(help: "The e-mail address or the ID.") var member: String

            var notFound: NotFound { .member(member) }

            func run(in shop: Shop) async throws {
                let found = try await shop.member(member)
                try await shop.withFreshSignIn { try await shop.admin.removeStaff(id: found.id) }
                shop.confirm(StyledText("Removed \(found.email)."))
            }
        }

        struct Accept: ShopCommand {
            static let abstract = "Accept an invitation with the link from its e-mail."
            static let discussion = """
                A new account requires --name and a new password, an existing one its current password. On a \
                terminal, the command asks for the link and the password without echo. Otherwise it reads them \
                from the first two lines of standard input.
                """

            @Option(help: "Your name. Required for a new account.") var name: String?

            func run(in shop: Shop) async throws {
                let token = try await Prompt.mailedToken()
                let password = try await Prompt.password()
                do throws(DataError) {
                    try await shop.client.account.acceptInvitation(token: token, password: password, name: name)
                } catch {
                    switch error.reason {
                    case .validation(let fields) where name == nil && fields.contains { $0.field == "name" }:
                        throw Refusal(
                            "A new account needs a name.", "Add --name NAME, and send the lines again.", .usage)
                    case .invalidCredentials:
                        throw Refusal(
                            "The password is wrong.", "Enter the password of the account that was invited.",
                            ExitStatus(error.reason))
                    default: throw error
                    }
                }
                shop.confirm("Welcome. Sign in with `pouch sign-in --email ADDRESS`.")
            }
        }
    }

    extension Shop {
        /// The staff member with an address or an ID.
        fileprivate func member(_ text: String) async throws -> StaffMember {
            for try await member in client.admin.allStaff()
            where member.id == text || member.email == text.lowercased() {
                return member
            }
            throw DataError(.notFound)
        }
    }

    extension NotFound {
        fileprivate static func member(_ text: String) -> NotFound {
            NotFound("staff member", text, "`pouch admin staff` lists the members, with their IDs.")
        }
    }

    private enum StaffText {
        static func list(_ members: [StaffMember]) -> [Output] {
            .list(
                members, orElse: "There are no members.",
                [
                    Field("E-MAIL", .bold, \.email), Field("NAME", \.name), Field("ROLE", \.role.title),
                    Field("STATUS", status), Field("ID", \.id),
                ])
        }

        private static func status(_ member: StaffMember) -> StyledText {
            switch member.status {
            case .invited: StyledText("invited", .yellow)
            case .active, .unrecognised: member.hasSecondFactor == true ? "second factor" : ""
            }
        }
    }

    extension StaffRole: @retroactive ExpressibleByArgument, PrintedWord {}

    enum AdminKeyCommand: CommandFamily {
        static let commandName = "key"
        static let abstract = "List, create and revoke API keys for programs."
        static let discussion = """
            A program sends its key as a bearer token. pouch itself uses one with --api-key-file FILE or \
            $POUCH_API_KEY.
            """
        static let subcommands: [any NamedCommand.Type] = [List.self, Create.self, Revoke.self]

        struct List: ShopCommand {
            static let abstract = "List the keys, newest first."

            @OptionGroup var page: PageOptions

            func run(in shop: Shop) async throws {
                try await page.show(in: shop, as: KeyText.list, shop.admin.apiKeys)
            }
        }

        struct Create: ShopCommand {
            static let abstract = "Create a key. Its secret is printed only once."
            static let discussion = """
                The scopes are \(Permission.allValueStrings.joined(separator: ", ")). You can grant only those \
                that you have.
                """

            @Option(help: "A name, for example that of the program.") var name: String
            @Option(help: .value("scope", "What the key may do; may be repeated."))
            var scope: [Permission] = []
            @Option(help: .value("time", "The expiry: \(Moment.form). A date includes the whole day."))
            var expires: Moment?

            func validate() throws {
                guard !scope.isEmpty else { throw ValidationError("Add at least one --scope.") }
                try expires?.checkFuture("--expires")
            }

            func run(in shop: Shop) async throws {
                let end = try await shop.end(expires)
                let made = try await shop.withFreshSignIn {
                    try await shop.admin.createAPIKey(name: name, scopes: scope, expiresAt: end)
                }
                try shop.show(made) { made in
                    KeyText.list([made.key]) + [
                        .line("The key, which is not shown again:"), .line(StyledText(made.token, .bold)),
                    ]
                }
            }
        }

        struct Revoke: ShopCommand {
            static let abstract = "Revoke a key at once."

            @Argument(help: "The key's ID, as `pouch admin key` lists it.") var id: String

            var notFound: NotFound { NotFound("key", id, "`pouch admin key` lists the keys, with their IDs.") }

            func run(in shop: Shop) async throws {
                try await shop.admin.revokeAPIKey(id: id)
                shop.confirm(StyledText("Revoked \(id)."))
            }
        }
    }

    private enum KeyText {
        static func list(_ keys: [APIKey]) -> [Output] {
            .list(
                keys, orElse: "There are no API keys.",
                [
                    Field("NAME", .bold, \.name), Field("ID", \.id),
                    Field("SCOPES") { $0.scopes.map(\.title).joined(separator: " ") },
                    Field("EXPIRES", \.expiresAt), Field("LAST USED", \.lastUsedAt),
                ])
        }
    }

    extension Permission: @retroactive ExpressibleByArgument, PrintedWord {
        public static var allValueStrings: [String] { allCases.filter(ofKeys.contains).map(\.title) }
    }
#endif
