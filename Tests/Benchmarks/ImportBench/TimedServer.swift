import Foundation
import Hummingbird
import Logging
import PouchDomain
import PouchEntities
import PouchImport
import PouchServer
import PouchStorage

/// The server under measurement, in a process of its own.
enum TimedServer {
    static let password = "correct horse"
    static let email = "root@example.com"

    /// Makes a small shop, says `PORT` and where it listens, serves until SIGTERM, and says `TIMES` and what was measured.
    static func run(database: String, folder: URL) async throws {
        let taken = TimedDatabase.TimesTaken()
        var configuration = ServerConfiguration(database: try DatabaseAddress(database))
        configuration.dataFolder = folder
        configuration.port = 0
        configuration.instrument = { TimedDatabase(database: $0, times: taken) }
        configuration.onListening = { port in
            taken.reset()
            print("PORT \(port)")
            fflush(nil)
        }
        try await prepare(configuration, in: folder)
        var logger = Logger(label: "bench", factory: { StreamLogHandler.standardError(label: $0) })
        logger.logLevel = .critical
        try await ShopApplication(configuration).application(logger: logger).runService()
        print("TIMES \(taken.value.publishing) \(taken.value.longest)")
    }

    private static func prepare(_ configuration: ServerConfiguration, in folder: URL) async throws {
        let catalogue = folder.appending(path: "first.csv")
        try Feed.csv(prefix: "cap", variants: Feed.firstSKUs).write(to: catalogue, atomically: true, encoding: .utf8)
        let (database, store, environment) = try await configuration.open()
        _ = try await ImportService(environment, store: store).run(FeedFormat.shopifyCSV.reader(at: catalogue, currency: .eur))
        _ = try await AccountService.administration(environment).create(
            name: "Root", email: email, password: password, role: .admin)
        try await database.close()
    }
}
