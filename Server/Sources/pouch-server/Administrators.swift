import ArgumentParser
import PouchDomain
import PouchEntities
import PouchServer
import PouchStorage

struct Admin: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Manage the shop's staff.",
        discussion: """
            The roles are owner, manager, support and read only. Changes take effect with the next request, even on \
            running servers.
            """,
        subcommands: [List.self, Create.self, Promote.self, Demote.self, ResetSecondFactor.self])

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List the staff and open invitations.")

        @OptionGroup var options: SharedOptions

        func run() async throws {
            let (database, _, environment) = try await options.open(.refused)
            let members = try await environment.store.read {
                try $0.staff.members(after: nil, limit: 10_000, at: environment.time.now)
            }
            for member in members {
                let factor = member.hasSecondFactor == true ? "  second factor" : ""
                let state = member.status == .invited ? "  invited" : factor
                print("\(member.email.printable)  \(member.role.title)\(state)  \(member.id)")
            }
            if members.isEmpty { print("There is no staff yet. Create an owner with “pouch-server admin create”.") }
            try await database.close()
        }
    }

    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Create an administrator.",
            discussion: "Prompts for the password without echo, or reads it from the first line of standard input.")

        @OptionGroup var options: SharedOptions

        @Option(help: "The e-mail address to sign in with.")
        var email: String

        @Option(help: "The administrator's name.")
        var name = "Administrator"

        @Option(help: "owner, manager, support or \"read only\".")
        var role = StaffRole.owner

        @OptionGroup var newDatabase: NewDatabaseOption

        func run() async throws {
            try await AccountCreation(
                options: options, newDatabase: newDatabase, role: .staff(role), name: name, email: email
            ).run()
        }
    }

    struct Promote: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Give an existing account a role, or change its role.",
            discussion: "A customer must sign in again to use the role.")

        @OptionGroup var options: SharedOptions

        @Option(help: "The e-mail address of the account.")
        var email: String

        @Option(help: "owner, manager, support or \"read only\".")
        var role = StaffRole.owner

        func run() async throws {
            try await change(options, email, missing: "has no account") { [email, role] staff, repositories in
                let member = try staff.promote(email: email, to: role, in: repositories)
                return "\(member.email.printable) now has the role \(member.role.title)."
            }
        }
    }

    struct Demote: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Make a staff member a customer, and end that account's sessions.")

        @OptionGroup var options: SharedOptions

        @Option(help: "The e-mail address of the account.")
        var email: String

        func run() async throws {
            try await change(options, email, missing: "is not a staff member") { [email] staff, repositories in
                let member = try staff.demote(email: email, in: repositories)
                return "\(member.email.printable) is now a customer."
            }
        }
    }

    struct ResetSecondFactor: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Remove an account's second factor if its owner has lost it, and end the account's sessions.")

        @OptionGroup var options: SharedOptions

        @Option(help: "The e-mail address of the account.")
        var email: String

        func run() async throws {
            try await change(options, email, missing: "has no second factor or no account") {
                [email] staff, repositories in
                try staff.resetSecondFactor(email: email, in: repositories)
                return "\(email.printable) can now sign in with the password alone."
            }
        }
    }

    /// Runs a change of one account, and prints the text that it returns.
    ///
    /// - Parameter missing: completes the sentence about an address for which there is nothing to change.
    private static func change(
        _ options: SharedOptions, _ email: String, missing: String,
        _ body: @escaping @Sendable (Staff, any Repositories) throws -> String
    ) async throws {
        let (database, _, environment) = try await options.open(.refused)
        let staff = Staff(environment)
        do {
            print(try await environment.store.write { try body(staff, $0) })
        } catch DomainError.notFound {
            throw Failure("\(email.printable) \(missing). List the staff with “pouch-server admin list”.")
        } catch DomainError.lastOwner {
            throw Failure("\(email.printable) is the only owner. Make another member an owner first.")
        }
        try await database.close()
    }
}

extension StaffRole: @retroactive ExpressibleByArgument {
    private static let known = allCases.filter { $0 != .unrecognised }

    /// Accepts the word that lists print and the contract's word, as `pouch` does.
    public init?(argument: String) {
        guard let role = Self.known.first(where: { [$0.title, $0.rawValue].contains(argument) }) else { return nil }
        self = role
    }

    public static var allValueStrings: [String] { known.map(\.title) }
}
