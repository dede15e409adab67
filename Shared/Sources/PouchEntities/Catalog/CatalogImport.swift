/// What became of a feed that was sent to be imported.
public struct CatalogImport: Codable, Sendable, Hashable, Identifiable {
    public enum Status: String, OpenEnum {
        /// Customers see nothing of it yet, or not yet all figures of stock.
        case running
        case published
        /// Nothing of it was taken over.
        case failed
        /// It was found out what would change, and nothing was changed.
        case dryRun
        case unrecognised
    }

    /// A row, or a part of one, that was left out.
    public struct RowError: Codable, Sendable, Hashable {
        /// The physical line in the feed, from 1; 0 for an error of the feed as a whole.
        public let line: Int
        /// nil when it is the row as a whole.
        public let field: String?
        public let code: String
        /// One sentence for people.
        public let detail: String

        public init(line: Int, field: String? = nil, code: String, detail: String) {
            self.line = line
            self.field = field
            self.code = code
            self.detail = detail
        }
    }

    public let id: String
    public let status: Status
    /// Rows of the feed, good and bad.
    public let rows: Int
    /// Products that are new; until the import has ended, those that were compared so far, as the next two.
    public let created: Int
    public let updated: Int
    public let unchanged: Int
    /// Errors in all.
    public let failed: Int
    /// At most the first 1,000, in the order of the feed's lines.
    public let errors: [RowError]

    public init(
        id: String,
        status: Status,
        rows: Int,
        created: Int,
        updated: Int,
        unchanged: Int,
        failed: Int,
        errors: [RowError]
    ) {
        self.id = id
        self.status = status
        self.rows = rows
        self.created = created
        self.updated = updated
        self.unchanged = unchanged
        self.failed = failed
        self.errors = errors
    }
}
