import ArgumentParser
import PouchServer
import PouchStorage

struct Migrate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Bring the schema of the database up to date.",
        discussion: "The other commands do this too before they begin. It goes forward only; make a backup first.")

    @OptionGroup var options: SharedOptions

    func run() async throws {
        let configuration = try await options.configuration(options.settings())
        try await opened {
            let database = try configuration.database.connect()
            let applied = try await Migrator().migrate(database)
            print(applied.isEmpty ? "The schema is up to date." : "Applied: \(applied.joined(separator: ", ")).")
            try await database.close()
        }
    }
}
