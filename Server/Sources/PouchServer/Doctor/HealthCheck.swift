import Foundation
import PouchDomain
import PouchVersion
import PouchWeb

/// A check of one part of a server. A check changes nothing.
///
///     for check in configuration.healthChecks() {
///         for finding in await check.findings() { print(finding.subject, finding.text) }
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
        self.findings = { await findings().map { $0.about(subject) } }
    }
}

/// The result of a check with one finding.
extension [Finding] {
    static func ok(_ text: String) -> [Finding] { [Finding.ok(text)] }
    static func warning(_ text: String) -> [Finding] { [Finding.warning(text)] }
    static func problem(_ text: String) -> [Finding] { [Finding.problem(text)] }
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
            var findings: [Finding] = []
            for check in checks { findings += await check.findings() }
            return findings
        }
    }
}
