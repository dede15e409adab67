import ArgumentParser

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
            Serve.self, Migrate.self, Import.self, Admin.self, Backup.self, ShopSettingsCommand.self,
            SandboxPayments.self,
        ]
    )
}
