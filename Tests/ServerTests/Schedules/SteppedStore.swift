import PouchDomain
import PouchStorage

/// A store in which players take turns. Reads belong to the step before them.
struct SteppedStore: Store {
    typealias Transaction = ShopDatabase.Transaction

    struct Crash: Error {}

    let store: ShopDatabase
    let stage: Stage

    func read<Value: Sendable>(
        _ body: @escaping @Sendable (Transaction) throws -> Value
    ) async throws -> Value {
        try await store.read(body)
    }

    func write<Value: Sendable>(
        _ isolation: Isolation, _ body: @escaping @Sendable (Transaction) throws -> Value
    ) async throws -> Value {
        guard await stage.turn(.write) == .go else { throw Crash() }
        return try await store.write(isolation, body)
    }
}
