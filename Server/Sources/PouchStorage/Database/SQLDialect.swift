/// Where the SQL of the databases differs.
public struct SQLDialect: Sendable {
    /// Stands behind a SELECT whose rows must stay as they are until the transaction ends; empty where transactions run
    /// one at a time.
    public let sharedRowLock: String

    /// A statement that lets one transaction at a time change the schema; empty where transactions run one at a time.
    public let schemaLock: String

    /// Whether statements are planned by statistics of the tables, which are stale after a bulk write.
    public let plansByStatistics: Bool

    public init(sharedRowLock: String, schemaLock: String, plansByStatistics: Bool) {
        self.sharedRowLock = sharedRowLock
        self.schemaLock = schemaLock
        self.plansByStatistics = plansByStatistics
    }

    public static let sqlite = SQLDialect(sharedRowLock: "", schemaLock: "", plansByStatistics: false)
}
