import ArgumentParser
import Configuration
import Foundation
import PouchDomain
import PouchEntities
import PouchServer
import PouchStorage

/// What every command takes.
struct SharedOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Where the data is kept: sqlite: and a path.",
            discussion: "Default: a file in your data folder, \(DatabaseAddress.standard.path).",
            valueName: "sqlite:path"))
    var database: String?

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
        values["currency"] = currency.map(ConfigValue.text)
        values["shop"] = shop.map(ConfigValue.text)
        return try await Settings(values, file: config)
    }

    /// - Throws: `ValidationError` for an address or a currency that does not exist, and a settings file that is wrong.
    func configuration(_ settings: Settings) throws -> ServerConfiguration {
        let address: DatabaseAddress
        do {
            address = try settings.text("database").map { try DatabaseAddress($0) } ?? .standard
        } catch {
            throw ValidationError(
                "“\(settings.text("database") ?? "")” is not a database that this server knows. Write sqlite: and a path."
            )
        }
        var configuration = ServerConfiguration(database: address)
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

    /// The database of a command that does not serve, with its schema up to date.
    func open() async throws -> (database: SQLiteDatabase, environment: DomainEnvironment) {
        let configuration = try await configuration(settings())
        return try await opened { try await configuration.open() }
    }
}

extension ConfigValue {
    static func text(_ text: String) -> ConfigValue { ConfigValue(.string(text), isSecret: false) }
    static func integer(_ integer: Int) -> ConfigValue { ConfigValue(.int(integer), isSecret: false) }
    static func flag(_ flag: Bool) -> ConfigValue { ConfigValue(.bool(flag), isSecret: false) }
}
