import ArgumentParser
import Foundation
import PouchDomain
import PouchEntities
import PouchServer
import PouchStorage

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
            let (database, environment) = try await options.open()
            guard let password = await PasswordPrompt.read("Password for \(email): ") else {
                throw Failure("There was no password, so no account was made.")
            }
            do {
                let profile = try await AccountService.administration(environment).create(
                    name: name, email: email, password: password, role: .admin)
                print("Made the administrator \(profile.email) (\(profile.id)).")
            } catch DomainError.invalid(let problems) {
                throw Failure(problems.map(\.detail).joined(separator: " "))
            } catch DomainError.emailTaken {
                throw Failure("\(email) has an account already.")
            }
            try await database.close()
        }
    }
}
