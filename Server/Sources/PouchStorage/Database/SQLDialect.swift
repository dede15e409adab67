/// Where the SQL of the databases differs.
public struct SQLDialect: Sendable {
    /// Stands behind a SELECT that takes the locks of rows that are about to be written; empty where transactions run one
    /// at a time.
    public let rowLock: String

    /// A statement that lets one transaction at a time change the schema; empty where transactions run one at a time.
    public let schemaLock: String

    /// Whether statements are planned by statistics of the tables, which are stale after a bulk write.
    public let plansByStatistics: Bool

    public init(rowLock: String, schemaLock: String, plansByStatistics: Bool) {
        self.rowLock = rowLock
        self.schemaLock = schemaLock
        self.plansByStatistics = plansByStatistics
    }

    public static let sqlite = SQLDialect(rowLock: "", schemaLock: "", plansByStatistics: false)
}
