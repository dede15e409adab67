import ArgumentParser
import PouchDomain

struct Account: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Manage accounts of customers.", subcommands: [Create.self])

    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Make the account of a customer, as signing up does.",
            discussion: "The password is asked for without echo, or read from the first line of standard input.")

        @OptionGroup var options: SharedOptions

        @Option(help: "The e-mail address to sign in with.")
        var email: String

        @Option(help: "The customer's name.")
        var name: String

        @Option(help: ArgumentHelp("The customer's mobile number.", valueName: "number"))
        var mobile: String?

        @Flag(help: "Do nothing when the catalogue has products, or the address an account, already.")
        var ifEmpty = false

        func run() async throws {
            try await AccountCreation(
                options: options, role: .customer, name: name, email: email, mobileNumber: mobile, ifEmpty: ifEmpty
            ).run()
        }
    }
}
