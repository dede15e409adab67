/// Where the SQL of the databases differs.
public struct SQLDialect: Sendable {
    /// Stands behind a SELECT whose rows must stay as they are until the transaction ends; empty where transactions run
    /// one at a time.
    public let sharedRowLock: String

    public init(sharedRowLock: String) {
        self.sharedRowLock = sharedRowLock
    }

    public static let sqlite = SQLDialect(sharedRowLock: "")
}
