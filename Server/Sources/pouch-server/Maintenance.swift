import ArgumentParser
import Foundation
import PouchDomain
import PouchServer
import PouchStorage

struct Migrate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Update the schema of the database.",
        discussion: """
            The other commands, except backup, do this too before they start. An update cannot be undone; make a backup \
            first.
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
        abstract: "Copy an SQLite database into a file, even while a server is running.",
        discussion: """
            The copy is the database at one moment. It contains password hashes and signing keys, so only you may read \
            it. “pouch-server restore” puts it back.

            Copy a PostgreSQL database with pg_dump.
            """)

    @OptionGroup var options: SharedOptions

    @Argument(help: "The file to create; it must not exist.", completion: .file())
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
            throw Failure("This command copies SQLite databases. Use pg_dump for PostgreSQL, even while servers run.")
        }
        try NewDatabase.refused.check(address)
        // Without migrating it, so that a copy can be made before an update.
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
                        "\(path) cannot be created. Check that its folder exists and that you may write to it.")
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
        abstract: "Write a settings file with the standard settings, explained by comments.",
        discussion: "Edit it and pass it with --shop. Prints the settings if no file is given.")

    @Argument(help: "The file to create; it must not exist.", completion: .file())
    var file: String?

    func run() async throws {
        guard let file else { return print(ShopSettings.commentedYAML, terminator: "") }
        do {
            try Data(ShopSettings.commentedYAML.utf8).write(
                to: URL(fileURLWithPath: file), options: .withoutOverwriting)
        } catch CocoaError.fileWriteFileExists {
            throw Failure("\(file) already exists. Choose another file.")
        } catch {
            throw Failure("\(file) cannot be written. Check the path and its permissions.")
        }
        print("Wrote \(file).")
    }
}
