import Benchmarking
import Foundation
import TestDatabase

/// What the rides of a server cost: finding and taking the nearest kangaroo of 10,000, by the grid and by looking at all of
/// them, in turn; and telling 1,000 listeners what happens to a ride.
@main
struct RideBench {
    static func main() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "pouch-bench-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let outcome: Result<Void, any Error>
        do {
            say(TestDatabase.isPostgres ? "PostgreSQL" : "SQLite")
            let database = try await TestDatabase(in: folder)
            try await Dispatching(database: try database.address).run()
            try await Listening(database: try database.address, folder: folder).run()
            outcome = .success(())
        } catch {
            outcome = .failure(error)
        }
        try await TestDatabase.remove(folder)
        try FileManager.default.removeItem(at: folder)
        try outcome.get()
    }
}
