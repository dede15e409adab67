import Foundation
import PouchEntities

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
    /// The ids of rides with which something has to be done, the most urgent first.
    func due(at now: Date, limit: Int) throws -> [String]
    /// When something has to be done next; nil when no ride is active.
    func nextDue() throws -> Date?
    /// Those of the rides that have a later version than the given one.
    func changed(since versions: [String: Int]) throws -> [RideRecord]
    /// Forgets the rides of an account that have ended, and those that brought its orders.
    func deleteEnded(ownerId: String) throws
}

extension RideRepository {
    func ride(id: String) throws -> RideRecord? { try ride(id: id, locking: false) }
}
