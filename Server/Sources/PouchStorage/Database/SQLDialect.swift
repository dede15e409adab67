/// Where the SQL of the databases differs.
public struct SQLDialect: Sendable {
    /// Stands behind a SELECT that takes the locks of rows that are about to be written; empty where transactions run one
    /// at a time.
    public let rowLock: String

    /// The same for rows that no other transaction has locked; those that are locked are left out.
    public let freeRowLock: String

    /// A statement that lets one transaction at a time change the schema; empty where transactions run one at a time.
    public let schemaLock: String

    /// Whether statements are planned by statistics of the tables, which are stale after a bulk write.
    public let plansByStatistics: Bool

    public init(rowLock: String, freeRowLock: String, schemaLock: String, plansByStatistics: Bool) {
        self.rowLock = rowLock
        self.freeRowLock = freeRowLock
        self.schemaLock = schemaLock
        self.plansByStatistics = plansByStatistics
    }

    public static let sqlite = SQLDialect(
        rowLock: "", freeRowLock: "", schemaLock: "", plansByStatistics: false)
}
