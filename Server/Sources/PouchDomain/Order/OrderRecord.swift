import Foundation
import PouchEntities
import PouchJSON

/// A stored order, with fields that customers do not see.
public struct OrderRecord: Sendable, Equatable {
    public var order: Order
    public let ownerId: String
    /// The number of changes; the order's ETag.
    public var version: Int
    /// Whether its lines come from the cart, and go back to it if the order fails.
    public let fromCart: Bool
    /// The ledger of the order's charge.
    public let ledgerId: String
    /// The discount code that the order has used.
    public let discount: UsedDiscount?
    public let hold: Hold
    /// The weight of all units.
    public let grams: Int

    /// The stock that a pending order holds.
    public struct Hold: Sendable, Equatable {
        /// The time from which others can buy the units.
        public let expiresAt: Date
        /// Whether the held stock was released.
        public let isReleased: Bool

        public init(expiresAt: Date, isReleased: Bool = false) {
            self.expiresAt = expiresAt
            self.isReleased = isReleased
        }
    }

    public struct UsedDiscount: Sendable, Equatable {
        public let id: String
        public let code: String
        /// Whether the use also counts for the order's e-mail address; nil for orders of earlier versions.
        public let isByEmail: Bool?
    }

    public init(
        order: Order, ownerId: String, version: Int, fromCart: Bool, ledgerId: String, discount: UsedDiscount? = nil,
        hold: Hold, grams: Int
    ) {
        self.order = order
        self.ownerId = ownerId
        self.version = version
        self.fromCart = fromCart
        self.ledgerId = ledgerId
        self.discount = discount
        self.hold = hold
        self.grams = grams
    }

    /// - Throws: `DomainError.versionConflict` when the caller expects another version.
    func check(ifMatch: Int?) throws(DomainError) {
        guard ifMatch == nil || ifMatch == version else { throw .versionConflict }
    }
}

extension OrderRecord.UsedDiscount: JSONModel {
    public static let json = JSONObject(
        OrderRecord.UsedDiscount.init(id:code:isByEmail:), .field("id", \.id), .field("code", \.code),
        .field("byEmail", \.isByEmail))
}

public protocol OrderRepository {
    /// Reserves numbers until they are returned, and returns the first number.
    func reserveNumbers(_ count: Int) throws -> Int64
    /// Releases reserved numbers that no order has used, unless later numbers were reserved.
    func returnNumbers(_ numbers: ClosedRange<Int64>) throws
    /// Releases the reserved numbers after the highest one used by an order, if that is among the last numbers, or if
    /// no order was ever placed.
    func returnNumbersAfterLatest(within count: Int) throws

    func insert(_ order: OrderRecord) throws
    /// - Parameter locking: whether to lock the order until the transaction ends.
    func order(id: String, locking: Bool) throws -> OrderRecord?
    /// The id of the order with a number in the format `P-10001`.
    func id(number: String) throws -> String?
    /// The orders of an owner, latest first, after the order with the id.
    func orders(ownerId: String, after id: String?, limit: Int) throws -> [OrderRecord]
    /// The orders of all owners, latest first, after the order with the id.
    func orders(matching search: OrderSearch, after id: String?, limit: Int) throws -> [OrderRecord]
    /// The number of orders that still have to be sent, counted up to the limit, and the time at which the oldest was
    /// placed.
    func unsent(limit: Int) throws -> (count: Int, oldest: Date?)

    /// Moves a pending order to a status, together with its payment.
    ///
    /// - Returns: the updated order; nil, without writing, when it is no longer pending.
    func settle(_ record: OrderRecord, status: OrderStatus, payment: Payment.Status, at: Date) throws -> OrderRecord?
    /// Writes status, history, lines, payment, delivery and tracking under the next version, if the stored version is
    /// the record's.
    ///
    /// - Returns: false, without writing, when the stored version is another.
    func update(_ order: OrderRecord) throws -> Bool
    func delete(id: String) throws

    /// The ledger of the latest order; nil if there is none.
    func latestLedgerId() throws -> String?
    /// The ledger's pending orders, oldest first, after the one with the id.
    func pending(ledgerId: String, after id: String?, limit: Int) throws -> [OrderRecord]
    /// The creation time of the oldest pending order, in any ledger.
    func oldestPending() throws -> Date?
    /// The time at which the next hold of a pending order expires.
    func nextHoldExpiry() throws -> Date?
    /// Marks the expired holds of pending orders with any of the SKUs as released, once.
    ///
    /// - Returns: the units of these orders, by SKU, which still count as held in the stock.
    func releaseExpiredHolds(of skus: [String], at: Date) throws -> [StockUnits]
    /// Does the same for at most `limit` orders with any SKUs, by expiry.
    ///
    /// - Returns: the units, and the number of these orders.
    func releaseExpiredHolds(at: Date, limit: Int) throws -> (units: [StockUnits], orders: Int)

    /// The orders with a later version than the given one.
    func changed(since versions: [String: Int]) throws -> [OrderRecord]

    /// Moves all orders of one owner to another.
    func move(from ownerId: String, to newOwnerId: String) throws
    /// Removes the data that identify the buyer from an order.
    func anonymise(id: String) throws
    /// Stores when to check an order whose account is deleted.
    func anonymise(id: String, at: Date) throws
    /// Locks the orders whose check is due, earliest first.
    func dueForAnonymity(at: Date, limit: Int) throws -> [OrderRecord]
    /// The time of the next check of an order.
    func nextAnonymity() throws -> Date?
}

extension OrderRepository {
    package func order(id: String) throws -> OrderRecord? { try order(id: id, locking: false) }

    /// The id of an order, given its id or number. Only for a number is it known whether the order exists.
    ///
    /// - Throws: `DomainError.notFound`.
    public func id(of reference: String) throws -> String {
        guard let number = OrderNumbers.number(in: reference) else { return reference }
        return try id(number: number).orNotFound()
    }

    /// The order with an id or number.
    ///
    /// - Throws: `DomainError.notFound`.
    public func order(of reference: String, locking: Bool = false) throws -> OrderRecord {
        try existing(id: id(of: reference), locking: locking)
    }

    /// - Throws: `DomainError.notFound`.
    func existing(id: String, locking: Bool = false) throws -> OrderRecord {
        try order(id: id, locking: locking).orNotFound()
    }

    /// An order of the principal; other buyers' orders are not found.
    ///
    /// - Parameter id: the order's id or number.
    /// - Throws: `DomainError.notFound`.
    public func order(id: String, of principal: Principal, locking: Bool = false) throws -> OrderRecord {
        let order = try order(of: id, locking: locking)
        guard order.ownerId == principal.ownerId else { throw DomainError.notFound }
        return order
    }
}

extension Order {
    /// Enters a status without consulting `OrderMachine`. A status in which the order will not be sent clears the
    /// delivery failure.
    mutating func enter(_ status: OrderStatus, payment: Payment? = nil, lines: [OrderLine]? = nil, at: Date) {
        if status != self.status { history.append(Event(status: status, at: at)) }
        self.status = status
        if let payment { self.payment = payment }
        if let lines { self.lines = lines }
        if ![.paid, .partiallyRefunded].contains(status) { deliveryFailure = nil }
    }

    /// Sets the delivery, with the courier's ride or failure if there is one.
    mutating func change(shipping: Shipping?, rideId: String?, deliveryFailure: DeliveryFailure? = nil) {
        (self.shipping, self.rideId, self.deliveryFailure) = (shipping, rideId, deliveryFailure)
    }
}
