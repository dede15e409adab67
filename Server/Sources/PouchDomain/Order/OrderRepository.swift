import Foundation
import PouchEntities

public protocol OrderRepository {
    /// The next number for people, as in `P-10001`.
    func nextNumber() throws -> String
    func insert(_ order: OrderRecord) throws
    func order(id: String) throws -> OrderRecord?
    /// The latest first, from behind the order with the given id.
    func orders(ownerId: String, after id: String?, limit: Int) throws -> [OrderRecord]
    /// Everybody's, the latest first, from behind the order with the given id; with a status, those that have it.
    func orders(status: OrderStatus?, after id: String?, limit: Int) throws -> [OrderRecord]

    /// Writes status, payment and a line of history, when the stored status is `from`.
    ///
    /// - Returns: whether it was; nothing is written otherwise.
    func move(id: String, from: OrderStatus, to: OrderStatus, payment: Payment.Status, refunded: Money, at: Date) throws
        -> Bool
    /// Writes that the charge of a cancelled order was given back; nothing when that is written already.
    func setRefunded(id: String, _ amount: Money) throws
    func delete(id: String) throws

    /// Orders that wait for their payment, or whose charge is still to be refunded, in the given ledger; the oldest
    /// first, from behind the one with the given id.
    func unsettled(ledgerId: String, after id: String?, limit: Int) throws -> [OrderRecord]
    /// Gives all orders of one owner to another.
    func move(from ownerId: String, to newOwnerId: String) throws
    /// Removes what identifies a person from their orders.
    func anonymise(ownerId: String) throws
}
