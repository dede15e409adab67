import PouchJSON

/// The progress and result of importing a feed.
public struct CatalogImport: JSONModel, Hashable, Identifiable {
    public enum Status: String, OpenEnum {
        /// Customers do not see the changes yet, or not all stock levels yet.
        case running
        case published
        /// Nothing was imported.
        case failed
        /// The changes were counted but not made.
        case dryRun
        case unrecognised
    }

    /// The reason why a row, or a part of it, was skipped or changed.
    public struct RowError: JSONModel, Hashable {
        /// The physical line in the feed, from 1; 0 for an error of the feed as a whole.
        public let line: Int
        /// The field; nil for an error of the whole row.
        public let field: String?
        public let code: String
        /// One sentence for the user.
        public let detail: String

        public init(line: Int, field: String? = nil, code: String, detail: String) {
            self.line = line
            self.field = field
            self.code = code
            self.detail = detail
        }

        public static let json = JSONObject(
            CatalogImport.RowError.init, .field("line", \.line), .field("field", \.field), .field("code", \.code),
            .field("detail", \.detail))
    }

    public let id: String
    public let status: Status
    /// All rows of the feed, valid or not.
    public let rows: Int
    /// The number of new products. While the import runs, this and the next two numbers count the products compared so
    /// far.
    public let created: Int
    public let updated: Int
    public let unchanged: Int
    /// The number of all errors.
    public let failed: Int
    /// The errors, at most the first 1,000, in the order of the feed's lines.
    public let errors: [RowError]
    /// Values that were imported differently from the feed, and columns that the shop does not use. At most the first
    /// 1,000, in the order of the feed's lines.
    public let notes: [RowError]

    public init(
        id: String, status: Status, rows: Int, created: Int, updated: Int, unchanged: Int, failed: Int,
        errors: [RowError], notes: [RowError] = []
    ) {
        self.id = id
        self.status = status
        self.rows = rows
        self.created = created
        self.updated = updated
        self.unchanged = unchanged
        self.failed = failed
        self.errors = errors
        self.notes = notes
    }

    /// Servers of earlier versions send no notes.
    public static let json = JSONObject(
        { (id, status, rows, created, updated, unchanged, failed, errors, notes: [RowError]?) in
            CatalogImport(
                id: id, status: status, rows: rows, created: created, updated: updated, unchanged: unchanged,
                failed: failed, errors: errors, notes: notes ?? [])
        },
        .field("id", \.id), .field("status", \.status), .field("rows", \.rows), .field("created", \.created),
        .field("updated", \.updated), .field("unchanged", \.unchanged), .field("failed", \.failed),
        .field("errors", \.errors), .field("notes") { $0.notes })
}

/// The formats of feeds; the raw values are used on the command line and on the wire.
public enum FeedFormat: String, Sendable, CaseIterable {
    /// One file: Shopify's product CSV.
    case shopifyCSV = "shopify-csv"
    /// `products.json` and optionally `seasons.json` and `slides.json`: a folder with the files, or one JSON object
    /// with their contents under `products`, `seasons` and `slides`.
    case layersJSON = "layers-json"
}
