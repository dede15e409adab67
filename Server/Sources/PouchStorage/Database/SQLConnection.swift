/// One connection, within a transaction. Statements are prepared once for each connection and kept.
public protocol SQLConnection {
    var dialect: SQLDialect { get }

    /// - Returns: how many rows were changed.
    @discardableResult
    func run(_ sql: String, _ arguments: [SQLValue]) throws -> Int

    func rows(_ sql: String, _ arguments: [SQLValue]) throws -> [SQLRow]

    /// Several statements without arguments, for the schema.
    func script(_ sql: String) throws
}

extension SQLConnection {
    public func row(_ sql: String, _ arguments: [SQLValue]) throws -> SQLRow? {
        try rows(sql, arguments).first
    }
}
