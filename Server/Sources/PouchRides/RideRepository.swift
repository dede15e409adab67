import Foundation
import PouchDomain
import PouchEntities

/// The rides of all riders and orders. One is active, and something is due with it, until it ends.
public protocol RideRepository {
    /// - Returns: false, and nothing is written, when the rider has an active ride.
    func insert(_ ride: RideRecord) throws -> Bool
    /// - Parameter locking: whether it is to stay as it is until the transaction ends.
    func ride(id: String, locking: Bool) throws -> RideRecord?
    /// The latest first, from behind the ride with the given id.
    func rides(riderId: String, after id: String?, limit: Int) throws -> [RideRecord]
    /// The rider's ride that has not ended.
    func active(riderId: String) throws -> RideRecord?
    /// Writes what may have changed under the next version, when the stored version is the record's.
    ///
    /// - Returns: false, and nothing is written, when it is another.
    func update(_ ride: RideRecord) throws -> Bool
    /// The rides with which something has to be done, with the orders that they bring. Those that have a kangaroo come
    /// first, since they may set it free for the others; then the most urgent.
    func due(at now: Date, limit: Int) throws -> [(id: String, orderId: String?)]
    /// When something has to be done next with another ride than these; nil when none is active.
    func nextDue(except ids: Set<String>) throws -> Date?
    /// Those of the rides that have a later version than the given one.
    func changed(since versions: [String: Int]) throws -> [RideRecord]
    /// Forgets the rides of an account that have ended, and those that brought its orders.
    func deleteEnded(ownerId: String) throws
    /// Forgets the ride when it has ended and its rider's account was deleted, or that of the order's owner.
    func deleteDeserted(id: String) throws
}

extension RideRepository {
    func ride(id: String) throws -> RideRecord? { try ride(id: id, locking: false) }
}
