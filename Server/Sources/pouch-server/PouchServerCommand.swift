import ArgumentParser
import Foundation

@main
struct PouchServerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pouch-server",
        abstract: "A commerce server on SQLite or PostgreSQL.",
        discussion: """
            Every option can also be given as an environment variable (--database is POUCH_DATABASE) or in a JSON file \
            named by --config ({"database": "sqlite:/path", "port": 8080}). An option on the command line comes first, \
            then the environment, then the file.
            """,
        subcommands: [
            Serve.self, Migrate.self, Import.self, Admin.self, Account.self, Backup.self, ShopSettingsCommand.self,
            SandboxPayments.self,
        ]
    )

    /// As the library does it, but for what is wrong with a setting, which is known only once the command runs: it comes
    /// with the usage of that command.
    static func main() async {
        do {
            var command = try await asyncParseAsRoot()
            do {
                if var command = command as? any AsyncParsableCommand {
                    try await command.run()
                } else {
                    try command.run()
                }
            } catch let error as ValidationError {
                let text = "Error: \(error.message)\nUsage: \(usageString(for: type(of: command)))\n"
                FileHandle.standardError.write(Data(text.utf8))
                throw ExitCode.validationFailure
            }
        } catch {
            exit(withError: error)
        }
    }
}
