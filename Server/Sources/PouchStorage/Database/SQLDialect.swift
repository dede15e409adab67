/// Where the SQL of the databases differs.
public struct SQLDialect: Sendable {
    /// Stands behind a SELECT whose rows must stay as they are until the transaction ends; empty where transactions run
    /// one at a time.
    public let sharedRowLock: String

    /// A statement that lets one transaction at a time change the schema; empty where transactions run one at a time.
    public let schemaLock: String

    public init(sharedRowLock: String, schemaLock: String) {
        self.sharedRowLock = sharedRowLock
        self.schemaLock = schemaLock
    }

    public static let sqlite = SQLDialect(sharedRowLock: "", schemaLock: "")
}
