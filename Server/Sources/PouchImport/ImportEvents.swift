import PouchDomain
import PouchEntities

extension CatalogImport {
    /// The import as administrators see it.
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
            errors: report.errors.map {
                RowError(line: $0.line, field: $0.field, code: $0.code.rawValue, detail: $0.detail)
            })
    }
}

extension EventLog {
    /// The event of an import that has ended. It counts the errors, but does not list them.
    func append(_ record: ImportRecord, in repositories: any Repositories) throws {
        try append(
            .importEnded, of: record.id, EventData(catalogImport: CatalogImport(record.report)), in: repositories)
    }
}
