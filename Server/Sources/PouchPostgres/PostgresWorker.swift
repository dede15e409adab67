import Foundation
import PouchDomain
import PouchStorage

/// A thread with a connection, which is made when it is needed and made anew when it was lost.
///
/// `@unchecked Sendable`: the session is used on the queue alone.
final class PostgresWorker: @unchecked Sendable {
    private let address: PostgresAddress
    private let queue = DispatchQueue(label: "pouch.postgres")
    private var session: PostgresSession?

    init(_ address: PostgresAddress) {
        self.address = address
    }

    /// - Parameter mode: how the transaction is begun.
    func transaction<Value: Sendable>(
        _ mode: TransactionMode, _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            queue.async {
                continuation.resume(with: Result { try self.persist(mode, body) })
            }
        }
    }

    func close() async {
        await withCheckedContinuation { continuation in
            queue.async {
                self.session = nil
                continuation.resume()
            }
        }
    }

    private func persist<Value>(_ mode: TransactionMode, _ body: (any SQLConnection) throws -> Value) throws -> Value {
        var budget = RetryBudget()
        while true {
            do {
                return try attempt(mode, body)
            } catch {
                if let error = error as? PostgresError, case .anotherConnection = error.remedy { session = nil }
                if session?.isLost == true { session = nil }
                try budget.pause(after: error)
            }
        }
    }

    private func attempt<Value>(_ mode: TransactionMode, _ body: (any SQLConnection) throws -> Value) throws -> Value {
        let session = try self.session ?? PostgresSession(address)
        self.session = session
        session.begin(mode.sql)
        do {
            let value = try body(session)
            // Also where the body caught it: the server has given the transaction up.
            if let failure = session.failure, mode != .read || failure.isRemediable { throw failure }
            if mode == .read { session.endReading() } else { try session.commit() }
            return value
        } catch {
            let failure = session.failure
            session.rollback()
            // What the body makes of a failure that another attempt may not meet is of no interest.
            if let failure, failure.isRemediable { throw failure }
            throw error
        }
    }
}

extension PostgresError {
    fileprivate var isRemediable: Bool {
        if case .none = remedy { false } else { true }
    }
}
