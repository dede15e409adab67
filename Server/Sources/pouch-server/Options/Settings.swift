import ArgumentParser
import Configuration
import Foundation
import SystemPackage

/// The values of a command: those of its options, then those of the environment, then those of a file.
struct Settings {
    private let reader: ConfigReader

    /// - Parameter options: the values that stand on the command line.
    /// - Throws: `ValidationError` when the file cannot be read.
    init(_ options: [String: ConfigValue], file: String?) async throws {
        let environment = EnvironmentVariablesProvider()
        var providers: [any ConfigProvider] = [
            InMemoryProvider(
                name: "command line",
                values: Dictionary(uniqueKeysWithValues: options.map { (AbsoluteConfigKey([$0.key]), $0.value) })),
            environment.prefixKeys(with: "pouch"),
        ]
        let path = file ?? ProcessInfo.processInfo.environment["POUCH_CONFIG"]
        if let path {
            do {
                providers.append(try await FileProvider<JSONSnapshot>(filePath: .init(path)))
            } catch {
                throw ValidationError("The configuration file \(path) cannot be read as JSON: \(error)")
            }
        }
        reader = ConfigReader(providers: providers)
    }

    func text(_ key: String) -> String? {
        reader.string(forKey: ConfigKey(key)).flatMap { $0.isEmpty ? nil : $0 }
    }

    /// - Throws: `ValidationError` when the value is no whole number.
    func integer(_ key: String) throws -> Int? {
        if let value = reader.int(forKey: ConfigKey(key)) { return value }
        guard let text = text(key) else { return nil }
        throw ValidationError("\(key) must be a whole number, and is “\(text)”.")
    }

    /// - Throws: `ValidationError` when the value is no number.
    func number(_ key: String) throws -> Double? {
        if let value = reader.double(forKey: ConfigKey(key)) { return value }
        if let whole = reader.int(forKey: ConfigKey(key)) { return Double(whole) }
        guard let text = text(key) else { return nil }
        throw ValidationError("\(key) must be a number, and is “\(text)”.")
    }

    /// - Throws: `ValidationError` when the value is neither true nor false.
    func flag(_ key: String) throws -> Bool? {
        if let value = reader.bool(forKey: ConfigKey(key)) { return value }
        guard let text = text(key) else { return nil }
        throw ValidationError("\(key) must be true or false, and is “\(text)”.")
    }
}
