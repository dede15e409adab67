import ArgumentParser
import Configuration
import Foundation
import PouchDomain
import PouchEntities
import PouchPostgres
import PouchServer
import PouchStorage

/// What every command takes.
struct SharedOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Where the data is kept: sqlite: and a path, or the address of a PostgreSQL database.",
            discussion:
                "Default: a file in your data folder, \(DatabaseAddress.standard.dataFolder.appending(path: "pouch.sqlite").path).",
            valueName: "sqlite:path|postgres://user@host:port/name"))
    var database: String?

    @Option(
        help: ArgumentHelp(
            "A file whose first line is the password for PostgreSQL. Default: PGPASSWORD, then ~/.pgpass.",
            valueName: "file"))
    var databasePasswordFile: String?

    @Option(
        help: ArgumentHelp("The most connections to PostgreSQL that this process opens. Default: 10.", valueName: "n"))
    var databaseConnections: Int?

    @Option(
        help: ArgumentHelp(
            "The folder of what is not in the database. Default: that of the SQLite file, else your data folder.",
            valueName: "folder"))
    var data: String?

    @Option(help: ArgumentHelp("The currency of a new shop, a code of ISO 4217. Default: EUR.", valueName: "code"))
    var currency: String?

    @Option(
        help: ArgumentHelp(
            "A YAML file with the shop's taxes, shipping and more.",
            discussion: "pouch-server settings writes one with the standard settings.", valueName: "file"))
    var shop: String?

    @Option(help: ArgumentHelp("A JSON file with options.", valueName: "file"))
    var config: String?

    func settings(_ more: [String: ConfigValue?] = [:]) async throws -> Settings {
        var values = more.compactMapValues { $0 }
        values["database"] = database.map(ConfigValue.text)
        values["databasePasswordFile"] = databasePasswordFile.map(ConfigValue.text)
        values["databaseConnections"] = databaseConnections.map(ConfigValue.integer)
        values["data"] = data.map(ConfigValue.text)
        values["currency"] = currency.map(ConfigValue.text)
        values["shop"] = shop.map(ConfigValue.text)
        return try await Settings(values, file: config)
    }

    /// - Throws: `ValidationError` for an address or a currency that does not exist, and a settings file that is wrong.
    func configuration(_ settings: Settings) throws -> ServerConfiguration {
        var configuration = ServerConfiguration(database: try databaseAddress(settings))
        if let folder = settings.text("data") { configuration.dataFolder = URL(fileURLWithPath: folder) }
        if let code = settings.text("currency") {
            guard let currency = Currency(code: code) else {
                throw ValidationError("“\(code)” is not a currency of ISO 4217, as EUR is.")
            }
            configuration.currency = currency
        }
        if let path = settings.text("shop") {
            let shop = try shopSettings(path)
            guard configuration.currency == nil || configuration.currency == shop.currency else {
                throw ValidationError("--currency must be \(shop.currency.code), as in \(path), or left out.")
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
            throw ValidationError("The settings file \(path) cannot be read.")
        }
        do {
            return try ShopSettings(yaml: yaml)
        } catch {
            throw ValidationError("\(path), \(error)")
        }
    }

    private func databaseAddress(_ settings: Settings) throws -> DatabaseAddress {
        guard let text = settings.text("database") else { return .standard }
        do {
            guard case .postgres(var address) = try DatabaseAddress(text) else { return try DatabaseAddress(text) }
            address.passwordFile = settings.text("databasePasswordFile")
            if let connections = try settings.integer("databaseConnections") {
                guard connections > 0 else { throw ValidationError("--database-connections must be 1 or more.") }
                address.connections = connections
            }
            return .postgres(address)
        } catch StorageError.passwordInAddress {
            throw ValidationError(
                """
                The address of the database must not hold the password, which others could read. Give it in PGPASSWORD, \
                in ~/.pgpass, or in a file named by --database-password-file.
                """)
        } catch is StorageError {
            // The text is not repeated: it may hold a password all the same.
            throw ValidationError(
                "--database must be sqlite: and a path, or an address as postgres://user@host:5432/name.")
        }
    }

    /// The database of a command that does not serve, with its schema up to date.
    func open() async throws -> (database: any Database, environment: DomainEnvironment) {
        let configuration = try await configuration(settings())
        return try await opened { try await configuration.open() }
    }
}

extension ConfigValue {
    static func text(_ text: String) -> ConfigValue { ConfigValue(.string(text), isSecret: false) }
    static func integer(_ integer: Int) -> ConfigValue { ConfigValue(.int(integer), isSecret: false) }
    static func number(_ number: Double) -> ConfigValue { ConfigValue(.double(number), isSecret: false) }
    static func flag(_ flag: Bool) -> ConfigValue { ConfigValue(.bool(flag), isSecret: false) }
}
