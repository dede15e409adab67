/// One step of the schema, forward only. Once released its text never changes.
public struct Migration: Sendable {
    let version: Int
    let name: String
    let sql: String
    /// What has to be done to the data that no SQL of both databases can do, after the SQL and in the same transaction.
    let convert: @Sendable (any SQLConnection) throws -> Void

    public init(
        version: Int, name: String, sql: String,
        convert: @escaping @Sendable (any SQLConnection) throws -> Void = { _ in }
    ) {
        self.version = version
        self.name = name
        self.sql = sql
        self.convert = convert
    }
}
