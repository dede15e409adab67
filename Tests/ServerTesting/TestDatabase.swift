import Foundation
import PouchPostgres
import PouchServer
import PouchStorage
import Subprocess
import SystemPackage

/// A separate database for one test: on the throw-away PostgreSQL server in POUCH_TEST_POSTGRES, otherwise in an SQLite
/// file.
public struct TestDatabase: Sendable {
    /// The address, as a command-line argument.
    public let text: String

    public static let isPostgres = server != nil

    private static let server = ProcessInfo.processInfo.environment["POUCH_TEST_POSTGRES"].map(DatabaseServer.init)

    /// Creates the database for the folder of a test.
    ///
    /// - Parameter isFresh: whether the database has no schema.
    public init(in folder: URL, isFresh: Bool = false) async throws {
        if let server = Self.server {
            let name = try await server.database(hasSchema: !isFresh)
            try Data(name.utf8).write(to: Self.marker(folder))
            text = server.address(of: name)
        } else {
            let file = folder.appending(path: "pouch.sqlite")
            if !isFresh { try await Self.fileWithSchema.value.write(to: file) }
            text = "sqlite:" + file.path
        }
    }

    /// The parsed address, with few connections and long time limits, since many tests run at the same time.
    public var address: DatabaseAddress {
        get throws {
            guard case .postgres(var postgres) = try DatabaseAddress(text) else { return try DatabaseAddress(text) }
            postgres.connections = 6
            (postgres.lockTime, postgres.waitingTime) = (.seconds(30), .seconds(30))
            return .postgres(postgres)
        }
    }

    /// Drops the folder's database if it is on a server. Databases with a schema may be dropped later, several at once.
    public static func remove(_ folder: URL) async throws {
        guard let server, let name = try? Data(contentsOf: marker(folder)) else { return }
        try await server.drop(String(decoding: name, as: UTF8.self))
    }

    /// The file that keeps the name of the folder's database on the server.
    private static func marker(_ folder: URL) -> URL { folder.appending(path: ".database") }

    /// A test's file starts as a copy, because the migrations take a third of a short test.
    private static let fileWithSchema = Task {
        let folder = FileManager.default.temporaryDirectory.appending(path: "pouch-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "schema.sqlite")
        try await DatabaseAddress("sqlite:" + file.path).open().close()
        return try Data(contentsOf: file)
    }
}

extension DatabaseAddress {
    /// Reads on a connection of its own.
    public func read<Value: Sendable>(_ body: @escaping SQLTransaction<Value>) async throws -> Value {
        let database = try connect()
        return try await withCleanup(database.close) { try await database.read(body) }
    }

    /// Writes on a connection of its own.
    public func write<Value: Sendable>(_ body: @escaping SQLTransaction<Value>) async throws -> Value {
        let database = try connect()
        return try await withCleanup(database.close) { try await database.write(body) }
    }
}

/// Creates and drops databases on a PostgreSQL server, several with each run of `psql`, since starting it takes longer
/// than creating a database.
private actor DatabaseServer {
    private static let batch = 8

    private let administration: String
    private let prefix = "pouch_\(ProcessInfo.processInfo.processIdentifier)_"
    private var count = 0
    /// The database with the schema from which the others are copied.
    private var template: String?
    private var filling: Task<Void, any Error>?
    /// Databases with the schema that no test uses yet.
    private var ready: [String] = []
    /// Databases that tests no longer use. Those that remain at the end are deleted with the server.
    private var used: [String] = []
    /// Databases that were created without a schema. Benchmarks use them, so they are dropped immediately.
    private var fresh: Set<String> = []

    /// - Parameter administration: the address of the database in which others are created.
    init(administration: String) {
        self.administration = administration
    }

    nonisolated func address(of name: String) -> String {
        var components = URLComponents(string: administration)
        components?.path = "/" + name
        return components?.string ?? administration
    }

    /// - Returns: the name of a new database.
    func database(hasSchema: Bool) async throws -> String {
        guard hasSchema else {
            let name = newName()
            try await run(["CREATE DATABASE \(name)"])
            fresh.insert(name)
            return name
        }
        while true {
            if let name = ready.popLast() { return name }
            let filling = filling ?? Task { try await fill() }
            self.filling = filling
            try await filling.value
        }
    }

    func drop(_ name: String) async throws {
        used.append(name)
        guard fresh.remove(name) != nil || used.count >= Self.batch else { return }
        let names = used
        used = []
        // Not cancelled with a test that times out, since most of the databases belonged to other tests.
        try await Task { try await run(names.map { "DROP DATABASE \($0) WITH (FORCE)" }) }.value
    }

    /// Creates databases for all waiting tests. A cancelled test does not cancel this.
    private func fill() async throws {
        defer { filling = nil }
        let template = if let template { template } else { try await databaseWithSchema() }
        self.template = template
        let names = (0..<Self.batch).map { _ in newName() }
        // Copying files in memory takes half as long as logging the copied pages.
        try await run(names.map { "CREATE DATABASE \($0) TEMPLATE \(template) STRATEGY FILE_COPY" })
        ready += names
    }

    private func newName() -> String {
        count += 1
        return prefix + String(count)
    }

    private func databaseWithSchema() async throws -> String {
        let name = newName()
        try await run(["CREATE DATABASE \(name)"])
        try await DatabaseAddress(address(of: name)).open().close()
        return name
    }

    /// Runs each statement in a transaction of its own.
    private func run(_ statements: [String]) async throws {
        let arguments = ["-Xq", "-v", "ON_ERROR_STOP=1", "-d", administration] + statements.flatMap { ["-c", $0] }
        let result = try await Subprocess.run(
            .name("psql"), arguments: .init(arguments), input: .none, output: .string(limit: 1 << 16),
            error: .string(limit: 1 << 16))
        guard result.terminationStatus.isSuccess else { throw Failure(text: result.standardError) }
    }

    private struct Failure: Error { let text: String }
}
