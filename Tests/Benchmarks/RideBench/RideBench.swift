import Benchmarking
import Foundation
import ServerTesting

/// Measures rides: finding and claiming the nearest of 10,000 kangaroos, alternately with the grid and with a scan of
/// all kangaroos, and notifying 1,000 listeners of a ride.
///
/// Runs on SQLite, or on the PostgreSQL server in POUCH_TEST_POSTGRES.
@main
struct RideBench {
    static func main() async throws {
        say(TestDatabase.isPostgres ? "PostgreSQL" : "SQLite")
        try await withTemporaryFolder { folder in
            try await withCleanup({ try await TestDatabase.remove(folder) }) {
                let database = try await TestDatabase(in: folder, isFresh: true).address
                try await Dispatching(database: database).run()
                try await Listening(database: database, folder: folder).run()
            }
        }
    }
}
