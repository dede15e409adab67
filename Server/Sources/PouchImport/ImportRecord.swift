import Foundation
import PouchDomain
import PouchEntities
import PouchFeed
import PouchJSON

/// A stored import.
public struct ImportRecord: Sendable, Equatable {
    public let id: String
    public var phase = ImportPhase.receiving
    /// The progress within the phase: the last staged position, SKU or id; empty at its start.
    public var cursor = ""
    /// 0 until the comparison begins.
    public var revision: Int64 = 0
    /// The number of promotions found; nil while the feed has named none.
    public var promotions: Int?
    /// Whether customers will see a change.
    public var hasChanges = false
    /// Without its errors, which are stored separately.
    public var report: ImportReport

    mutating func enter(_ phase: ImportPhase) {
        self.phase = phase
        cursor = ""
    }
}

extension ImportRecord {
    public init(id: String, isDryRun: Bool) {
        self.init(id: id, report: ImportReport(id: id, status: isDryRun ? .dryRun : .published))
    }
}

extension ImportRecord: JSONModel {
    public static let json = JSONObject(
        ImportRecord.init, .field("id", \.id), .field("phase", \.phase), .field("cursor", \.cursor),
        .field("revision", \.revision), .field("promotions", \.promotions), .field("hasChanges", \.hasChanges),
        .field("report", \.report))
}

/// The phase of an import. Each runs in short transactions that record its progress, so that any process can continue
/// the import.
public enum ImportPhase: String, JSONCodable, Sendable {
    /// Reads the feed and stages its records; abandoned if the process dies.
    case receiving
    /// Compares the records with the catalogue and writes the differences as a hidden revision.
    case comparing
    /// Publishes the staged files.
    case filing
    /// Makes the revision visible, in one transaction.
    case publishing
    /// Sets the stock that differs.
    case stocking
    /// Deletes the rows that the revision replaced.
    case superseding
    /// Deletes the revision, after a dry run or a failure.
    case withdrawing
    /// Deletes the staged records and files.
    case tidying
    case ended
}

/// The result of an import, or of a dry run.
public struct ImportReport: Sendable, Equatable {
    public enum Status: String, JSONCodable, Sendable {
        case running
        case published
        case failed
        case dryRun
    }

    /// The largest number of stored errors, and of notes; all are counted.
    public static let errorLimit = 1_000

    public let id: String
    public var status: Status
    /// The number of rows of the feed, good and bad.
    public var rows = 0
    /// The number of new products.
    public var created = 0
    /// The number of products that differ from the catalogue.
    public var updated = 0
    /// The number of products that the feed names.
    public var products = 0
    /// The number of variants that the feed names, counted each time.
    public var variants = 0
    /// The number of all errors.
    public var failed = 0
    /// The number of all notes.
    public var noted = 0
    /// The errors in the order of the feed's lines. The notes have the same order.
    public var errors: [FeedRowError] = []
    public var notes: [FeedRowError] = []

    public var unchanged: Int { products - created - updated }

    /// Counts errors and notes.
    ///
    /// - Returns: the errors and notes to store, each with its place among the stored ones.
    mutating func count(_ reports: [FeedRowError]) -> [(place: Int, report: FeedRowError)] {
        var kept: [(place: Int, report: FeedRowError)] = []
        for report in reports {
            let (number, first) = report.isNote ? (noted, Self.errorLimit) : (failed, 0)
            if number < Self.errorLimit { kept.append((first + number, report)) }
            if report.isNote { noted += 1 } else { failed += 1 }
        }
        return kept
    }
}

extension ImportReport: JSONModel {
    /// Omits errors and notes, which are stored separately. Servers of earlier versions stored no number of notes.
    public static let json = JSONObject(
        { (id, status, rows, created, updated, products, variants, failed, noted: Int?, errors: [FeedRowError]) in
            ImportReport(
                id: id, status: status, rows: rows, created: created, updated: updated, products: products,
                variants: variants, failed: failed, noted: noted ?? 0, errors: errors)
        },
        .field("id", \.id), .field("status", \.status), .field("rows", \.rows), .field("created", \.created),
        .field("updated", \.updated), .field("products", \.products), .field("variants", \.variants),
        .field("failed", \.failed), .field("noted") { $0.noted == 0 ? nil : $0.noted }, .field("errors", \.errors))
}

/// The lease of the shop's only import that compares and publishes, and of the worker that runs it.
public struct ImportLease: Sendable, Equatable {
    /// nil when any import may start.
    public let importId: String?
    /// nil when another worker may continue.
    public let holder: String?
    /// The time after which a holder that has not renewed the lease counts as dead.
    public let expiresAt: Date

    public init(importId: String?, holder: String?, expiresAt: Date) {
        self.importId = importId
        self.holder = holder
        self.expiresAt = expiresAt
    }
}

/// An import failed for a reason other than its feed, and will be withdrawn.
public struct ImportFailed: Error {
    public let importId: String
    public let cause: any Error
}

/// Another worker has continued the import, because this one counted as dead.
struct ImportLost: Error {}

extension CatalogImport {
    /// Creates the import as administrators see it.
    public init(_ report: ImportReport) {
        let status: Status =
            switch report.status {
            case .running: .running
            case .published: .published
            case .failed: .failed
            case .dryRun: .dryRun
            }
        self.init(
            id: report.id, status: status, rows: report.rows, created: report.created, updated: report.updated,
            unchanged: report.unchanged, failed: report.failed,
            errors: report.errors.map(RowError.init), notes: report.notes.map(RowError.init))
    }
}

extension CatalogImport.RowError {
    fileprivate init(_ report: FeedRowError) {
        self.init(line: report.line, field: report.field, code: report.code.rawValue, detail: report.detail)
    }
}

extension EventLog {
    /// Appends the event of an import that has ended. It counts errors, but lists neither errors nor notes.
    func append(_ record: ImportRecord, in repositories: any Repositories) throws {
        try append(
            .importEnded, of: record.id, EventData(catalogImport: CatalogImport(record.report)), in: repositories)
    }
}
