#if TerminalPrograms
    import ArgumentParser
    import PouchClient
    import PouchTerminal
    import PouchTerminalScreens

    struct AdminStaffCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "staff",
            abstract: "List, invite, change and remove staff members.",
            discussion: "The roles are owner, manager, support and read only.",
            subcommands: [List.self, Invite.self, Role.self, Remove.self, Accept.self],
            defaultSubcommand: List.self)

        @OptionGroup var global: GlobalOptions

        struct List: ShopCommand {
            static let configuration = CommandConfiguration(abstract: "List the staff and open invitations.")

            @OptionGroup var global: GlobalOptions
            @OptionGroup var page: PageOptions

            func run(in shop: Shop) async throws {
                try await page.show(in: shop, as: StaffText.list) { limit, cursor in
                    try await shop.client.admin.staff(limit: limit, cursor: cursor)
                }
            }
        }

        struct Invite: ShopCommand {
            static let configuration = CommandConfiguration(
                abstract: "Send an invitation by e-mail; its link is valid for a week.")

            @OptionGroup var global: GlobalOptions

            @Argument(help: "The e-mail address.") var email: String
            @Argument(help: "The role: owner, manager, support or \"read only\".") var role: StaffRole

            func run(in shop: Shop) async throws {
                let member = try await shop.withFreshSignIn {
                    try await shop.client.admin.inviteStaff(email: email, as: role)
                }
                try shop.show(member) { StaffText.list([$0]) }
            }
        }

        struct Role: ShopCommand {
            static let configuration = CommandConfiguration(abstract: "Change the role of a staff member.")

            @OptionGroup var global: GlobalOptions

            @Argument(help: "The e-mail address or the ID.") var member: String
            @Argument(help: "The role: owner, manager, support or \"read only\".") var role: StaffRole

            var notFound: NotFound { .member(member) }

            func run(in shop: Shop) async throws {
                let id = try await shop.member(member).id
                let changed = try await shop.withFreshSignIn {
                    try await shop.client.admin.changeStaffRole(id: id, to: role)
                }
                try shop.show(changed) { StaffText.list([$0]) }
            }
        }

        struct Remove: ShopCommand {
            static let configuration = CommandConfiguration(
                abstract: "Make a staff member a customer, or withdraw an invitation.")

            @OptionGroup var global: GlobalOptions

            @Argument(help: "The e-mail address or the ID.") var member: String

            var notFound: NotFound { .member(member) }

            func run(in shop: Shop) async throws {
                let found = try await shop.member(member)
                try await shop.withFreshSignIn { try await shop.client.admin.removeStaff(id: found.id) }
                shop.confirm(StyledText("Removed \(found.email)."))
            }
        }

        struct Accept: ShopCommand {
            static let configuration = CommandConfiguration(
                abstract: "Accept an invitation with the link from its e-mail.",
                discussion: """
                    A new account requires --name and a new password, an existing one its current password. On a \
                    terminal, the command asks for the link and the password without echo. Otherwise it reads them \
                    from the first two lines of standard input.
                    """)

            @OptionGroup var global: GlobalOptions

            @Option(help: "Your name. Required for a new account.") var name: String?

            func run(in shop: Shop) async throws {
                let token = try await Prompt.mailedToken()
                let password = try await Prompt.password()
                do throws(DataError) {
                    try await shop.client.account.acceptInvitation(token: token, password: password, name: name)
                } catch {
                    guard case .validation(let fields) = error.reason, fields.contains(where: { $0.field == "name" }),
                        name == nil
                    else { throw error }
                    throw Refusal("A new account needs a name.", "Add --name NAME, and send the lines again.", .usage)
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
            NotFound(
                message: "No such staff member: \(text).",
                advice: "`pouch admin staff` lists the members, with their IDs.")
        }
    }

    private enum StaffText {
        static func list(_ members: [StaffMember]) -> [Output] {
            .list(members, orElse: "There are no members.", ["E-MAIL", "NAME", "ROLE", "STATUS", "ID"]) { member in
                let status: StyledText =
                    switch member.status {
                    case .invited: StyledText("invited", .yellow)
                    case .active, .unrecognised: member.hasSecondFactor == true ? "second factor" : ""
                    }
                return [
                    StyledText(member.email, .bold), StyledText(member.name ?? ""), StyledText(member.role.title),
                    status, StyledText(member.id),
                ]
            }
        }
    }

    extension StaffRole: @retroactive ExpressibleByArgument, PrintedWord {}
#endif
