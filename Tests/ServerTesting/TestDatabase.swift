import Foundation
import PouchPostgres
import PouchServer
import PouchStorage
import Subprocess
import SystemPackage

/// A separate database for one test: on the PostgreSQL server in POUCH_TEST_POSTGRES, otherwise in an SQLite file.
public struct TestDatabase: Sendable {
    /// The address, as a command-line argument.
    public let text: String

    public static let isPostgres = server != nil

    private static let server = ProcessInfo.processInfo.environment["POUCH_TEST_POSTGRES"]
    private static let databaseName = "pouch.sqlite"

    /// Creates the database for the folder of a test.
    ///
    /// - Parameter isFresh: Whether the database has no schema. An SQLite file never has one.
    public init(in folder: URL, isFresh: Bool = false) async throws {
        guard let server = Self.server else {
            text = "sqlite:" + folder.appending(path: Self.databaseName).path
            return
        }
        let name = Self.name(folder)
        // Copying files in memory takes half as long as logging the copied pages.
        let copied = isFresh ? "" : " TEMPLATE \(try await Self.template.value)"
        try await Self.psql("CREATE DATABASE \"\(name)\"\(copied) STRATEGY FILE_COPY")
        try Data().write(to: Self.marker(folder))
        text = Self.renamed(server, name)
    }

    /// The parsed address, with few connections, since many tests run at the same time.
    public var address: DatabaseAddress {
        get throws {
            guard case .postgres(var postgres) = try DatabaseAddress(text) else { return try DatabaseAddress(text) }
            postgres.connections = 6
            return .postgres(postgres)
        }
    }

    /// Drops the folder's database, if it is on a server.
    public static func remove(_ folder: URL) async throws {
        guard FileManager.default.fileExists(atPath: marker(folder).path) else { return }
        try await psql("DROP DATABASE \"\(name(folder))\" WITH (FORCE)")
    }

    private static func name(_ folder: URL) -> String { folder.lastPathComponent.lowercased() }

    private static func marker(_ folder: URL) -> URL { folder.appending(path: ".has-database") }

    private static func renamed(_ server: String, _ name: String) -> String {
        var components = URLComponents(string: server)
        components?.path = "/" + name
        return components?.string ?? server
    }

    /// A database with the schema, which the others are copied from.
    private static let template = Task {
        let name = "pouch_template_\(ProcessInfo.processInfo.processIdentifier)"
        try await psql("CREATE DATABASE \(name)")
        try await DatabaseAddress(renamed(server ?? "", name)).open().close()
        return name
    }

    private static func psql(_ sql: String) async throws {
        let result = try await Subprocess.run(
            .name("psql"), arguments: ["-Xq", "-d", server ?? "", "-c", sql], input: .none,
            output: .string(limit: 1 << 16), error: .string(limit: 1 << 16))
        guard result.terminationStatus.isSuccess else { throw Failure(text: result.standardError) }
    }

    private struct Failure: Error { let text: String }
}
