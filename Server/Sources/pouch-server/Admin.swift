import ArgumentParser
import PouchDomain

struct Admin: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Manage administrators.", subcommands: [Create.self])

    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Make an administrator.",
            discussion: "The password is asked for without echo, or read from the first line of standard input.")

        @OptionGroup var options: SharedOptions

        @Option(help: "The e-mail address to sign in with.")
        var email: String

        @Option(help: "The administrator's name.")
        var name = "Administrator"

        func run() async throws {
            try await AccountCreation(options: options, role: .admin, name: name, email: email).run()
        }
    }
}
