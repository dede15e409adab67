import ArgumentParser
import Foundation
import PouchDomain
import PouchEntities
import PouchPostgres
import PouchServer
import PouchStorage

/// The options of every command that opens a database.
struct SharedOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The database: sqlite: and a path, or a PostgreSQL address.",
            discussion:
                "Default: a file in your data folder, \(DatabaseAddress.standard.dataFolder.appending(path: "pouch.sqlite").path).",
            valueName: "sqlite:path|postgres://user@host:port/name"))
    var database: String?

    @Option(
        help: ArgumentHelp(
            "A file whose first line is the PostgreSQL password. Default: PGPASSWORD, then ~/.pgpass.",
            valueName: "file"))
    var databasePasswordFile: String?

    @Option(
        help: ArgumentHelp("Maximum PostgreSQL connections of this process. Default: 10.", valueName: "n"))
    var databaseConnections: Int?

    @Option(
        help: ArgumentHelp(
            "The folder for files outside the database. Default: the SQLite file's folder, or your data folder.",
            valueName: "folder"))
    var data: String?

    @Option(help: ArgumentHelp("The currency of a new shop, an ISO 4217 code. Default: EUR.", valueName: "code"))
    var currency: String?

    @Option(
        help: ArgumentHelp(
            "A YAML file with the shop's taxes, shipping and more.",
            discussion: "“pouch-server settings” writes one with the standard settings.", valueName: "file"))
    var shop: String?

    @Option(
        help: ArgumentHelp("A JSON file with values for these options.", valueName: "file"))
    var config: String?

    func settings() async throws -> Settings { try await Settings(values, file: config) }

    /// - Throws: `ValidationError` for an invalid address, currency or settings file.
    func configuration(_ settings: Settings) throws -> ServerConfiguration {
        var configuration = ServerConfiguration(database: try databaseAddress(settings))
        if let folder = settings.text("data") { configuration.dataFolder = URL(fileURLWithPath: folder) }
        if let code = settings.text("currency") {
            guard let currency = Currency(code: code) else {
                throw ValidationError("Unknown currency “\(code)”. Use an ISO 4217 code such as EUR.")
            }
            configuration.currency = currency
        }
        if let path = settings.text("shop") {
            let shop = try shopSettings(path)
            guard configuration.currency == nil || configuration.currency == shop.currency else {
                throw ValidationError("--currency must be \(shop.currency.code), as in \(path). Change or omit it.")
            }
            configuration.shop = shop
        }
        return configuration
    }

    private func shopSettings(_ path: String) throws -> ShopSettings {
        let yaml: String
        do {
            yaml = try String(contentsOf: URL(fileURLWithPath: path), encoding: .utf8)
        } catch {
            throw ValidationError("Cannot read the settings file \(path). Check the path and its permissions.")
        }
        do {
            return try ShopSettings(yaml: yaml)
        } catch {
            throw ValidationError("\(path), \(error)")
        }
    }

    private func databaseAddress(_ settings: Settings) throws -> DatabaseAddress {
        do {
            let database = try settings.text("database").map { try DatabaseAddress($0) } ?? .standard
            let passwordFile = settings.text("databasePasswordFile")
            guard case .postgres(var address) = database else {
                guard passwordFile == nil else {
                    throw ValidationError("--database-password-file is for PostgreSQL; this database is SQLite.")
                }
                return database
            }
            address.passwordFile = passwordFile
            address.connections = try settings.integer("databaseConnections", in: 1...1_000) ?? address.connections
            return .postgres(address)
        } catch StorageError.passwordInAddress {
            throw ValidationError(
                """
                The database address must not contain a password, because others could read it. Use PGPASSWORD, \
                ~/.pgpass, or --database-password-file.
                """)
        } catch let error as StorageError {
            if case .libraryMissing = error, let failure = DatabaseFailure(error, of: .standard) {
                throw Failure(failure.description)
            }
            // The error omits the text, which may contain a password.
            throw ValidationError(
                "--database must be sqlite: and a path, or an address such as postgres://user@host:5432/name.")
        }
    }

    /// The options with which another command opens the same database, quoted for a shell, each after a space.
    /// They contain no secret: `configuration` refuses an address with a password.
    var databaseOptions: String {
        let given = [
            ("--config", config), ("--database", database), ("--database-password-file", databasePasswordFile),
        ]
        return given.map { name, value in value.map { " \(name) \(Self.quoted($0))" } ?? "" }.joined()
    }

    private static func quoted(_ text: String) -> String {
        let isPlain = text.wholeMatch(of: #/[A-Za-z0-9_.,:\/@%+=-]+/#) != nil
        return isPlain ? text : "'" + text.replacing("'", with: "'\\''") + "'"
    }

    /// Opens the database of a command that does not serve, and migrates its schema.
    ///
    /// - Parameter check: checks the arguments once the options are valid, before the database is opened or created.
    func open(
        _ new: NewDatabase, after check: () throws -> Void = {}
    ) async throws -> (database: any Database, store: ShopDatabase, environment: DomainEnvironment) {
        let configuration = try await configuration(settings())
        try check()
        let note = try new.check(configuration.database)
        let parts = try await opened(configuration.database) { try await configuration.open() }
        if let note { print(note) }
        return parts
    }
}

/// A command's behaviour where there is no SQLite database, for example at a mistyped path.
enum NewDatabase {
    /// Creates the database, because the command fills it.
    case made
    /// Creates the database only with --create.
    case onRequest(isRequested: Bool)
    case refused

    /// - Returns: a note for the user if the command creates a database unasked.
    @discardableResult
    func check(_ address: DatabaseAddress) throws -> String? {
        guard case .sqlite(let path) = address else { return nil }
        guard !isFolder(path) else { throw Failure("\(path) is a folder. Pass a file.") }
        var status = stat()
        let problem = stat(path, &status) == 0 ? 0 : errno
        guard problem != EACCES else {
            throw Failure("Cannot read the folder of \(path). Check its permissions.")
        }
        // Opening the database reports a log without its database.
        guard problem != 0, !FileManager.default.fileExists(atPath: path + "-wal") else { return nil }
        switch self {
        case .made: return "Created a new database at \(path)."
        case .onRequest(isRequested: true): return nil
        case .onRequest(isRequested: false):
            throw Failure("There is no database at \(path). Check the path, or create a new shop with --create.")
        case .refused: throw Failure("There is no database at \(path). Check the path.")
        }
    }
}

/// The option of commands that create a new shop on request.
struct NewDatabaseOption: ParsableArguments {
    @Flag(help: "Create the SQLite database if it does not exist.")
    var create = false
}
