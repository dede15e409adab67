import Foundation
import PouchDomain
import PouchVersion
import PouchWeb

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
