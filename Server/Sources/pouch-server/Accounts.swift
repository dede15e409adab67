import ArgumentParser
import Foundation
import PouchDomain
import PouchEntities
import PouchServer
import PouchStorage

struct Account: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Manage customer accounts.", subcommands: [Create.self])

    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Create a customer account.",
            discussion: "Prompts for the password without echo, or reads it from the first line of standard input.")

        @OptionGroup var options: SharedOptions

        @Option(help: "The e-mail address to sign in with.")
        var email: String

        @Option(help: "The customer's name.")
        var name: String

        @Option(help: ArgumentHelp("The customer's mobile number.", valueName: "number"))
        var mobile: String?

        @Flag(help: "Do nothing if the catalogue has products or the address already has an account.")
        var ifEmpty = false

        @OptionGroup var newDatabase: NewDatabaseOption

        func run() async throws {
            try await AccountCreation(
                options: options, newDatabase: newDatabase, role: .customer, name: name, email: email,
                mobileNumber: mobile, ifEmpty: ifEmpty
            ).run()
        }
    }
}

/// Creates a customer or staff account.
struct AccountCreation {
    let options: SharedOptions
    let newDatabase: NewDatabaseOption
    let role: AccountRecord.Role
    let name: String
    let email: String
    var mobileNumber: String?
    /// Whether to do nothing if the catalogue has products or the address already has an account.
    var ifEmpty = false

    func run() async throws {
        let (database, _, environment) = try await options.open(.onRequest(isRequested: newDatabase.create))
        if ifEmpty, try await !environment.store.read({ try $0.catalog.version() == 0 }) {
            print("The catalogue has products; no account was created.")
            return try await database.close()
        }
        guard let password = await PasswordPrompt.read("Password for \(email): ") else {
            throw Failure("No password was entered, so no account was created.")
        }
        do {
            let profile = try await AccountService.administration(environment).create(
                name: name, email: email, mobileNumber: mobileNumber, password: password, role: role)
            let title = role == .admin ? "administrator" : role.staffRole?.title ?? "customer"
            print("Created the \(title) \(profile.email) (\(profile.id)).")
        } catch DomainError.invalid(let problems) {
            throw Failure(problems.map(\.detail).joined(separator: " "))
        } catch DomainError.emailTaken where ifEmpty {
            print("\(email) already has an account; nothing was created.")
        } catch DomainError.emailTaken {
            let advice =
                role == .customer ? "Use another address." : "Give it a role with “pouch-server admin promote”."
            throw Failure("\(email) already has an account. \(advice)")
        }
        try await database.close()
    }
}

/// Reads a password: without echo from a terminal, otherwise from the first line of standard input.
private enum PasswordPrompt {
    /// - Returns: nil at the end of input and on Ctrl-C.
    static func read(_ prompt: String) async -> String? {
        // Waiting for input must not block a thread of the cooperative pool, which global queues share.
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(returning: isatty(STDIN_FILENO) == 1 ? readHidden(prompt) : readLine())
            }
        }
    }

    /// Receives Ctrl-C as a character instead of a signal, so that the terminal's settings are always restored.
    private static func readHidden(_ prompt: String) -> String? {
        var original = termios()
        guard tcgetattr(STDIN_FILENO, &original) == 0 else { return nil }
        var silent = original
        silent.c_lflag &= ~tcflag_t(ECHO | ICANON | ISIG)
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent)
        FileHandle.standardError.write(Data(prompt.utf8))
        defer {
            tcsetattr(STDIN_FILENO, TCSAFLUSH, &original)
            FileHandle.standardError.write(Data("\n".utf8))
        }
        var typed: [UInt8] = []
        var byte: UInt8 = 0
        while Foundation.read(STDIN_FILENO, &byte, 1) == 1 {
            switch byte {
            case UInt8(ascii: "\n"), UInt8(ascii: "\r"): return String(decoding: typed, as: UTF8.self)
            case 0x03: return nil
            case 0x04 where typed.isEmpty: return nil
            case 0x08, 0x7F: typed = Array(String(decoding: typed, as: UTF8.self).dropLast().utf8)
            case 0x15: typed = []
            default: typed.append(byte)
            }
        }
        return nil
    }
}
