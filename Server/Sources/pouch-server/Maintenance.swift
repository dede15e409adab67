import ArgumentParser
import Foundation
import PouchDomain
import PouchServer
import PouchStorage

struct Migrate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Update the database schema.",
        discussion: """
            The other commands, except backup, also do this before they start. An update cannot be undone, so make a \
            backup first.
            """)

    @OptionGroup var options: SharedOptions

    func run() async throws {
        let address = try await options.configuration(options.settings()).database
        let note = try NewDatabase.made.check(address)
        try await opened(address) {
            let database = try address.connect()
            let applied = try await Migrator().migrate(database)
            if let note { print(note) }
            print(applied.isEmpty ? "The schema is up to date." : "Applied: \(applied.joined(separator: ", ")).")
            try await database.close()
        }
    }
}

struct Backup: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Back up an SQLite database to a file, even while a server is running.",
        discussion: """
            The backup holds the database as of one moment. It contains password hashes and signing keys, so only you \
            can read it. To put it back, use “pouch-server restore”.

            For a PostgreSQL database, use pg_dump.
            """)

    @OptionGroup var options: SharedOptions

    @Argument(help: "The file to create. It must not exist.", completion: .file())
    var path: String

    func validate() throws {
        guard !path.isEmpty else { throw ValidationError("Name the file to create.") }
    }

    func run() async throws {
        guard !FileManager.default.fileExists(atPath: path) else {
            throw Failure("\(path) already exists. Choose another file.")
        }
        let address = try await options.configuration(options.settings()).database
        guard case .sqlite(let source) = address else {
            throw Failure("This command backs up SQLite databases. Use pg_dump for PostgreSQL, even while servers run.")
        }
        try NewDatabase.refused.check(address)
        // Does not migrate the database, so that you can back it up before an update.
        let database = try await opened(address) { try SQLiteDatabase(path: source) }
        // Renamed when complete, so that an unfinished copy is never mistaken for a backup.
        let unfinished = path + ".unfinished"
        try? FileManager.default.removeItem(atPath: unfinished)
        let bar = ProgressBar("Copying")
        do {
            try await opened(address) {
                do {
                    try await database.backup(to: unfinished) { bar.show($0, of: $1) }
                } catch StorageError.cannotOpen {
                    throw Failure(
                        "Cannot create \(path). Check that its folder exists and that you can write to it.")
                }
            }
            try FileManager.default.moveItem(atPath: unfinished, toPath: path)
        } catch {
            bar.end()
            try? FileManager.default.removeItem(atPath: unfinished)
            throw error
        }
        bar.end()
        try await database.close()
        print("Wrote \(path).")
    }
}

struct ShopSettingsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "settings",
        abstract: "Write a file with the standard shop settings, explained in comments.",
        discussion: "Edit it and pass it with --shop. Without a file, prints the settings.")

    @Argument(help: "The file to create. It must not exist.", completion: .file())
    var file: String?

    func run() async throws {
        guard let file else { return print(ShopSettings.commentedYAML, terminator: "") }
        do {
            try Data(ShopSettings.commentedYAML.utf8).write(
                to: URL(fileURLWithPath: file), options: .withoutOverwriting)
        } catch CocoaError.fileWriteFileExists {
            throw Failure("\(file) already exists. Choose another file.")
        } catch {
            throw Failure("Cannot write \(file). Check the path and its permissions.")
        }
        print("Wrote \(file).")
    }
}
