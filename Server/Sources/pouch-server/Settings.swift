import ArgumentParser
import Configuration
import Foundation
import SystemPackage

/// The settings of a command: from its options, then the environment, then a configuration file. Everything here throws
/// `ValidationError`.
struct Settings {
    /// All settings that a file or the environment can contain. Most are options in camel case.
    static let keys: Set<String> = [
        "accessLog", "allowOrigin", "allowPrivateWebhooks", "auditDays", "citySpeed", "client", "connections", "create",
        "currency", "data", "database", "databaseConnections", "databasePasswordFile", "declinedPayments", "host",
        "kangaroos", "keyFile",
        "ledger", "logFormat", "logLevel", "mail", "mailFrom", "mailPassword", "mailPasswordFile", "mailReplyTo",
        "mailTemplates", "mailTrust", "metricsHost", "metricsPort", "newSessions", "noMigrate", "noPages", "noRides",
        "otlp", "payments", "paymentsKey", "paymentsKeyFile", "plainHTTP", "port", "publicURL", "rateLimit", "shop",
        "shopAddress", "shopName", "styleguide", "theme", "tlsCertificate", "tlsKey", "traceSampling", "trustedProxies",
    ]

    /// The environment variable of a setting, such as POUCH_LOG_LEVEL for logLevel.
    static func variable(_ key: String) -> String {
        var name = "POUCH_"
        var isAfterSmall = false
        for character in key {
            if isAfterSmall, character.isUppercase { name += "_" }
            name += character.uppercased()
            isAfterSmall = character.isLowercase
        }
        return name
    }

    private let reader: ConfigReader

    /// - Parameter options: the values from the command line.
    init(_ options: [String: ConfigValue], file: String?) async throws {
        let environment = EnvironmentVariablesProvider()
        var providers: [any ConfigProvider] = [
            InMemoryProvider(
                name: "command line",
                values: Dictionary(uniqueKeysWithValues: options.map { (AbsoluteConfigKey([$0.key]), $0.value) })),
            environment.prefixKeys(with: "pouch"),
        ]
        var unknown: [String] = []
        let path = file ?? ProcessInfo.processInfo.environment["POUCH_CONFIG"]
        if let path {
            guard !isFolder(path) else { throw ValidationError("\(path) is a folder. Pass a JSON file.") }
            guard FileManager.default.isReadableFile(atPath: path) else {
                throw ValidationError(
                    "Cannot read the configuration file \(path). Check the path and its permissions.")
            }
            do {
                providers.append(try await FileProvider<JSONSnapshot>(filePath: .init(path)))
                let object = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: path)))
                unknown = (object as? [String: Any]).map { Set($0.keys).subtracting(Self.keys).sorted() } ?? []
            } catch {
                let detail = (error as NSError).userInfo[NSDebugDescriptionErrorKey] as? String
                throw ValidationError(
                    "The configuration file \(path) must be a JSON object such as {\"port\": 8080}."
                        + (detail.map { " The parser reports: \($0)" } ?? ""))
            }
        }
        if let path, let key = unknown.first {
            throw ValidationError(
                """
                The configuration file \(path) has an unknown key “\(String(key.prefix(80)).printable)”. Keys are the \
                options in camel case, such as logLevel for --log-level and publicURL for --public-url; see \
                “pouch-server serve --help”.
                """)
        }
        reader = ConfigReader(providers: providers)
    }

    // MARK: Values

    func text(_ key: String) -> String? {
        reader.string(forKey: known(key)).flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The parts of a text that are separated by commas.
    func list(_ key: String) -> [String] {
        (text(key) ?? "").split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    }

    func integer(_ key: String) throws -> Int? {
        try reader.int(forKey: known(key)) ?? refuse(key, expected: "a whole number")
    }

    /// - Throws: `ValidationError` for a number outside the range.
    func integer(_ key: String, in range: ClosedRange<Int>) throws -> Int? {
        let number = try integer(key)
        if let found = number, !range.contains(found) {
            let option = "--" + Self.variable(key).dropFirst("POUCH_".count).lowercased().replacing("_", with: "-")
            throw ValidationError("\(option) must be from \(range.lowerBound) to \(range.upperBound).")
        }
        return number
    }

    func number(_ key: String) throws -> Double? {
        if let value = reader.double(forKey: known(key)) { return value }
        if let whole = reader.int(forKey: known(key)) { return Double(whole) }
        return try refuse(key, expected: "a number")
    }

    func flag(_ key: String) throws -> Bool? {
        try reader.bool(forKey: known(key)) ?? refuse(key, expected: "true or false")
    }

    private func known(_ key: String) -> ConfigKey {
        assert(Self.keys.contains(key), "Settings.keys lacks \(key), so files cannot set it.")
        return ConfigKey(key)
    }

    /// - Returns: nil if the setting is missing.
    private func refuse<Value>(_ key: String, expected: String) throws -> Value? {
        guard let text = text(key) else { return nil }
        throw ValidationError("Invalid \(key): expected \(expected), got “\(text)”.")
    }

    // MARK: Settings of commands that serve

    func port(_ key: String = "port") throws -> Int? {
        let port = try integer(key)
        if let port, !(0...65_535).contains(port) {
            throw ValidationError("Invalid \(key): expected 0 to 65535, got \(port).")
        }
        return port
    }

    /// The content of the file that the setting names, without surrounding white space.
    func secret(inFileOf key: String) throws -> String? {
        guard let path = text(key) else { return nil }
        guard let data = FileManager.default.contents(atPath: path) else {
            throw ValidationError("Cannot read the file \(path). Check the path and its permissions.")
        }
        let secret = String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        guard !secret.isEmpty else { throw ValidationError("The file \(path) is empty. Put the secret in it.") }
        return secret
    }
}

/// Whether there is a folder at the path.
func isFolder(_ path: String) -> Bool {
    var isFolder = ObjCBool(false)
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
}

extension ParsableArguments {
    /// The values of the options that the command line has, with those of groups, by the names of their properties,
    /// which are the keys of `Settings`.
    var values: [String: ConfigValue] {
        Mirror(reflecting: self).children.reduce(into: [:]) { values, property in
            // A property wrapper is stored under the property's name after an underscore.
            guard let name = property.label?.dropFirst() else { return }
            if let group = property.value as? any GroupWithValues { values.merge(group.values) { own, _ in own } }
            let content: ConfigContent? =
                switch property.value {
                case let option as Option<String?>: option.wrappedValue.map(ConfigContent.string)
                case let option as Option<Int?>: option.wrappedValue.map(ConfigContent.int)
                case let option as Option<Double?>: option.wrappedValue.map(ConfigContent.double)
                case let flag as Flag<Bool>: flag.wrappedValue ? .bool(true) : nil
                default: nil
                }
            if let content { values[String(name)] = ConfigValue(content, isSecret: false) }
        }
    }
}

private protocol GroupWithValues {
    var values: [String: ConfigValue] { get }
}

extension OptionGroup: GroupWithValues {
    fileprivate var values: [String: ConfigValue] { wrappedValue.values }
}
