import Foundation
import PouchDomain
import PouchVersion
import PouchWeb

/// The result of a check, with advice.
public struct Finding: Sendable, Equatable, Encodable {
    public enum Level: String, Sendable, Encodable, CaseIterable {
        case ok
        /// The server runs, but something will fail or is less safe than it could be.
        case warning
        /// The server does not start, or loses data.
        case problem
    }

    public let level: Level
    /// At most two sentences: the finding, and for a warning or a problem the fix.
    public let text: String

    static func ok(_ text: String) -> Finding { Finding(level: .ok, text: text) }
    static func warning(_ text: String) -> Finding { Finding(level: .warning, text: text) }
    static func problem(_ text: String) -> Finding { Finding(level: .problem, text: text) }
}

/// A check of one part of a server. A check changes nothing.
///
///     for check in configuration.healthChecks() {
///         for finding in await check.findings() { print(check.subject, finding.text) }
///     }
public struct HealthCheck: Sendable {
    /// The subject of the check whether the server can listen.
    static let address = "address"

    /// A word, such as “database”.
    public let subject: String
    /// Runs the check.
    public let findings: @Sendable () async -> [Finding]

    public init(_ subject: String, _ findings: @escaping @Sendable () async -> [Finding]) {
        self.subject = subject
        self.findings = findings
    }
}

extension ServerConfiguration {
    /// The checks of a server with this configuration, whether or not it is running. A new part of the server adds its
    /// check here.
    ///
    /// - Parameter name: the host name that clients use for the server; nil to skip its check.
    public func healthChecks(name: String? = nil) -> [HealthCheck] {
        let database = DatabaseCheck(configuration: self)
        let machine = MachineCheck(configuration: self)
        let network = NetworkCheck(configuration: self, name: name)
        return [
            HealthCheck("database", database.findings),
            HealthCheck("clock", machine.clock),
            HealthCheck("disk", machine.disk),
            HealthCheck("files", machine.files),
            HealthCheck("limits", machine.limits),
            HealthCheck("certificate", network.certificate),
            HealthCheck("payments", network.payments),
            HealthCheck("mail", network.mail),
            HealthCheck(HealthCheck.address, network.address),
        ]
    }

    /// The SQLite file; nil for PostgreSQL.
    var databasePath: String? {
        if case .sqlite(let path) = database { path } else { nil }
    }
}

extension ServerConfiguration {
    /// The report for the administration of a server that has started with this configuration.
    var report: ServerReport {
        // This server itself uses the address.
        let checks = healthChecks().filter { $0.subject != HealthCheck.address }
        return ServerReport(
            version: String(cString: pouch_version()), database: databasePath == nil ? "PostgreSQL" : "SQLite",
            startedAt: time.now
        ) {
            var findings: [ServerReport.Finding] = []
            for check in checks {
                findings += await check.findings().map { finding in
                    .init(subject: check.subject, level: .init(finding.level), text: finding.text)
                }
            }
            return findings
        }
    }
}

extension ServerReport.Finding.Level {
    fileprivate init(_ level: Finding.Level) {
        self =
            switch level {
            case .ok: .ok
            case .warning: .warning
            case .problem: .problem
            }
    }
}
