import ArgumentParser
import Foundation
import PouchVersion

@main
struct PouchServerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pouch-server",
        abstract: "A commerce server on SQLite or PostgreSQL.",
        discussion: """
            You can also set the options of serve, mail and sandbox-payments, and the database options (--database to \
            --shop) of the other commands, as environment variables (--log-level is POUCH_LOG_LEVEL) or as keys in a \
            JSON file that --config or POUCH_CONFIG names ({"database": "sqlite:/path", "logLevel": "debug"}). The \
            command line takes precedence over the environment, and the environment over the file. Unknown keys in the \
            file are an error.

            All other options, such as import --format, work on the command line only.
            """,
        version: "pouch-server " + String(cString: pouch_version()),
        subcommands: [
            Serve.self, Migrate.self, Import.self, Admin.self, Account.self, Keys.self, Refunds.self,
            Backup.self, Restore.self, Doctor.self, ShopSettingsCommand.self, Mail.self, ThemeCommand.self,
            SandboxPayments.self,
        ]
    )

    /// Works like ArgumentParser's, but also prints the command's usage for invalid settings, which it finds later.
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
