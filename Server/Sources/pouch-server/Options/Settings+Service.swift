import ArgumentParser
import Foundation
import Logging

/// What the commands have in common that serve.
extension Settings {
    /// - Throws: `ValidationError` when there can be no such port.
    func port(_ standard: Int) throws -> Int {
        let port = try integer("port") ?? standard
        guard (0...65_535).contains(port) else { throw ValidationError("The port must be from 0 to 65535.") }
        return port
    }

    /// Writes to standard error, so that standard output stays free for what people and scripts are told.
    ///
    /// - Throws: `ValidationError` for a level that does not exist.
    func logger() throws -> Logger {
        let name = text("logLevel") ?? "info"
        guard let level = Logger.Level(rawValue: name) else {
            throw ValidationError("“\(name)” is not a log level, as info is.")
        }
        var logger = Logger(label: "pouch", factory: { StreamLogHandler.standardError(label: $0) })
        logger.logLevel = level
        return logger
    }

    /// The secret in the file that the setting names: its text without white space around it.
    ///
    /// - Throws: `ValidationError` when the file cannot be read, or has none.
    func secret(inFileOf key: String) throws -> String? {
        guard let path = text(key) else { return nil }
        guard let data = FileManager.default.contents(atPath: path) else {
            throw ValidationError("The file \(path) cannot be read.")
        }
        let secret = String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        guard !secret.isEmpty else { throw ValidationError("The file \(path) is empty.") }
        return secret
    }
}
