import CLibpq
import Foundation
import PouchStorage

/// Where a PostgreSQL database is, as in `postgres://pouch@db.example.com:5432/shop?sslmode=verify-full`, and how it is
/// used.
///
/// What the address leaves out comes from libpq's environment variables (PGHOST, PGUSER, PGSSLROOTCERT, ...).
public struct PostgresAddress: Sendable, Equatable {
    /// Free of passwords, so it may be logged.
    public let text: String
    /// A file whose first line is the password; without one, PGPASSWORD and the password file of libpq count.
    public var passwordFile: String?
    /// The most connections of this process.
    public var connections = 10
    /// The most transactions that wait for a connection.
    public var waitingBound = 2_000
    /// The longest that one waits for a connection.
    public var waitingTime = Duration.seconds(10)

    /// - Throws: `StorageError.passwordInAddress`, `.unsupportedAddress`.
    public init(_ text: String) throws(StorageError) {
        guard Self.isOne(text), let options = PQconninfoParse(text, nil) else {
            throw .unsupportedAddress
        }
        defer { PQconninfoFree(options) }
        var option = options
        while let keyword = option.pointee.keyword {
            if option.pointee.val != nil, ["password", "sslpassword"].contains(String(cString: keyword)) {
                throw .passwordInAddress
            }
            option += 1
        }
        self.text = text
    }

    /// Whether the text means to be an address of PostgreSQL.
    public static func isOne(_ text: String) -> Bool {
        text.hasPrefix("postgres://") || text.hasPrefix("postgresql://")
    }

    /// What libpq is told, in the order in which a later one counts more.
    ///
    /// - Throws: `CocoaError` when the password's file cannot be read.
    func parameters() throws -> [(keyword: String, value: String)] {
        var parameters = [
            // A peer that is gone without a word is noticed within about 30 s, also with data under way.
            ("keepalives_idle", "15"), ("keepalives_interval", "5"), ("keepalives_count", "3"),
            ("tcp_user_timeout", "30000"), ("fallback_application_name", "pouch"),
        ]
        if ProcessInfo.processInfo.environment["PGCONNECT_TIMEOUT"] == nil {
            parameters.append(("connect_timeout", "5"))
        }
        parameters.append(("dbname", text))
        if let passwordFile {
            let lines = try String(contentsOf: URL(fileURLWithPath: passwordFile), encoding: .utf8)
                .split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
            parameters.append(("password", String(lines[0])))
        }
        parameters.append(("client_encoding", "UTF8"))
        return parameters
    }
}
