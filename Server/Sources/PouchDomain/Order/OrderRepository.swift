import Foundation
import PouchEntities

public protocol OrderRepository {
    /// Takes so many numbers off for good.
    ///
    /// - Returns: the first of them.
    func reserveNumbers(_ count: Int) throws -> Int64

    func insert(_ order: OrderRecord) throws
    /// - Parameter locking: whether it is to stay as it is until the transaction ends.
    func order(id: String, locking: Bool) throws -> OrderRecord?
    /// The latest first, from behind the order with the given id.
    func orders(ownerId: String, after id: String?, limit: Int) throws -> [OrderRecord]
    /// Of all owners, the latest first, from behind the order with the given id.
    func orders(status: OrderStatus?, after id: String?, limit: Int) throws -> [OrderRecord]

    /// Brings a pending order to the status, with what became of its payment.
    ///
    /// - Returns: the order afterwards; nil, and nothing is written, when it is no longer pending.
    func settle(_ record: OrderRecord, status: OrderStatus, payment: Payment.Status, at: Date) throws -> OrderRecord?
    /// Writes status, history, lines, payment and delivery under the next version, when the stored version is the record's.
    ///
    /// - Returns: whether it was.
    func update(_ order: OrderRecord) throws -> Bool
    func delete(id: String) throws

    /// Pending orders of the ledger; the oldest first, from behind the one with the given id.
    func pending(ledgerId: String, after id: String?, limit: Int) throws -> [OrderRecord]
    /// Pending orders whose hold has expired and was not released.
    func expiredHolds(at: Date) throws -> [OrderRecord]
    /// So many of them, the first to expire first.
    func expiredHolds(at: Date, limit: Int) throws -> [OrderRecord]
    /// Notes that others may have bought what the order held.
    ///
    /// - Returns: false when the order is no longer pending, or somebody else was first.
    func releaseHold(id: String) throws -> Bool

    /// Gives all orders of one owner to another.
    func move(from ownerId: String, to newOwnerId: String) throws
    /// Removes what identifies a person from their orders.
    func anonymise(ownerId: String) throws
}

extension OrderRepository {
    package func order(id: String) throws -> OrderRecord? { try order(id: id, locking: false) }
}
