import Foundation
import PouchDomain
import PouchHTTP
import PouchTemplates

/// The result of a check of one part of the server, with advice.
public struct Finding: Sendable, Equatable, Encodable {
    public enum Level: String, Sendable, Encodable {
        case ok
        /// The server runs, but something will fail or is less safe than it could be.
        case warning
        /// The server does not start, or loses data.
        case problem
    }

    /// The part that was checked, such as “database”.
    public let subject: String
    public let level: Level
    /// At most two sentences: the finding, and for a warning or a problem the fix.
    public let text: String

    // A finding of one part, which `about` names afterwards.
    public static func ok(_ text: String) -> Finding { Finding(subject: "", level: .ok, text: text) }
    public static func warning(_ text: String) -> Finding { Finding(subject: "", level: .warning, text: text) }
    public static func problem(_ text: String) -> Finding { Finding(subject: "", level: .problem, text: text) }

    /// The finding with the name of the part that was checked.
    public func about(_ subject: String) -> Finding { Finding(subject: subject, level: level, text: text) }
}

/// A running server's report about itself, without secrets. The server with the pages provides it.
public struct ServerReport: Sendable {
    public let version: String
    /// The kind of the database, for people.
    public let database: String
    public let startedAt: Date
    /// Runs all checks, which can take seconds.
    public let check: @Sendable () async -> [Finding]

    public init(version: String, database: String, startedAt: Date, check: @escaping @Sendable () async -> [Finding]) {
        self.version = version
        self.database = database
        self.startedAt = startedAt
        self.check = check
    }
}

/// Runs the checks once for simultaneous requests, and caches the result briefly: they read the whole database.
actor HealthChecks {
    /// The seconds for which a result is cached.
    private static let lifetime: TimeInterval = 10

    typealias Outcome = (at: Date, findings: [Finding])

    private var running: Task<[Finding], Never>?
    private var last: Outcome?

    func outcome(of report: ServerReport, at now: Date) async -> Outcome {
        if let last, abs(now.timeIntervalSince(last.at)) < Self.lifetime { return last }
        let task = running ?? Task { await report.check() }
        running = task
        let outcome = (at: now, findings: await task.value)
        running = nil
        last = outcome
        return outcome
    }
}

struct HealthValues: PageModel {
    struct Finding: TemplateValues {
        let subject: String
        let status: StatusValues
        let text: String
    }

    let isGood, isWarn, isBad: Bool
    let summary, checkedText: String
    let findings: [Finding]
    let facts: [FactValues]
}

/// The page with the server's health checks.
struct HealthPage {
    let admin: AdminVisit
    let checks: HealthChecks

    func content() async throws -> PageContent {
        let site = admin.site
        let catalog = try await site.services.catalog.current()
        var facts = [("Catalogue", "version \(catalog.version)")]
        var (verdict, checkedText) = (StatusTone.warn.status("No health report is available."), "")
        var findings: [Finding] = []
        if let report = site.settings.report {
            facts =
                [
                    ("Version", report.version), ("Database", report.database),
                    ("Running since", admin.time(report.startedAt)),
                ] + facts
            let outcome = await checks.outcome(of: report, at: site.now)
            findings = outcome.findings
            verdict = Self.verdict(findings)
            checkedText = "Checked on \(admin.exactTime(outcome.at))."
        }
        let values = HealthValues(
            isGood: verdict.isGood, isWarn: verdict.isWarn, isBad: verdict.isBad, summary: verdict.text,
            checkedText: checkedText, findings: findings.map(Self.row),
            facts: facts.map { FactValues(label: $0, value: $1) })
        return PageContent(values, title: "Health")
    }

    private static func verdict(_ findings: [Finding]) -> StatusValues {
        func count(_ level: Finding.Level, _ noun: String) -> String? {
            let count = findings.count { $0.level == level }
            return count == 0 ? nil : count == 1 ? "1 \(noun)" : "\(count) \(noun)s"
        }
        let (problems, warnings) = (count(.problem, "error"), count(.warning, "warning"))
        let parts = [problems, warnings].compactMap(\.self)
        let tone: StatusTone = problems != nil ? .bad : warnings != nil ? .warn : .good
        return tone.status(parts.isEmpty ? "All checks passed." : parts.joined(separator: ", ") + ".")
    }

    private static func row(_ finding: Finding) -> HealthValues.Finding {
        let status =
            switch finding.level {
            case .ok: StatusTone.good.status("OK")
            case .warning: StatusTone.warn.status("Warning")
            case .problem: StatusTone.bad.status("Error")
            }
        let subject = finding.subject.prefix(1).uppercased() + finding.subject.dropFirst()
        return HealthValues.Finding(subject: subject, status: status, text: finding.text)
    }
}
