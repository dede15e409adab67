import ArgumentParser
import Foundation
import PouchServer
import PouchStorage

struct Backup: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Copy an SQLite database into a file, also while a server is running.",
        discussion: """
            The copy is the database as it is at one moment. It holds password hashes and signing keys, so only you may \
            read it. To go back to it, stop the servers, remove the database with its -wal and -shm files, and put the copy \
            in its place.

            A PostgreSQL database is copied with pg_dump.
            """)

    @OptionGroup var options: SharedOptions

    @Argument(help: "The file to make; it must not exist yet.", completion: .file())
    var path: String

    func run() async throws {
        guard !FileManager.default.fileExists(atPath: path) else {
            throw Failure("\(path) exists already. Name another file.")
        }
        let configuration = try await options.configuration(options.settings())
        guard case .sqlite(let source) = configuration.database else {
            throw Failure("This copies SQLite databases. For PostgreSQL use pg_dump, which does it while others go on.")
        }
        try await opened { try await configuration.database.open().close() }
        let database = try SQLiteDatabase(path: source)
        // Under another name until it is whole, so that a half copy is never taken for a backup.
        let unfinished = path + ".unfinished"
        try? FileManager.default.removeItem(atPath: unfinished)
        let bar = ProgressBar("Copying")
        do {
            try await opened { try await database.backup(to: unfinished) { bar.show($0, of: $1) } }
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
