import Foundation

/// Discounts and their uses. Uses are counted in single conditional statements, so that the last one is won by one.
public protocol DiscountRepository {
    /// The latest first, from behind the one with the given id.
    func discounts(after id: String?, limit: Int) throws -> [DiscountRecord]
    func record(id: String) throws -> DiscountRecord?
    /// - Parameter code: in its normal form.
    func usage(code: String, ownerId: String) throws -> DiscountUsage?

    /// - Returns: false when another has the code; nothing is written then.
    func insert(_ discount: Discount, at: Date) throws -> Bool
    /// Writes all but the uses.
    ///
    /// - Returns: false when it is gone, or was used more often than its new limit allows.
    func update(_ discount: Discount) throws -> Bool
    /// Forgets its uses too.
    ///
    /// - Returns: whether it was there.
    func delete(id: String) throws -> Bool

    /// Counts one use.
    ///
    /// - Returns: false when it is used up or gone; nothing is counted then.
    func claim(id: String) throws -> Bool
    /// Counts one use by an account or guest, also where there is no limit now, since one may be set later.
    ///
    /// - Returns: false when they have used it so many times already; nothing is counted then.
    func claim(id: String, ownerId: String, limit: Int?) throws -> Bool
    /// Takes back one use, in all and by the owner.
    func giveBack(id: String, ownerId: String) throws
    /// Gives what one owner used to another, who may come to more than the limit that way.
    func move(from ownerId: String, to newOwnerId: String) throws
    /// Forgets what the owner used; in all it stays counted.
    func delete(ownerId: String) throws
}
