import PouchDomain
import PouchEntities

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
