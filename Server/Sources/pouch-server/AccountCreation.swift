import Foundation
import PouchDomain
import PouchEntities
import PouchServer
import PouchStorage

/// Makes an account from the command line.
struct AccountCreation {
    let options: SharedOptions
    let role: AccountRecord.Role
    let name: String
    let email: String
    var mobileNumber: String?
    /// Whether to do nothing where the catalogue has products, or the address an account.
    var ifEmpty = false

    func run() async throws {
        let (database, environment) = try await options.open()
        if ifEmpty, try await !environment.store.read({ try $0.catalog.version() == 0 }) {
            print("The catalogue has products already; no account was made.")
            return try await database.close()
        }
        guard let password = await PasswordPrompt.read("Password for \(email): ") else {
            throw Failure("There was no password, so no account was made.")
        }
        do {
            let profile = try await AccountService.administration(environment).create(
                name: name, email: email, mobileNumber: mobileNumber, password: password, role: role)
            print("Made the \(role == .admin ? "administrator" : "customer") \(profile.email) (\(profile.id)).")
        } catch DomainError.invalid(let problems) {
            throw Failure(problems.map(\.detail).joined(separator: " "))
        } catch DomainError.emailTaken where ifEmpty {
            print("\(email) has an account already; no other was made.")
        } catch DomainError.emailTaken {
            throw Failure("\(email) has an account already.")
        }
        try await database.close()
    }
}
