import PouchDomain
import PouchEntities

/// The domain's store on any SQL database.
public struct SQLStore: Store {
    private let database: any Database
    private let currency: Currency
    private let time: any TimeSource

    /// - Parameter currency: the shop's; amounts in the catalogue and in carts are in it.
    public init(_ database: any Database, currency: Currency, time: any TimeSource = SystemTime()) {
        self.database = database
        self.currency = currency
        self.time = time
    }

    public func read<Value: Sendable>(
        _ body: @escaping @Sendable (any Repositories) throws -> Value
    ) async throws -> Value {
        try await database.read { try body(repositories($0)) }
    }

    public func write<Value: Sendable>(
        _ isolation: Isolation, _ body: @escaping @Sendable (any Repositories) throws -> Value
    ) async throws -> Value {
        try await database.write(isolation) { try body(repositories($0)) }
    }

    private func repositories(_ connection: any SQLConnection) -> SQLRepositories {
        SQLRepositories(connection: connection, currency: currency, time: time)
    }
}
