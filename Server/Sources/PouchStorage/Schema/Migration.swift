/// One step of the schema, forward only. Once released its text never changes.
public struct Migration: Sendable {
    let version: Int
    let name: String
    let sql: String

    public init(version: Int, name: String, sql: String) {
        self.version = version
        self.name = name
        self.sql = sql
    }
}
