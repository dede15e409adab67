import Foundation
import PouchDomain
import PouchJSON

/// Ensures that all servers on one SQLite file have the same settings.
///
/// The first server writes its settings to a file next to the database. Each server holds a lock on that file, which
/// the system releases when the process ends in any way. Servers on PostgreSQL run on several machines and are not
/// compared.
///
///     let agreement = try await SettingsAgreement(at: "shop.sqlite", SettingsAgreement.Settings(configuration, shop))
final class SettingsAgreement: Sendable {
    /// The settings that must be equal, by their option.
    typealias Settings = [String: String]

    private let descriptor: CInt

    /// - Parameter alone: if no other server runs, runs before one can start.
    /// - Throws: `SettingsMismatch`; `POSIXError` if the file cannot be written.
    init(at database: String, _ settings: Settings, alone: () async throws -> Void = {}) async throws {
        descriptor = open(database + "-servers", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: false)
        if flock(descriptor, LOCK_EX | LOCK_NB) == 0 {
            try file.truncate(atOffset: 0)
            try file.write(contentsOf: try settings.json())
            try await alone()
        }
        // Another server may write its settings between the two locks, so they are always read.
        flock(descriptor, LOCK_SH)
        try file.seek(toOffset: 0)
        try Self.compare(settings, with: file)
    }

    /// Compares settings with those of running servers, and changes nothing.
    ///
    /// - Throws: `SettingsMismatch`.
    static func check(_ settings: Settings, at database: String) throws {
        guard let file = FileHandle(forReadingAtPath: database + "-servers") else { return }
        // The lock ends with the handle.
        guard flock(file.fileDescriptor, LOCK_EX | LOCK_NB) != 0 else { return }
        try compare(settings, with: file)
    }

    private static func compare(_ settings: Settings, with file: FileHandle) throws {
        let others = try Settings(json: try file.readToEnd() ?? Data())
        let different = Set(settings.keys).union(others.keys).filter { settings[$0] != others[$0] }.sorted()
        guard different.isEmpty else { throw SettingsMismatch(options: different) }
    }

    /// Also runs after a failed `init`.
    deinit {
        close(descriptor)
    }
}

/// Keeps servers from starting on an SQLite file, for a command that replaces it.
final class SoleUse: Sendable {
    private let descriptor: CInt

    /// - Returns: nil while a server runs on the file.
    init?(of database: String) {
        descriptor = open(database + "-servers", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0, flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { return nil }
    }

    /// Also runs after a failed `init`.
    deinit {
        close(descriptor)
    }
}

/// Another server on the same database has other values for these options.
public struct SettingsMismatch: Error {
    public let options: [String]
}

extension ServerConfiguration {
    /// The settings that all servers on one database must share.
    func shared(_ shop: ShopSettings) throws -> SettingsAgreement.Settings {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let own = ["--shop": try CryptoDigests().sha256(encoder.encode(shop)).base64URL]
        return parts.reduce(own) { $0.merging($1.sharedSettings) { $1 } }
    }
}
