import Foundation

public protocol IdempotencyRepository {
    func record(ownerId: String, key: String) throws -> IdempotencyRecord?
    /// - Parameter orderId: the order that the request is about, where it takes more than one transaction.
    /// - Returns: false when the owner has used the key already; nothing is written then.
    func insert(_ record: IdempotencyRecord, orderId: String?) throws -> Bool
    /// Gives the answer to the record, if it has none yet.
    func complete(ownerId: String, key: String, answer: StoredAnswer) throws
    /// Gives the answer to the records about the order that have none yet.
    func complete(orderId: String, answer: StoredAnswer) throws
    /// Removes the records about the order that have no answer yet.
    func deleteRunning(orderId: String) throws
    func delete(ownerId: String, key: String) throws
    func delete(ownerId: String) throws
    /// Gives the records of one owner to another, but for keys that the other has used.
    func move(from ownerId: String, to newOwnerId: String) throws
    /// Forgets answers from before the given time, at most so many.
    ///
    /// - Returns: whether there may be more.
    func purge(before: Date, limit: Int) throws -> Bool
}
