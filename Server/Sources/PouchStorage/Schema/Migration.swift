/// One step of the schema, forward only. Once released its text never changes.
struct Migration: Sendable {
    let version: Int
    let name: String
    let sql: String
}
